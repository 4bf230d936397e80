"""A shop on the official Python SDK: `shop.py stdio` or `shop.py http <port>`."""

import sys
from typing import Annotated

from mcp.server.mcpserver import AcceptedElicitation, Context, Elicit, ElicitationResult, MCPServer, Resolve
from pydantic import BaseModel

shop = MCPServer("shop")


class Sure(BaseModel):
    sure: bool


@shop.tool()
def price() -> str:
    """Tells the price."""
    return "12"


@shop.tool()
async def count(context: Context) -> str:
    """Counts the shelves."""
    for shelf in range(3):
        await context.report_progress(shelf + 1, 3)
    return "3 shelves"


def ask() -> Elicit[Sure]:
    return Elicit("Remove it?", Sure)


@shop.tool()
def remove(answer: Annotated[ElicitationResult[Sure], Resolve(ask)]) -> str:
    """Removes an offer."""
    return "removed" if isinstance(answer, AcceptedElicitation) and answer.data.sure else "kept"


@shop.resource("shop://terms")
def terms() -> str:
    """The terms."""
    return "Fair terms."


@shop.prompt()
def hello() -> str:
    """Greets a customer."""
    return "Say hello."


if sys.argv[1] == "stdio":
    shop.run("stdio")
else:
    shop.run("streamable-http", host="127.0.0.1", port=int(sys.argv[2]))
