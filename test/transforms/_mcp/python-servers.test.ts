import { beforeAll, describe, expect, it } from 'vitest';
import { factsOf, type Fact, type FactType, type Surroundings } from '../../../src/core/index.js';
import { loadParser, parse } from '../../../src/languages/python/index.js';
import { pythonHandMade } from '../../../transforms/_mcp/python/facts/handmade.js';
import { pythonPushes } from '../../../transforms/_mcp/python/facts/pushes.js';
import { pythonServers } from '../../../transforms/_mcp/python/facts/servers.js';

const around: Surroundings = { has: () => false, package: { folder: '.', moduleType: 'commonjs' } };

function read(text: string): readonly Fact[] {
  const { file } = parse('shop.py', text);
  if (!file) throw new Error('the text does not parse');
  const found: Fact[] = [];
  const report = {
    finding: () => undefined,
    gap: () => undefined,
    fact: (fact: Fact) => found.push(fact),
    site: (at: { start: number; end: number }) => file.site(at),
  };
  for (const source of [pythonHandMade, pythonServers, pythonPushes]) source.detect.python?.(file, report, around).end?.();
  return found;
}

const only = <T extends FactType>(text: string, type: T) => factsOf(read(text), type);
const OLD = 'from mcp.server.fastmcp import Context, FastMCP\n';
const NEW = 'from mcp.server.mcpserver import MCPServer\n';

beforeAll(loadParser);

describe('starts of Python servers', () => {
  it.each([
    [
      'an option of the constructor',
      `${OLD}shop = FastMCP("shop", json_response=True)\nshop.run(transport="streamable-http")\n`,
      'streamable-http',
      'minted',
      'on',
    ],
    ['a setting', `${OLD}shop = FastMCP("shop")\nshop.settings.stateless_http = True\nshop.run("streamable-http")\n`, 'streamable-http', 'none', 'off'],
    [
      'an option that is computed',
      `${OLD}shop = FastMCP("shop", stateless_http=flag())\napp = shop.streamable_http_app()\n`,
      'streamable-http',
      'unknown',
      'off',
    ],
    ['no transport named', `${OLD}shop = FastMCP("shop")\nshop.run()\n`, 'stdio', 'none', 'off'],
    ['HTTP+SSE', `${OLD}shop = FastMCP("shop")\nshop.run(transport="sse")\n`, 'sse', 'minted', 'off'],
    [
      'a class of the file',
      `${OLD}class Shop(FastMCP):\n    pass\nshop = Shop("shop", stateless_http=True)\nshop.run("streamable-http")\n`,
      'streamable-http',
      'none',
      'off',
    ],
    [
      'the standalone framework',
      'from fastmcp import FastMCP\nshop = FastMCP("shop")\napp = shop.http_app(stateless_http=True)\n',
      'streamable-http',
      'none',
      'off',
    ],
  ] as const)('%s', (_name, text, kind, sessions, json) => {
    expect(only(text, 'transport').map((fact) => [fact.kind, fact.sessions, fact.jsonResponse])).toEqual([[kind, sessions, json]]);
  });

  it('are an entry of both eras on SDK 2.x, over a transport that serves both by itself', () => {
    const text = `${NEW}shop = MCPServer("shop")\nshop.run(transport="streamable-http", stateless_http=True)\n`;
    expect(only(text, 'transport').map(({ kind, bothEras }) => [kind, bothEras])).toEqual([['streamable-http', true]]);
    expect(only(text, 'era').map(({ what, legacy, serves }) => [what, legacy, serves])).toEqual([['entry', 'stateless', 'http']]);
  });

  it('answer below each mount, at their own path', () => {
    const text = `${OLD}from starlette.routing import Mount\nshop = FastMCP("shop", streamable_http_path="/tools", stateless_http=True)\nroutes = [Mount("/api", app=shop.streamable_http_app())]\n`;
    expect(only(text, 'route').map(({ method, path }) => `${method} ${path ?? ''}`)).toEqual(['POST /api/tools', 'GET /api/tools', 'DELETE /api/tools']);
    expect(only(`${OLD}FastMCP("shop").run("streamable-http")\n`, 'route').map(({ method, path }) => `${method} ${path ?? ''}`)).toEqual([
      'POST /mcp',
      'GET /mcp',
      'DELETE /mcp',
    ]);
  });

  it('of HTTP+SSE have a stream and a path for messages, both below each mount', () => {
    const high = `${OLD}from starlette.routing import Mount\nshop = FastMCP("shop")\nroutes = [Mount("/shop", app=shop.sse_app())]\n`;
    expect(only(high, 'route').map(({ method, path }) => `${method} ${path ?? ''}`)).toEqual(['GET /shop/sse', 'POST /shop/messages']);
    const low = `from mcp.server.sse import SseServerTransport\nfrom starlette.routing import Route\ninbox = SseServerTransport("/inbox/")\nasync def listen(request):\n    async with inbox.connect_sse(request.scope, request.receive, request._send) as streams:\n        await app.run(*streams)\nroutes = [Route("/events", endpoint=listen)]\n`;
    expect(only(low, 'route').map(({ method, path }) => `${method} ${path ?? ''}`)).toEqual(['POST /inbox/', 'GET /events']);
  });

  it('of a function that builds them are its servers, over the transport that is asked for, at a path that has a name', () => {
    const text =
      'from fastmcp import FastMCP\ndef build():\n    shop = FastMCP("shop", stateless_http=True)\n    return shop\nasync def main(path):\n    shop = build()\n    await shop.run_http_async(path=path)\n    await shop.run_http_async(path=path, transport="sse")\n';
    expect(only(text, 'transport').map(({ kind }) => kind)).toEqual(['streamable-http', 'sse']);
    expect(only(text, 'route').map(({ method, expression, path, handler }) => [method, expression ?? path, handler?.name])).toEqual([
      ['POST', 'path', 'build'],
      ['GET', 'path', 'build'],
      ['DELETE', 'path', 'build'],
      ['GET', 'path (SSE)', 'build'],
      ['POST', '/messages/', 'build'],
    ]);
    expect(only(text, 'call').map(({ from, to }) => [from?.name, to.name])).toContainEqual(['main', 'build']);
  });

  it('are public only by a literal address', () => {
    const exposure = (host: string): readonly string[] =>
      only(`${OLD}shop = FastMCP("shop", host=${host})\nshop.run("streamable-http")\n`, 'listen').map((fact) => fact.exposure);
    expect([exposure('"0.0.0.0"'), exposure('"127.0.0.1"'), exposure('address()')]).toEqual([['public'], ['loopback'], ['unknown']]);
  });

  it('lead to the handlers that are registered with them, and to what these push', () => {
    const text = `${OLD}shop = FastMCP("shop")\n\n@shop.tool()\nasync def sell(ctx: Context) -> str:\n    await ctx.info("sold")\n    return "ok"\n`;
    expect(only(text, 'call').map(({ from, to }) => [from?.name, to.name])).toEqual([['shop', 'sell']]);
    expect(only(text, 'push').map(({ what, within }) => [what, within?.name])).toEqual([['logging', 'sell']]);
  });

  it('are none where a session, a database or a web framework is run', () => {
    const text = `${OLD}import typer\ncli = typer.Typer()\ncli.run(transport="sse")\nasync def enter(app):\n    async with app.run() as inner:\n        return inner\n`;
    expect(only(text, 'transport')).toEqual([]);
  });
});

