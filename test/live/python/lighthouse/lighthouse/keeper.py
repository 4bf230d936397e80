"""The keeper: lights lamps and tells about them."""

from __future__ import annotations

from dataclasses import dataclass, field

from mcp.server.fastmcp import Context, FastMCP
from mcp.server.fastmcp.exceptions import ToolError
from mcp.server.session import ServerSession
from mcp.shared.exceptions import McpError
from mcp.types import INVALID_PARAMS, ErrorData, ToolAnnotations


@dataclass
class Coast:
    burning: dict[str, int] = field(default_factory=dict)


COAST = Coast()
PORT = 8650

keeper = FastMCP(
    "keeper",
    "Lights the lamps of the coast.",
    port=PORT,
    stateless_http=True,
    json_response=True,  # one answer, one document
    log_level="WARNING",
)


@keeper.tool(annotations=ToolAnnotations(idempotentHint=True))
async def light(lamp: str, minutes: int, ctx: Context[ServerSession, None]) -> str:
    """Lights a lamp for some minutes."""
    if minutes <= 0:
        raise ToolError("a lamp burns at least a minute")
    if lamp == "moon":
        raise McpError(ErrorData(code=INVALID_PARAMS, message="the moon is nobody's lamp", data={"lamp": lamp}))
    COAST.burning[lamp] = minutes
    await ctx.report_progress(minutes, 60)
    return f"{lamp} burns for {minutes} minutes, says {ctx.fastmcp.name}"


@keeper.tool()
def burning() -> dict[str, int]:
    """Which lamps burn, and how long."""
    return dict(COAST.burning)


@keeper.tool()
async def heard() -> str:
    """Whether the request carried a token for its progress."""
    meta = keeper.get_context().request_context.meta
    return "token" if getattr(meta, "progressToken", None) is not None else "no token"


@keeper.resource("lamp://{name}")
def lamp(name: str) -> str:
    """One lamp."""
    return f"{name}: {COAST.burning.get(name, 0)}"


@keeper.prompt()
def report(lamp: str) -> str:
    """How to report a lamp."""
    return f"Report the state of {lamp} in one sentence."


if __name__ == "__main__":
    keeper.run(transport="streamable-http")
