import { describe, expect, test } from 'vitest';
import { after, marked, marksOf } from './given.js';

const HEAD = `from datetime import timedelta
from typing import Any

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

`;

describe('clients', () => {
  test('options of the HTTP client, its two streams, and time limits', () => {
    expect(
      after(`${HEAD}
async def visit(url, headers):
    async with streamablehttp_client(url, headers=headers, timeout=timedelta(seconds=5)) as (read, write, _):
        async with ClientSession(read, write, timedelta(minutes=1)) as session:
            await session.call_tool("a", {}, read_timeout_seconds=timedelta(milliseconds=250))
            return session.get_server_capabilities()
`).slice(HEAD.length),
    ).toBe(
      `import httpx2


async def visit(url, headers):
    async with httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(5, read=300), follow_redirects=True) as http_client, streamable_http_client(url, http_client=http_client) as (read, write):
        async with ClientSession(read, write, 60) as session:
            await session.call_tool("a", {}, read_timeout_seconds=0.25)
            return session.server_capabilities
`,
    );
  });

  test('a limit that may be a number or a timedelta', () => {
    const text = `${HEAD}
async def visit(session: ClientSession, limit: float | timedelta | None = 5):
    timeout = None
    if isinstance(limit, float):
        timeout = timedelta(seconds=limit)
    elif isinstance(limit, timedelta):
        timeout = limit
    return await session.call_tool("a", {}, read_timeout_seconds=timeout)
`;
    const once = after(text);
    expect(once).toContain('timeout = timedelta(seconds=limit).total_seconds()');
    expect(marked(text)).toMatch(/elif isinstance\(limit, timedelta\):\n {8}# TODO\(unsession\) sdk-v1-python\/timeout-value: [^\n]*\n {8}timeout = limit/);
    expect(after(once)).toBe(once);
  });

  test('a callback of the authorization is rewritten once, and left alone by the next run', () => {
    const provider = `from mcp.client.auth import OAuthClientProvider


async def wait_for_code() -> tuple[str, str | None]:
    return "code", None


provider = OAuthClientProvider("https://desk.test", metadata, storage, redirect, callback_handler=wait_for_code)
`;
    const once = after(provider);
    expect(once).toContain('async def wait_for_code() -> AuthorizationCodeResult:');
    expect(once).toContain('return AuthorizationCodeResult(code="code", state=None)');
    expect(after(once)).toBe(once);
    expect(marksOf(once)).toEqual([]);
  });

  test('through an exit stack', () => {
    const result = after(`${HEAD}
async def visit(stack, url, auth):
    read, write, _ = await stack.enter_async_context(streamablehttp_client(url, auth=auth))
    return read, write
`);
    expect(result).toContain(
      'read, write = await stack.enter_async_context(streamable_http_client(url, http_client=await stack.enter_async_context(httpx2.AsyncClient(timeout=httpx2.Timeout(30, read=300), auth=auth, follow_redirects=True))))',
    );
  });

  test('the third value that is used is marked', () => {
    expect(marksOf(`${HEAD}\nasync def visit(url):\n    async with streamablehttp_client(url) as (read, write, sid):\n        print(sid())\n`)).toEqual([
      'client-transport',
    ]);
  });

  test('paging, fields and dumps of what a session answers', () => {
    const result = after(`${HEAD}
async def visit(session: ClientSession):
    page = await session.list_tools(cursor=None)
    for tool in page.tools:
        print(tool.inputSchema, getattr(tool.annotations, "readOnlyHint", False))
    result = await session.call_tool("a", {})
    if getattr(result, "isError", False):
        return result.model_dump()
    return result.structuredContent
`);
    for (const part of [
      'list_tools(params=PaginatedRequestParams(cursor=None))',
      'print(tool.input_schema, getattr(tool.annotations, "read_only_hint", False))',
      'getattr(result, "is_error", False)',
      'result.model_dump(by_alias=True)',
      'return result.structured_content',
    ])
      expect(result).toContain(part);
  });

  test('objects that nobody can name are marked, and keep their names', () => {
    const text = `${HEAD}
def show(thing: Any):
    return thing.inputSchema
`;
    expect(after(text)).toContain('return thing.inputSchema');
    expect(marksOf(text)).toEqual(['camel-read']);
  });

  test('fields of own classes stay', () => {
    expect(
      after(`${HEAD}
class Answer:
    isError: bool = False


def bad(answer: Answer):
    return answer.isError
`),
    ).toContain('return answer.isError');
  });

  test('the link in memory hands out a session as before', () => {
    expect(
      after(`from mcp.server.fastmcp import FastMCP
from mcp.shared.memory import create_connected_server_and_client_session as linked

app = FastMCP("a")


async def test_it(check):
    async with linked(app._mcp_server, raise_exceptions=True) as session:
        check(session)
    async with linked(app._mcp_server) as session:
        await session.call_tool("a", {})
`),
    ).toBe(`from mcp.server.mcpserver import MCPServer
from mcp.client import Client

app = MCPServer("a")


async def test_it(check):
    async with Client(app, mode="legacy", raise_exceptions=True) as session_client:
        session = session_client.session
        check(session)
    async with Client(app, mode="legacy") as session:
        await session.call_tool("a", {})
`);
  });
});
