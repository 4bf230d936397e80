import { describe, expect, it } from 'vitest';
import { instanceOrigin, moduleRequests, originOf } from '../../../src/languages/typescript/index.js';
import { given, node } from './given.js';

/** `module#name (via)` of the last node written as `text`. */
function origin(source: string, text: string, path?: string): string | undefined {
  const file = given(source, path);
  const found = originOf(node(file, text), file);
  return found && `${found.module}#${found.name} ${found.via}`;
}

const MCP = '@modelcontextprotocol/sdk/server/mcp.js';

describe('originOf', () => {
  it.each([
    ['named', `import { McpServer } from '${MCP}'; McpServer;`, 'McpServer', `${MCP}#McpServer import`],
    ['aliased', `import { McpServer as S } from '${MCP}'; S;`, 'S', `${MCP}#McpServer import`],
    ['string-named', `import { 'McpServer' as S } from '${MCP}'; S;`, 'S', `${MCP}#McpServer import`],
    ['default', `import express from 'express'; express;`, 'express', 'express#default import'],
    ['member of a default', `import express from 'express'; express.Router;`, 'express.Router', 'express#Router import'],
    ['namespace member', `import * as sdk from '${MCP}'; sdk.McpServer;`, 'sdk.McpServer', `${MCP}#McpServer import`],
    ['namespace element', `import * as sdk from '${MCP}'; sdk['McpServer'];`, "sdk['McpServer']", `${MCP}#McpServer import`],
    ['type-only', `import type { McpServer } from '${MCP}'; let a: McpServer;`, 'McpServer', `${MCP}#McpServer type`],
    ['inline type', `import { type McpServer } from '${MCP}'; let a: McpServer;`, 'McpServer', `${MCP}#McpServer type`],
    ['namespace type', `import * as sdk from '${MCP}'; let a: sdk.McpServer;`, 'sdk.McpServer', `${MCP}#McpServer import`],
    ['import type', `let a: import('${MCP}').McpServer;`, `import('${MCP}').McpServer`, `${MCP}#McpServer type`],
    ['import equals', `import sdk = require('${MCP}'); sdk.McpServer;`, 'sdk.McpServer', `${MCP}#McpServer require`],
    ['import alias', `import * as sdk from '${MCP}'; import S = sdk.McpServer; S;`, 'S', `${MCP}#McpServer import`],
    ['require', `const sdk = require('${MCP}'); sdk.McpServer;`, 'sdk.McpServer', `${MCP}#McpServer require`],
    ['require member', `const S = require('${MCP}').McpServer; S;`, 'S', `${MCP}#McpServer require`],
    ['require pattern', `const { McpServer: S } = require('${MCP}'); S;`, 'S', `${MCP}#McpServer require`],
    ['later property', `const sdk = require('${MCP}'); const S = sdk.McpServer; S;`, 'S', `${MCP}#McpServer require`],
    ['later pattern', `const sdk = require('${MCP}'); const { McpServer } = sdk; McpServer;`, 'McpServer', `${MCP}#McpServer require`],
    ['nested pattern of a default', `const { default: { McpServer } } = require('${MCP}'); McpServer;`, 'McpServer', `${MCP}#McpServer require`],
    [
      'createRequire',
      `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); const { McpServer } = require('${MCP}'); McpServer;`,
      'McpServer',
      `${MCP}#McpServer require`,
    ],
    [
      'createRequire, renamed',
      `import { createRequire as make } from 'module'; const load = make(import.meta.url); load('${MCP}').McpServer;`,
      `load('${MCP}').McpServer`,
      `${MCP}#McpServer require`,
    ],
    ['dynamic', `const { McpServer } = await import('${MCP}'); McpServer;`, 'McpServer', `${MCP}#McpServer dynamic`],
    ['dynamic member', `const S = (await import('${MCP}')).McpServer; S;`, 'S', `${MCP}#McpServer dynamic`],
    ['dynamic then pattern', `import('${MCP}').then(({ McpServer }) => McpServer);`, 'McpServer', `${MCP}#McpServer dynamic`],
    ['dynamic then parameter', `import('${MCP}').then((m) => new m.McpServer());`, 'm.McpServer', `${MCP}#McpServer dynamic`],
    ['dynamic then value', `const S = await import('${MCP}').then((m) => m.McpServer); S;`, 'S', `${MCP}#McpServer dynamic`],
    ['Promise.all', `const [{ z }, { McpServer }] = await Promise.all([import('zod'), import('${MCP}')]); McpServer;`, 'McpServer', `${MCP}#McpServer dynamic`],
    ['assigned once', `let sdk; async function load() { sdk = await import('${MCP}'); } sdk.McpServer;`, 'sdk.McpServer', `${MCP}#McpServer dynamic`],
    [
      'folded specifier',
      `const PKG = '@modelcontextprotocol/sdk'; const { McpServer } = require(PKG + '/server/mcp.js'); McpServer;`,
      'McpServer',
      `${MCP}#McpServer require`,
    ],
    ['TypeScript output', `const mcp_js_1 = require("${MCP}"); const s = new mcp_js_1.McpServer();`, 'mcp_js_1.McpServer', `${MCP}#McpServer require`],
    [
      'indirect call',
      `const types_js_1 = require("x"); (0, types_js_1.isInitializeRequest)(body);`,
      '(0, types_js_1.isInitializeRequest)',
      'x#isInitializeRequest require',
    ],
    ['__importDefault', `const express_1 = __importDefault(require("express")); (0, express_1.default)();`, 'express_1.default', 'express#default require'],
    ['tslib', `const express_1 = tslib_1.__importDefault(require("express")); express_1.default.json;`, 'express_1.default.json', 'express#json require'],
    ['__importStar', `const z = __importStar(require("zod")); z.object;`, 'z.object', 'zod#object require'],
    ['Babel', `var _sdk = _interopRequireDefault(require("x")); new _sdk.default();`, '_sdk.default', 'x#default require'],
    ['esbuild', `var import_mcp = __toESM(require("${MCP}"), 1); new import_mcp.McpServer();`, 'import_mcp.McpServer', `${MCP}#McpServer require`],
    ['cast', `import * as sdk from '${MCP}'; const S = (sdk as any).McpServer!; S;`, 'S', `${MCP}#McpServer import`],
  ])('%s', (_, source, text, expected) => {
    expect(origin(source, text)).toBe(expected);
  });

  it.each([
    ['shadowed by a parameter', `import { McpServer } from '${MCP}'; function f(McpServer) { return McpServer; }`, 'McpServer'],
    ['a foreign require', `function load(require) { return require('${MCP}').McpServer; }`, `require('${MCP}').McpServer`],
    ['reassigned', `let S = require('${MCP}').McpServer; S = Mock; S;`, 'S'],
    ['assigned twice', `let sdk; sdk = require('a'); sdk = require('b'); sdk.McpServer;`, 'sdk.McpServer'],
    ['a member of a named import', `import { ErrorCode } from 'x'; ErrorCode.InvalidRequest;`, 'ErrorCode.InvalidRequest'],
    ['a rest', `const { a, ...rest } = require('x'); rest;`, 'rest'],
    ['a property of the same name', `import { McpServer } from '${MCP}'; other.McpServer;`, 'other.McpServer'],
    ['circular', 'const a = b; const b = a; a;', 'a'],
    ['a type in value space', `import { Cart } from 'x'; { type Cart = 1; let a: Cart; }`, 'Cart'],
    ['an unknown specifier', `const { McpServer } = require(name); McpServer;`, 'McpServer'],
  ])('nothing for %s', (_, source, text) => {
    expect(origin(source, text)).toBeUndefined();
  });

  it('survives a block that shadows only inside', () => {
    expect(origin(`import { McpServer } from '${MCP}'; { const McpServer = 1; } McpServer;`, 'McpServer')).toBe(`${MCP}#McpServer import`);
  });
});

