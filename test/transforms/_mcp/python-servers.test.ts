import { beforeAll, describe, expect, it } from 'vitest';
import { factsOf, type Fact, type FactType, type Surroundings } from '../../../src/core/index.js';
import { loadParser, parse } from '../../../src/languages/python/index.js';
import { pythonPushes } from '../../../transforms/_mcp/python/facts/pushes.js';
import { pythonServers } from '../../../transforms/_mcp/python/facts/servers.js';

const around: Surroundings = { has: () => false, package: { folder: '.', moduleType: 'commonjs' } };

function read(text: string): readonly Fact[] {
  const { file } = parse('shop.py', text);
  if (!file) throw new Error('the text does not parse');
  const found: Fact[] = [];
  const report = { finding: () => undefined, fact: (fact: Fact) => found.push(fact), site: (at: { start: number; end: number }) => file.site(at) };
  for (const source of [pythonServers, pythonPushes]) source.detect.python?.(file, report, around).end?.();
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

  it('are an entry of both eras on SDK 2.x, and no transport', () => {
    const text = `${NEW}shop = MCPServer("shop")\nshop.run(transport="streamable-http", stateless_http=True)\n`;
    expect(only(text, 'transport')).toEqual([]);
    expect(only(text, 'era').map(({ what, legacy, serves }) => [what, legacy, serves])).toEqual([['entry', 'stateless', 'http']]);
  });

  it('answer below each mount, at their own path', () => {
    const text = `${OLD}from starlette.routing import Mount\nshop = FastMCP("shop", streamable_http_path="/tools", stateless_http=True)\nroutes = [Mount("/api", app=shop.streamable_http_app())]\n`;
    expect(only(text, 'route').map(({ method, path }) => `${method} ${path ?? ''}`)).toEqual(['POST /api/tools']);
    expect(only(`${OLD}FastMCP("shop").run("streamable-http")\n`, 'route').map(({ method, path }) => `${method} ${path ?? ''}`)).toEqual([
      'POST /mcp',
      'GET /mcp',
      'DELETE /mcp',
    ]);
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
