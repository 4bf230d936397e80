"""The ledger: what was logged at sea, with the low-level server."""

from __future__ import annotations

import asyncio
from typing import Any

import mcp.types as types
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.models import InitializationOptions
from mcp.server.stdio import stdio_server
from pydantic import AnyUrl

PAGES = {"1": "calm, wind from the north", "2": "fog until noon"}
server: Server[Any, Any] = Server("ledger", "2.1")


@server.list_tools()
async def tools() -> list[types.Tool]:
    return [
        types.Tool(
            name="count",
            description="Counts the pages that hold a word",
            inputSchema={"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
            outputSchema={"type": "object", "properties": {"pages": {"type": "integer"}}, "required": ["pages"]},
        ),
        types.Tool(name="tear", inputSchema={"type": "object"}),
    ]


@server.call_tool()
async def call(name: str, arguments: dict[str, Any]) -> Any:
    if name == "count":
        return {"pages": sum(arguments["word"] in text for text in PAGES.values())}
    if name == "tear":
        raise RuntimeError("pages are not torn out here")
    context = server.request_context
    return [types.TextContent(type="text", text=f"no tool {name} for request {context.request_id}")]


@server.list_resources()
async def pages() -> list[types.Resource]:
    return [types.Resource(uri=AnyUrl(f"ledger://page/{number}"), name=f"page {number}", mimeType="text/plain") for number in PAGES]


@server.read_resource()
async def page(uri: AnyUrl) -> list[ReadResourceContents]:
    number = (uri.path or "").lstrip("/")
    if number not in PAGES:
        raise ValueError(f"there is no page {number}")
    return [ReadResourceContents(content=PAGES[number], mime_type="text/plain")]


@server.list_prompts()
async def prompts() -> list[types.Prompt]:
    return [types.Prompt(name="summary", arguments=[types.PromptArgument(name="page", required=True)])]


@server.get_prompt()
async def prompt(name: str, arguments: dict[str, str] | None) -> types.GetPromptResult:
    text = f"Summarise: {PAGES[(arguments or {})['page']]}"
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))])


def options() -> InitializationOptions:
    return InitializationOptions(
        server_name="ledger",
        server_version="2.1",
        capabilities=server.get_capabilities(NotificationOptions(), {}),
    )


async def main() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, options())


if __name__ == "__main__":
    asyncio.run(main())