describe('instanceOrigin', () => {
  const T = `import { StreamableHTTPServerTransport } from 'sdk';\n`;
  it.each([
    ['new', 'const t = new StreamableHTTPServerTransport(); t;', 't'],
    ['annotation', 'function f(t: StreamableHTTPServerTransport | undefined) { t; }', 't'],
    ['late assignment', 'let t; if (a) { t = new StreamableHTTPServerTransport(); } t;', 't'],
    ['subclass', 'class Mine extends StreamableHTTPServerTransport {} const t = new Mine(); t;', 't'],
    ['record', 'const ts: Record<string, StreamableHTTPServerTransport> = {}; ts[id];', 'ts[id]'],
    ['index signature', 'const ts: { [id: string]: StreamableHTTPServerTransport } = {}; const t = ts[id]; t;', 't'],
    ['map', 'const ts = new Map<string, StreamableHTTPServerTransport>(); const t = ts.get(id); t;', 't'],
    ['map of entries', 'const ts = new Map<string, { transport: StreamableHTTPServerTransport }>(); ts.get(id)!.transport;', 'ts.get(id)!.transport'],
    [
      'entry variable',
      'interface Entry { transport: StreamableHTTPServerTransport } const ts = new Map<string, Entry>(); const e = ts.get(id); e.transport;',
      'e.transport',
    ],
    ['untyped object', 'const ts = {}; ts[id] = new StreamableHTTPServerTransport(); ts[other];', 'ts[other]'],
    ['untyped map', 'const ts = new Map(); const t = new StreamableHTTPServerTransport(); ts.set(id, t); ts.get(x);', 'ts.get(x)'],
    ['field', 'class A { private t: StreamableHTTPServerTransport; run() { this.t; } }', 'this.t'],
    ['field assigned', 'class A { constructor() { this.t = new StreamableHTTPServerTransport(); } run() { this.t; } }', 'this.t'],
    ['field empty at first', 'class A { t = null; open() { this.t = new StreamableHTTPServerTransport(); } run() { this.t; } }', 'this.t'],
    ['field emptied again', 'class A { open() { this.t = new StreamableHTTPServerTransport(); } run() { this.t; } close() { this.t = undefined; } }', 'this.t'],
    [
      'field given in the same function',
      'class A { other() { this.t = make(); } run() { if (x) { this.t = new StreamableHTTPServerTransport(); this.t; } } }',
      'this.t',
    ],
    ['parameter property', 'class A { constructor(private readonly t: StreamableHTTPServerTransport) {} run() { this.t; } }', 'this.t'],
    ['factory', 'function make() { const t = new StreamableHTTPServerTransport(); return t; } const t = make(); t;', 't'],
    [
      'wrapped factory',
      'const make = async () => ({ transport: new StreamableHTTPServerTransport() }); const { transport } = await make(); transport;',
      'transport',
    ],
    ['loop', 'const ts = new Map<string, StreamableHTTPServerTransport>(); for (const t of ts.values()) t;', 't'],
    ['cast', 'const t = x as StreamableHTTPServerTransport; t;', 't'],
    ['promise', 'async function f(): Promise<StreamableHTTPServerTransport> {} const t = await f(); t;', 't'],
    ['either', 'const t = ts.get(x) ?? new StreamableHTTPServerTransport(); t;', 't'],
  ])('%s', (_, source, text) => {
    const file = given(T + source);
    expect(instanceOrigin(node(file, text), file)).toMatchObject({ module: 'sdk', name: 'StreamableHTTPServerTransport' });
  });
  it('nothing for an unknown value', () => {
    const file = given(`${T}const t = get(); t;`);
    expect(instanceOrigin(node(file, 't'), file)).toBeUndefined();
  });
  it('nothing for a field that is given values of several kinds elsewhere', () => {
    const file = given(`${T}class A { t = null; open() { this.t = new StreamableHTTPServerTransport(); } other() { this.t = make(); } run() { this.t; } }`);
    expect(instanceOrigin(node(file, 'this.t'), file)).toBeUndefined();
  });
});

