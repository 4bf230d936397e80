import { describe, expect, test } from 'vitest';
import { after, marksOf, migrated } from './given.js';

describe('the high-level server', () => {
  test('transport options go to the call that serves, positions become keywords', () => {
    expect(
      after(`from mcp.server.fastmcp import FastMCP

app = FastMCP(
    "ferry",
    "Timetables.",
    host="0.0.0.0",
    # behind the proxy
    port=8080,
    log_level="INFO",
    stateless_http=True,
)
app.run(transport="streamable-http")
`),
    ).toBe(`from mcp.server.mcpserver import MCPServer

app = MCPServer(
    "ferry",
    instructions="Timetables.",
    # behind the proxy
    log_level="INFO",
)
app.run(transport="streamable-http", host="0.0.0.0", port=8080, stateless_http=True)
`);
  });

  test('through other files and factories', () => {
    const { texts, marks } = migrated({
      'pier/server.py': 'from mcp.server.fastmcp import FastMCP\n\napp = FastMCP("pier", json_response=True, port=1)\n',
      'pier/web.py': 'from pier.server import app\n\nasgi = app.streamable_http_app()\n',
      'pier/made.py': 'from mcp.server.fastmcp import FastMCP\n\n\ndef build():\n    made = FastMCP("made", port=2)\n    return made\n',
      'pier/main.py': 'from pier.made import build\n\nbuild().run("sse")\n',
    });
    expect(marks).toEqual([]);
    expect(texts['pier/web.py']).toContain('app.streamable_http_app(json_response=True)');
    expect(texts['pier/main.py']).toContain('build().run("sse", port=2)');
  });

  test('stays whole where the transport is chosen while it runs, or nothing serves it', () => {
    const dynamic = 'import os\nfrom mcp.server.fastmcp import FastMCP\n\napp = FastMCP("a", port=1)\napp.run(os.environ["T"])\n';
    expect(after(dynamic)).toContain('MCPServer("a", port=1)');
    expect(marksOf(dynamic)).toEqual(['constructor-transport']);
    expect(marksOf('from mcp.server.fastmcp import FastMCP\n\napp = FastMCP("a", port=1)\n')).toEqual(['constructor-transport']);
    expect(marksOf('from mcp.server.fastmcp import FastMCP\n\napp = FastMCP("a", **OPTIONS)\napp.run()\n')).toEqual(['constructor-transport']);
  });

  test('settings that are written before the server runs', () => {
    expect(
      after(`from mcp.server.fastmcp import FastMCP

app = FastMCP("a")


def main(port: int):
    app.settings.port = port
    app.settings.log_level = "DEBUG"
    app.run(transport="sse")
`),
    ).toContain('def main(port: int):\n    app.settings.log_level = "DEBUG"\n    app.run(transport="sse", port=port)\n');
    expect(marksOf('from mcp.server.fastmcp import FastMCP\n\napp = FastMCP("a")\nif True:\n    app.settings.port = 1\napp.run("sse")\n')).toEqual([
      'settings-access',
    ]);
  });

  test('the context: its type, its members, and where it comes from', () => {
    expect(
      after(`from mcp.server.fastmcp import Context, FastMCP
from mcp.server.session import ServerSession

app = FastMCP("a")


@app.tool()
async def one(ctx: Context[ServerSession, dict]) -> str:
    await ctx.info(message="hello")
    return ctx.fastmcp.name


@app.tool()
async def two(name: str) -> str:
    return app.get_context().request_id
`),
    ).toBe(`from mcp.server.mcpserver import Context, MCPServer
from mcp.server.session import ServerSession

app = MCPServer("a")


@app.tool()
async def one(ctx: Context[dict]) -> str:
    await ctx.info(data="hello")
    return ctx.mcp_server.name


@app.tool()
async def two(name: str, ctx: Context) -> str:
    return ctx.request_id
`);
  });
});

describe('the low-level server', () => {
  test('decorators of the written module, in classes too', () => {
    const text = `from typing import Any

import mcp.types as types
from mcp.server.lowlevel import Server
from pydantic import AnyUrl


class Desk:
    def __init__(self) -> None:
        self.server: Server[Any, Any] = Server("desk", "1.0")

        @self.server.call_tool(validate_input=False)
        async def call(name: str, arguments: dict):
            return [types.TextContent(type="text", text=str(self.server.request_context.request_id))]

        @self.server.read_resource()
        async def read(uri: AnyUrl):
            return [types.TextResourceContents(uri=uri, text="")]

        self.server.request_handlers[types.PingRequest] = self.ping

    async def ping(self, request: types.PingRequest) -> types.ServerResult:
        return types.ServerResult(types.EmptyResult())

    async def run(self, read, write):
        await self.server.run(read, write, self.server.create_initialization_options(), stateless=True)
`;
    const result = after(text);
    for (const part of [
      'import mcp_handlers\n',
      'self.server: Server[Any] = Server("desk", version="1.0")',
      '@mcp_handlers.call_tool(self.server, validate_input=False)',
      'mcp_handlers.request_context(self.server).request_id',
      '@mcp_handlers.read_resource(self.server)',
      'TextResourceContents(uri=str(uri), text="")',
      'mcp_handlers.request_handler(self.server, types.PingRequest, self.ping)',
      'return types.EmptyResult()',
      'create_initialization_options())',
    ])
      expect(result).toContain(part);
  });

  test('a file of a package imports the module from beside it', () => {
    const { texts } = migrated({
      'pier/__init__.py': '',
      'pier/desk.py': 'from mcp.server import Server\n\ndesk = Server("desk")\n\n\n@desk.list_tools()\nasync def tools():\n    return []\n',
    });
    expect(texts['pier/desk.py']).toContain('from . import mcp_handlers\n');
  });

  test('tests outside of a package take the module of the package that they import', () => {
    const desk = (name: string): string =>
      `from mcp.server import Server\n\n${name} = Server("${name}")\n\n\n@${name}.list_tools()\nasync def tools():\n    return []\n`;
    const { texts } = migrated({
      'src/pier/__init__.py': '',
      'src/pier/desk.py': desk('desk'),
      'tests/test_desk.py': `from pier.desk import desk\n${desk('other')}`,
      'tests/test_alone.py': desk('alone'),
    });
    expect(texts['tests/test_desk.py']).toContain('from pier import mcp_handlers\n');
    expect(texts['tests/test_alone.py']).toContain('import mcp_handlers\n');
  });

  test('a comment before the argument that goes keeps its line', () => {
    const run = (last: string): string => `from mcp.server import Server

desk = Server("desk")


async def serve(read, write, options):
    await desk.run(
        read,
        write,
        options,  # of the berth
        # each call is alone
        stateless=True${last}
`;
    expect(after(run(',\n    )'))).toContain('options,  # of the berth\n        # each call is alone\n    )\n');
    expect(after(run(')'))).toContain('options,  # of the berth\n        # each call is alone\n        )\n');
  });
});
