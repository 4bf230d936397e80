"""A visitor of MCP servers: asks what there is, and calls it."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from mcp import ClientSession, McpError
from mcp.client.streamable_http import streamablehttp_client
from pydantic import AnyUrl

PATIENCE = timedelta(seconds=20)


@dataclass
class Offer:
    name: str
    schema: dict[str, Any]
    repeatable: bool


def offer_of(tool: Any) -> Offer:
    hints = tool.annotations
    return Offer(name=tool.name, schema=tool.inputSchema, repeatable=bool(hints and hints.idempotentHint))


async def offers(session: ClientSession) -> list[Offer]:
    found: list[Offer] = []
    cursor: str | None = None
    while True:
        page = await session.list_tools(cursor=cursor)
        found.extend(offer_of(tool) for tool in page.tools)
        cursor = getattr(page, "nextCursor", None)
        if not cursor:
            return found


async def ask(session: ClientSession, tool: str, arguments: dict[str, Any]) -> Any:
    """The structured answer, else the text; `LookupError` when the tool or the server refuses."""
    try:
        result = await session.call_tool(tool, arguments, read_timeout_seconds=timedelta(seconds=10))
    except McpError as error:
        raise LookupError(f"{error.error.code}: {error.error.message}") from error
    text = "".join(block.text for block in result.content if block.type == "text")
    if getattr(result, "isError", False):
        raise LookupError(text)
    return result.structuredContent or text


async def visit(url: str, token: str = "none") -> dict[str, Any]:
    async with streamablehttp_client(url, headers={"Authorization": f"Bearer {token}"}, timeout=20) as (read, write, _):
        async with ClientSession(read, write, read_timeout_seconds=PATIENCE) as session:
            hello = await session.initialize()
            listed = await offers(session)
            seen = {"server": hello.serverInfo.name, "tools": [offer.name for offer in listed]}
            if "count" in seen["tools"]:
                seen["answer"] = await ask(session, "count", {"word": "fog"})
                page = await session.read_resource(AnyUrl("ledger://page/2"))
                seen["page"] = [content.model_dump(exclude_none=True, mode="json") for content in page.contents]
            return seen


if __name__ == "__main__":
    print(json.dumps(asyncio.run(visit(sys.argv[1]))))