describe('moduleRequests', () => {
  it('finds every form, in order', () => {
    const file = given(
      `import 'a';
import b, { c as d, type E } from 'b';
import type { F } from 'f';
import { type G } from 'g';
import * as h from 'h';
export { i as j } from 'i';
export * from 'k';
const { l, m: n } = require('l');
const o = (await import('o')).p;
import('q').then(({ r }) => r);
vi.mock('s', () => ({}));
jest.requireActual('t');
require.resolve('u');
import.meta.resolve('v');
let w: import('w').X.Y;
import y = require('y');
declare module 'z' {}
const x_1 = __importStar(require('x'));
notRequire('no'); function load(require) { require('no'); } const text = "require('no')";
`,
    );
    expect(moduleRequests(file).map(({ specifier, form, names, typeOnly }) => `${specifier} ${form} ${names.join(',')}${typeOnly ? ' type' : ''}`)).toEqual([
      'a import ',
      'b import default,c,E',
      'f type F type',
      'g type G type',
      'h import *',
      'i reexport i',
      'k reexport *',
      'l require l,m',
      'o dynamic p',
      'q dynamic r',
      's mock ',
      't mock ',
      'u resolve ',
      'v resolve ',
      'w type X type',
      'y require *',
      'z type  type',
      'x require *',
    ]);
  });
});
