"""The keeper over stdio, for people who start it themselves."""

from lighthouse.keeper import keeper

if __name__ == "__main__":
    keeper.run()
