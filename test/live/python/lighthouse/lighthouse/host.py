"""Both servers behind one port."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncIterator

import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import Receive, Scope, Send

from lighthouse.keeper import keeper
from lighthouse.ledger import server

manager = StreamableHTTPSessionManager(app=server, json_response=True, stateless=True)
keeper.settings.streamable_http_path = "/"


async def ledger(scope: Scope, receive: Receive, send: Send) -> None:
    await manager.handle_request(scope, receive, send)


def application() -> Starlette:
    coast = keeper.streamable_http_app()

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with contextlib.AsyncExitStack() as stack:
            await stack.enter_async_context(manager.run())
            await stack.enter_async_context(keeper.session_manager.run())
            yield

    return Starlette(routes=[Mount("/ledger", app=ledger), Mount("/keeper", app=coast)], lifespan=lifespan)


if __name__ == "__main__":
    uvicorn.run(application(), host="127.0.0.1", port=int(os.environ.get("PORT", "8651")), log_level="warning")
