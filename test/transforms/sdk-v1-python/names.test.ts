import { describe, expect, test } from 'vitest';
import { after, marked, marksOf, migrated } from './given.js';

describe('imports', () => {
  test('in every form, with aliases, comments and order as they were', () => {
    expect(
      after(`import mcp.server.fastmcp as fm
from mcp.server.fastmcp import (
    Context,  # of a request
    FastMCP,
)
from mcp.server.fastmcp.exceptions import FastMCPError as Trouble
import mcp.server.fastmcp

one = FastMCP("a")
two = fm.FastMCP("b")
three = mcp.server.fastmcp.FastMCP("c")
quoted: "FastMCP | None" = None
`),
    ).toBe(`import mcp.server.mcpserver as fm
from mcp.server.mcpserver import (
    Context,  # of a request
    MCPServer,
)
from mcp.server.mcpserver.exceptions import MCPServerError as Trouble
import mcp.server.mcpserver

one = MCPServer("a")
two = fm.MCPServer("b")
three = mcp.server.mcpserver.MCPServer("c")
quoted: "MCPServer | None" = None
`);
  });

  test('a name that is taken keeps the old one behind an alias', () => {
    expect(
      after(`from mcp.server.fastmcp import FastMCP
from mcp.server.lowlevel import Server as MCPServer

a, b = FastMCP("a"), MCPServer("b")
`),
    ).toContain('from mcp.server.mcpserver import MCPServer as FastMCP\n');
    expect(after('from mcp.server.fastmcp import FastMCP\n\n__all__ = ["FastMCP"]\n')).toContain('import MCPServer as FastMCP');
  });

  test('a name that another file imports from here stays', () => {
    const { texts } = migrated({
      'pier/__init__.py': 'from mcp.server.fastmcp import FastMCP\n',
      'pier/app.py': 'from pier import FastMCP\n\napp = FastMCP("pier")\n',
    });
    expect(texts['pier/__init__.py']).toBe('from mcp.server.mcpserver import MCPServer as FastMCP\n');
    expect(texts['pier/app.py']).toBe('from pier import FastMCP\n\napp = FastMCP("pier")\n');
  });

  test('names that move to different modules get statements of their own', () => {
    expect(
      after(`def serve():
    from mcp.server.lowlevel.server import ReadResourceContents, Server, UrlElicitationRequiredError
    return ReadResourceContents, Server, UrlElicitationRequiredError
`),
    ).toBe(`def serve():
    from mcp.server.lowlevel.server import Server
    from mcp.server.lowlevel.helper_types import ReadResourceContents
    from mcp.shared.exceptions import UrlElicitationRequiredError
    return ReadResourceContents, Server, UrlElicitationRequiredError
`);
  });

  test('what a module only offered by accident comes from where it is defined', () => {
    expect(after('import mcp.types as types\n\n\ndef of(uri: types.AnyUrl) -> types.Content: ...\n')).toBe(
      'import mcp.types as types\nfrom pydantic import AnyUrl\n\n\ndef of(uri: AnyUrl) -> types.ContentBlock: ...\n',
    );
  });

  test('code for both majors, the standalone framework and other sessions are left alone', () => {
    for (const text of [
      'try:\n    from mcp.server.mcpserver import MCPServer as FastMCP\nexcept ImportError:\n    from mcp.server.fastmcp import FastMCP\n\napp = FastMCP("a", port=1)\n',
      'from fastmcp import Context, FastMCP\n\napp = FastMCP("a")\n\n\n@app.tool\nasync def t(ctx: Context) -> str:\n    return ctx.fastmcp.name\n',
      'from boto3 import client\n\nresult = client("s").get()\nprint(result.isError, result.nextCursor)\n',
      'SAMPLE = """\nfrom mcp.server.fastmcp import FastMCP\n"""\nprint(SAMPLE)\n',
    ])
      expect(after(text)).toBe(text);
  });

  test('names in strings: loaders, mocks, `getattr` and programs that are run', () => {
    expect(
      after(`import importlib
import subprocess
import sys
from unittest import mock

errors = importlib.import_module("mcp.shared.exceptions")
Refusal = getattr(errors, "McpError", None)
server = importlib.import_module("mcp.server.fastmcp")
mock.patch("mcp.server.fastmcp.FastMCP.run")
subprocess.run([sys.executable, "-c", "from mcp.server.fastmcp import FastMCP; FastMCP('x').run()"])
`),
    ).toBe(`import importlib
import subprocess
import sys
from unittest import mock

errors = importlib.import_module("mcp.shared.exceptions")
Refusal = getattr(errors, "MCPError", None)
server = importlib.import_module("mcp.server.mcpserver")
mock.patch("mcp.server.mcpserver.MCPServer.run")
subprocess.run([sys.executable, "-c", "from mcp.server.mcpserver import MCPServer; MCPServer('x').run()"])
`);
  });

  test('a mock that reaches the name through this repository follows it', () => {
    const { texts } = migrated({
      'pier/client.py': 'from mcp.client.streamable_http import streamablehttp_client\n\n\ndef open(url):\n    return streamablehttp_client(url)\n',
      'pier/test_client.py': 'from unittest.mock import patch\n\nwith patch("pier.client.streamablehttp_client"):\n    pass\n',
    });
    expect(texts['pier/test_client.py']).toContain('patch("pier.client.streamable_http_client")');
  });

  test('what has no counterpart is marked above its statement, once', () => {
    const text = 'if True:\n    from mcp.shared.progress import progress\n';
    const once = marked(text);
    expect(once).toMatch(/^if True:\n {4}# TODO\(unsession\) sdk-v1-python\/removed-name: .*\n {4}from mcp\.shared\.progress import progress\n$/);
    expect(marked(once)).toBe(once);
    expect(marksOf('import mcp.client.websocket\n')).toEqual(['removed-name']);
  });
});

describe('errors', () => {
  test('construction in one piece, from a variable, in a subclass', () => {
    expect(
      after(`from mcp import McpError
from mcp.types import ErrorData


class Closed(McpError):
    def __init__(self) -> None:
        super().__init__(ErrorData(code=1, message="closed"))


def fail(data: ErrorData):
    try:
        raise McpError(
            ErrorData(
                code=-32602,  # invalid
                message="no",
            )
        )
    except McpError as error:
        if error.error.code == 408:
            raise McpError(data)
        if error.error.code == 32600:
            raise Closed()
`),
    ).toBe(`from mcp import MCPError
from mcp.types import ErrorData, REQUEST_TIMEOUT


class Closed(MCPError):
    def __init__(self) -> None:
        super().__init__(code=1, message="closed")


def fail(data: ErrorData):
    try:
        raise MCPError(
                code=-32602,  # invalid
                message="no",
            )
    except MCPError as error:
        if error.error.code == REQUEST_TIMEOUT:
            raise MCPError.from_error_data(data)
        if error.error.code == -32600:
            raise Closed()
`);
  });

  test('another 32600 stays', () => {
    const text = 'PORT = 32600\nif PORT == 32600:\n    pass\n';
    expect(after(text)).toBe(text);
  });
});

describe('metadata of a request', () => {
  const handler = (body: string): string => `from mcp.server.fastmcp import Context, FastMCP

mcp = FastMCP("tides")


@mcp.tool()
async def tide(ctx: Context) -> str:
    ${body}
    return "high"
`;

  test('are read by key', () => {
    expect(after(handler('token = ctx.request_context.meta.progressToken'))).toContain('token = ctx.request_context.meta.get("progress_token")');
  });

  test.each([
    'ctx.request_context.meta.progressToken = "tide-1"',
    'first, ctx.request_context.meta.progressToken = 1, 2',
    'del ctx.request_context.meta.progressToken',
  ])('are marked where they are written: %s', (body) => {
    expect(after(handler(body))).toContain(body);
    expect(marksOf(handler(body))).toEqual(['request-meta']);
  });
});

describe('names that others rely on', () => {
  test('a patched name follows only where its file renames it', () => {
    const { texts } = migrated({
      'ferry/__init__.py': '',
      'ferry/pier.py': 'from mcp.server.fastmcp import FastMCP\n\npier = FastMCP("pier")\n',
      'ferry/quay.py': 'from mcp.server.fastmcp import FastMCP\n\nquay = FastMCP("quay")\n',
      'test_ferry.py': `from unittest.mock import patch


def test_both():
    from ferry.quay import FastMCP

    with patch("ferry.pier.FastMCP"), patch("ferry.quay.FastMCP"):
        assert FastMCP
`,
    });
    expect(texts['ferry/quay.py']).toContain('import MCPServer as FastMCP');
    expect(texts['test_ferry.py']).toContain('patch("ferry.pier.MCPServer"), patch("ferry.quay.FastMCP")');
  });

  test('aliases of types are spelled out, with what they are made of', () => {
    expect(
      after(`from typing import Callable

import mcp.types
from mcp.client.streamable_http import GetSessionIdCallback
from mcp.types import TaskExecutionMode


def berth(call: mcp.types.AnyFunction, mode: TaskExecutionMode, tell: GetSessionIdCallback) -> Callable[[], None]: ...
`),
    ).toBe(`from typing import Callable, Any, Literal

import mcp.types


def berth(call: Callable[..., Any], mode: Literal["forbidden", "optional", "required"], tell: Callable[[], str | None]) -> Callable[[], None]: ...
`);
  });

  test('a path that ends in another module is replaced as a whole', () => {
    expect(
      after(`from mcp.server import fastmcp

waits = fastmcp.tools.base._is_async_callable(fastmcp.FastMCP)
`),
    ).toBe(`from mcp.server import mcpserver
from mcp.shared._callable_inspection import is_async_callable

waits = is_async_callable(mcpserver.MCPServer)
`);
  });

  test('inner parts and classes inside of classes are named', () => {
    expect(
      marksOf(`from mcp import types
from mcp.server.elicitation import _validate_elicitation_schema

meta = types.NotificationParams.Meta(tide="high")
`),
    ).toEqual(['removed-name', 'removed-name']);
    expect(marksOf('from mcp.server import Server\n\nServer._handle_message = None\n')).toEqual(['removed-name']);
    expect(marksOf('from mcp.server.lowlevel.server import request_ctx\n\ntoken = request_ctx.set(1)\nrequest_ctx.reset(token)\n')).toEqual([
      'ambient-context',
    ]);
  });

  test('a stand-in that carries both spellings of a field stays as it is', () => {
    const { texts } = migrated({
      'berth.py': 'from mcp import ClientSession\n\n\nasync def ask(session: ClientSession):\n    return (await session.call_tool("tide")).isError\n',
      'test_berth.py': 'from types import SimpleNamespace\n\none = SimpleNamespace(isError=True)\nboth = SimpleNamespace(is_error=True, isError=True)\n',
    });
    expect(texts['test_berth.py']).toContain('one = SimpleNamespace(is_error=True)\nboth = SimpleNamespace(is_error=True, isError=True)');
  });
});