describe('servers and clients that are made by hand', () => {
  const tells = (indent: string): string =>
    ['method = message.get("method")', 'if method == "initialize":', '    return hello()', 'if method == "tools/list":', '    return {"tools": TOOLS}']
      .map((line) => `${indent}${line}\n`)
      .join('');

  it('a loop over standard input that answers initialize and tools/list is a stdio server', () => {
    const loop = `import json, sys\ndef answer(message):\n${tells('    ')}def main():\n    for line in sys.stdin:\n        print(json.dumps(answer(json.loads(line))))\n`;
    expect(only(loop, 'transport').map(({ kind, site, within }) => [kind, site.line, within?.name])).toEqual([['stdio', 9, 'main']]);
    expect(only(loop, 'client')).toEqual([]);
  });

  it('a route whose function leads to where methods are told apart is an endpoint', () => {
    const web = `from fastapi import FastAPI\napp = FastAPI()\ndef answer(message):\n${tells('    ')}@app.post("/rpc")\nasync def rpc(message: dict):\n    return answer(message)\n@app.get("/health")\ndef health():\n    return {}\n`;
    expect(only(web, 'route').map(({ method, path }) => `${method} ${path ?? ''}`)).toEqual(['POST /rpc', 'GET /health']);
    expect(only(web, 'dispatch').map(({ within }) => within?.name)).toEqual(['answer']);
    expect(only(web, 'call').some(({ from, to }) => from?.name === 'rpc' && to.name === 'answer')).toBe(true);
  });

  it('a handshake that is built and sent is a client, with the session id that it keeps', () => {
    const scanner = `def scan(url):\n    answer = post(url, json_request("initialize", {"protocolVersion": "2025-06-18"}))\n    session = answer.headers.get("Mcp-Session-Id")\n    post(url, json_request("tools/list", {}), session)\n`;
    expect(only(scanner, 'client').map(({ what, site }) => [what, site.line])).toEqual([
      ['handshake', 2],
      ['session-id', 3],
    ]);
    expect(only(scanner, 'transport')).toEqual([]);
  });

  it.each([
    [
      'a language server',
      'import sys\ndef answer(message):\n    if message["method"] == "initialize":\n        return {}\n    if message["method"] == "textDocument/hover":\n        return {}\nfor line in sys.stdin:\n    answer(line)\n',
    ],
    ['a filter for lines', 'import sys\nREFUSED = ["initialize", "tools/list"]\nfor line in sys.stdin:\n    print(line)\n'],
  ])('%s is none', (_name, text) => {
    expect(read(text)).toEqual([]);
  });
});
