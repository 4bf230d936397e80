import { describe, expect, it } from 'vitest';
import { factsOfType } from './facts-kit.js';

const reads = (text: string, path?: string): readonly string[] => factsOfType('key-use', text, path).map(({ source, category }) => `${source}/${category}`);

describe('reads of the session header', () => {
  it.each([
    ['index of the headers', "const id = req.headers['mcp-session-id'];"],
    ['another letter case', "const id = req.headers['Mcp-Session-Id'.toLowerCase()] as string | undefined;"],
    ['req.header()', "const id = req.header('Mcp-Session-Id');"],
    ['req.get()', "const id = req.get('mcp-session-id');"],
    ['headers.get()', "const id = request.headers.get('mcp-session-id');"],
    ['destructuring', "const { 'mcp-session-id': id } = req.headers;"],
    ['computed destructuring', "const NAME = 'mcp-session-id'; const { [NAME]: id } = req.headers;"],
    ['a constant', "const NAME = 'mcp-session-id'; const id = req.headers[NAME];"],
    ['a constant in another case', "const NAME = 'Mcp-Session-Id'.toLowerCase(); const id = req.headers[NAME];"],
    ['a member of a constant', "const HEADERS = { session: 'mcp-session-id' } as const; const id = req.get(HEADERS.session);"],
    ['an enum', "enum Header { Session = 'mcp-session-id' } const id = req.get(Header.Session);"],
    ['a template', 'const id = req.get(`mcp-session-id`);'],
    ['an imported constant that is called so', "import { SESSION_HEADER } from './headers.js'; const id = req.headers[SESSION_HEADER];"],
    ['a helper', "const id = firstHeader(req, 'mcp-session-id');"],
  ])('%s', (_name, text) => {
    expect(reads(`declare const req: any; declare const request: Request; declare function firstHeader(...a: unknown[]): string;\n${text}`)).toContain(
      'header/transport',
    );
  });

  it.each([
    ['a write', "res.headers['mcp-session-id'] = id;"],
    ['a setter', "res.setHeader('mcp-session-id', id);"],
    ['an allow-list', "const list = ['mcp-session-id'];"],
    ['the session of a product', "const id = req.headers['x-session-id'];"],
    ['an answer', "const id = response.headers.get('mcp-session-id');"],
  ])('%s is none', (_name, text) => {
    expect(reads(`declare const req: any, res: any, response: Response, id: string;\n${text}`)).not.toContain('header/transport');
  });

  it('tells a log from a use', () => {
    expect(reads("declare const req: any;\nconsole.log('request of', req.headers['mcp-session-id']);")).toEqual(['header/telemetry']);
  });
});

const V1 = "import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';\n";
const stores = (text: string): readonly string[] =>
  factsOfType('store', V1 + text).map(
    ({ symbol, form, holds, written, cleaned }) => `${symbol.name} ${form} ${holds}${written ? ' written' : ''}${cleaned ? ' cleaned' : ''}`,
  );

describe('stores of sessions', () => {
  it.each([
    ['a map', 'const open = new Map<string, StreamableHTTPServerTransport>();', 'open map transport'],
    ['a record', 'const open: Record<string, StreamableHTTPServerTransport> = {};', 'open object transport'],
    ['an index signature', 'const open: { [id: string]: StreamableHTTPServerTransport } = {};', 'open object transport'],
    [
      'entries with more in them',
      'interface Entry { transport: StreamableHTTPServerTransport; since: number }\nconst open = new Map<string, Entry>();',
      'open map transport',
    ],
    ['a cache', "import { LRUCache } from 'lru-cache';\nconst open = new LRUCache<string, StreamableHTTPServerTransport>({ max: 9 });", 'open map transport'],
    ['a field', 'class Desk { private open = new Map<string, StreamableHTTPServerTransport>(); }', 'Desk.open map transport'],
    ['one slot', 'let only: StreamableHTTPServerTransport | undefined;', 'only slot transport'],
    [
      'an object without a type',
      "const open = {};\nexport const add = (req: any) => { const t = new StreamableHTTPServerTransport({}); open[req.headers['mcp-session-id']] = t; };",
      'open object transport written',
    ],
    [
      'state by session',
      "const carts = new Map();\nexport const add = (req: any) => { carts.set(req.get('mcp-session-id'), { items: [] }); };",
      'carts map state written',
    ],
  ])('%s', (_name, text, expected) => {
    expect(stores(text)).toEqual([expected]);
  });

  it('sees entries that go', () => {
    expect(
      stores("const open: Record<string, StreamableHTTPServerTransport> = {};\nexport const drop = (req: any) => { delete open[req.get('mcp-session-id')]; };"),
    ).toEqual(['open object transport cleaned']);
  });
});

describe('transports', () => {
  const sessions = (options: string): string | undefined => factsOfType('transport', `${V1}declare const randomUUID: () => string;\n${options}`)[0]?.sessions;
  it.each([
    ['a generator', 'new StreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID() });', 'minted'],
    ['a function by name', 'new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });', 'minted'],
    ['a method', 'new StreamableHTTPServerTransport({ sessionIdGenerator() { return randomUUID(); } });', 'minted'],
    ['options in a constant', 'const options = { sessionIdGenerator: randomUUID };\nnew StreamableHTTPServerTransport(options);', 'minted'],
    ['spread options', 'const base = { sessionIdGenerator: randomUUID };\nnew StreamableHTTPServerTransport({ ...base, enableJsonResponse: true });', 'minted'],
    ['undefined', 'new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });', 'none'],
    ['no generator', 'new StreamableHTTPServerTransport({});', 'none'],
    ['options from elsewhere', "import { options } from './options.js';\nnew StreamableHTTPServerTransport(options);", 'unknown'],
  ])('%s', (_name, text, expected) => {
    expect(sessions(text)).toBe(expected);
  });

  it('is told by import provenance, not by name', () => {
    expect(factsOfType('transport', 'class StreamableHTTPServerTransport {}\nnew StreamableHTTPServerTransport();')).toEqual([]);
    expect(
      factsOfType('transport', "import { StreamableHTTPServerTransport as T } from '@modelcontextprotocol/sdk/server/streamableHttp.js';\nnew T({});"),
    ).toHaveLength(1);
    expect(
      factsOfType(
        'transport',
        "const { NodeStreamableHTTPServerTransport } = require('@modelcontextprotocol/node');\nnew NodeStreamableHTTPServerTransport({});",
        'a.cjs',
      ),
    ).toHaveLength(1);
  });
});

describe('servers', () => {
  const SERVER = "import { McpServer } from '@modelcontextprotocol/server';\n";
  it('knows factories and what they do beside building', () => {
    const [factory] = factsOfType(
      'factory',
      `${SERVER}export function make() { const server = new McpServer({ name: 'a', version: '1' }); setInterval(() => server.close(), 9); return server; }`,
    );
    expect(factory).toMatchObject({ returns: 'server', parameters: 0 });
    expect(factory?.effects).toHaveLength(1);
  });

  it('tells a server of the process from one of the request', () => {
    const text = `${SERVER}import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
const one = new McpServer({ name: 'a', version: '1' });
export async function serve() {
  await one.connect(new NodeStreamableHTTPServerTransport({}));
  await new McpServer({ name: 'b', version: '1' }).connect(new NodeStreamableHTTPServerTransport({}));
}`;
    expect(factsOfType('connect', text).map(({ origin }) => origin)).toEqual(['shared', 'fresh']);
  });
});
