import { describe, expect, it } from 'vitest';
import { Inventory, keyOf, type Fact, type FactOf, type Role, type SymbolRef } from '../../src/core/index.js';
import { link, type LinkContext } from '../../src/engine/link/link.js';
import { joinPaths } from '../../src/engine/link/routes.js';
import { at, edge, ref } from './kit.js';

const context = (roles: Readonly<Record<string, Role>> = {}): LinkContext => ({
  packages: ['.', 'packages/pier'].map((folder) => ({
    folder,
    name: undefined,
    manifest: `${folder}/package.json`,
    moduleType: 'module' as const,
    candidate: true,
  })),
  packageOf: (file) => (file.startsWith('packages/pier/') ? 'packages/pier' : '.'),
  roleOf: (file) => roles[file] ?? 'source',
});

const route = (method: string, path: string | undefined, handler: SymbolRef | undefined, more: Partial<FactOf<'route'>> = {}): FactOf<'route'> => ({
  type: 'route',
  site: at(more.app?.file ?? 'src/app.ts', 100 + method.length * 10),
  host: 'express',
  method,
  ...(path === undefined ? {} : { path }),
  ...(handler ? { handler } : {}),
  middleware: [],
  parser: 'before',
  ...more,
});
const transport = (within: SymbolRef | undefined, more: Partial<FactOf<'transport'>> = {}): FactOf<'transport'> => ({
  type: 'transport',
  site: at(within?.file ?? 'src/app.ts', 300),
  ...(within ? { within } : {}),
  kind: 'streamable-http',
  className: 'Sluice',
  sessions: 'minted',
  jsonResponse: 'off',
  eventStore: false,
  hooks: [],
  ...more,
});
const dispatch = (within: SymbolRef): Fact => ({ type: 'dispatch', site: at(within.file, 320), within, body: 'parsed' });
const app = ref('src/app.ts', 'app');

describe('endpoints', () => {
  it('are guarded by what stands before their own path, on their router or on the application above it', () => {
    const router = ref('src/app.ts', 'router');
    const handler = ref('src/app.ts', 'gate');
    const guarded = (more: Partial<FactOf<'guard'>>): number =>
      link(
        [
          route('POST', '/gate', handler, { app: router }),
          transport(handler),
          { type: 'app', site: at('src/app.ts', 10), host: 'express', symbol: router, root: app, prefix: '/' },
          { type: 'guard', site: at('src/app.ts', 50), what: 'authentication', app, allows: [], ...more },
        ],
        context(),
      ).inventory.endpoints[0]?.authentication.length ?? -1;
    expect([guarded({}), guarded({ path: '/gate' }), guarded({ path: '/ga' }), guarded({ path: '/admin' })]).toEqual([1, 1, 0, 0]);
  });

  it('joins the routes of one path over files, from handler to transport', () => {
    const post = ref('src/handlers.ts', 'openGate');
    const open = ref('src/gate.ts', 'createGate');
    const remove = ref('src/handlers.ts', 'closeGate');
    const facts: readonly Fact[] = [
      route('POST', '/gate', post, { app }),
      route('DELETE', '/gate', remove, { app, parser: 'none' }),
      route('GET', '/health', ref('src/app.ts', 'health'), { app, site: at('src/app.ts', 700) }),
      edge(post, open),
      transport(open, { hooks: ['onsessionclosed'] }),
      dispatch(post),
      { type: 'store', site: at('src/gate.ts', 10), symbol: ref('src/gate.ts', 'gates'), form: 'map', holds: 'transport', written: true, cleaned: false },
      { type: 'key-use', site: at('src/handlers.ts', 40), within: remove, source: 'header', category: 'transport', store: ref('src/gate.ts', 'gates') },
      { type: 'listen', site: at('src/app.ts', 900), host: 'express', app, exposure: 'public', port: '3000' },
      { type: 'guard', site: at('src/app.ts', 50), what: 'authentication', app, allows: [] },
      { type: 'guard', site: at('src/app.ts', 60), what: 'origin', app, allows: ['*'] },
    ];
    const { inventory } = link(facts, context());
    expect(Inventory.parse(inventory)).toEqual(inventory);
    expect(inventory.endpoints).toHaveLength(1);
    expect(inventory.endpoints[0]).toMatchObject({
      id: '/gate',
      transport: 'streamable-http',
      methods: ['DELETE', 'POST'],
      sessions: 'minted',
      hooks: ['onsessionclosed'],
      parser: 'before',
      exposure: 'public',
      era: 'legacy',
    });
    expect(inventory.endpoints[0]?.stores.map(keyOf)).toEqual(['src/gate.ts#gates']);
    expect(inventory.endpoints[0]?.authentication).toHaveLength(1);
    expect(inventory.endpoints[0]?.originPolicy).toEqual([]);
  });

  it('joins a router that another file mounts, through two mounts', () => {
    const router = ref('packages/pier/src/router.ts', 'router');
    const api = ref('packages/pier/src/api.ts', 'api');
    const main = ref('packages/pier/src/main.ts', 'app');
    const handler = ref('packages/pier/src/router.ts', 'serve');
    const facts = [
      route('POST', '/', handler, { app: router, site: at(router.file, 10) }),
      route('ALL', '/gate', router, { app: api, site: at(api.file, 10) }),
      route('ALL', '/api', api, { app: main, site: at(main.file, 10) }),
      transport(handler),
      { type: 'listen', site: at(main.file, 90), host: 'express', app: main, exposure: 'loopback' } satisfies Fact,
    ];
    const { inventory } = link(facts, context());
    expect(inventory.endpoints.map(({ id, path, exposure }) => ({ id, path, exposure }))).toEqual([
      { id: 'packages/pier:/api/gate', path: '/api/gate', exposure: 'loopback' },
    ]);
    expect([joinPaths('/', '/x'), joinPaths('/a/', '/'), joinPaths('/', '/')]).toEqual(['/x', '/a', '/']);
  });

  it('tells the message route of an SSE pair from a plain route', () => {
    const stream = ref('src/app.ts', 'stream');
    const message = ref('src/app.ts', 'message');
    const pool: Fact = {
      type: 'store',
      site: at('src/app.ts', 1),
      symbol: ref('src/app.ts', 'pool'),
      form: 'object',
      holds: 'transport',
      written: true,
      cleaned: true,
    };
    const { inventory } = link(
      [
        route('GET', '/sse', stream, { app }),
        route('POST', '/messages', message, { app }),
        transport(stream, { kind: 'sse' }),
        dispatch(message),
        pool,
        edge(stream, pool.symbol),
        edge(message, pool.symbol),
      ],
      context(),
    );
    expect(inventory.endpoints.map(({ path, transport: kind }) => [path, kind])).toEqual([
      ['/messages', 'sse-post'],
      ['/sse', 'sse'],
    ]);
  });

  it('keeps two endpoints of one file apart, and lists stdio and platform entries without a route', () => {
    const a = ref('src/app.ts', 'left');
    const b = ref('src/app.ts', 'right');
    const main = ref('src/cli.ts', 'main');
    const fetchHandler = ref('src/worker.ts', 'fetch');
    const { inventory } = link(
      [
        route('POST', '/left', a, { app }),
        route('POST', '/right', b, { app, site: at('src/app.ts', 500) }),
        transport(a, { site: at('src/app.ts', 300), eventStore: true }),
        transport(b, { site: at('src/app.ts', 600), sessions: 'none' }),
        transport(main, { kind: 'stdio' }),
        transport(fetchHandler, { kind: 'streamable-web', sessions: 'unknown' }),
      ],
      context(),
    );
    expect(inventory.endpoints.map(({ id, transport: kind, sessions, eventStore }) => [id, kind, sessions, eventStore])).toEqual([
      ['/left', 'streamable-http', 'minted', true],
      ['/right', 'streamable-http', 'none', false],
      ['stdio src/cli.ts', 'stdio', 'minted', false],
      ['src/worker.ts', 'streamable-http', 'unknown', false],
    ]);
  });

  it('does not take servers that tests build for endpoints, and lists servers that nothing serves', () => {
    const helper = ref('test/gate.test.ts', 'open');
    const library = ref('src/library.ts', 'buildGauge');
    const { inventory } = link(
      [
        route('POST', '/gate', helper, { site: at('test/gate.test.ts', 5) }),
        transport(helper),
        { type: 'server', site: at('src/library.ts', 5), within: library, className: 'Gauge', scope: 'function' },
        { type: 'factory', site: at('src/library.ts', 1), symbol: library, parameters: 0, async: false, returns: 'server', effects: [] },
      ],
      context({ 'test/gate.test.ts': 'test' }),
    );
    expect(inventory.endpoints).toEqual([]);
    expect(inventory.servers).toMatchObject([{ className: 'Gauge', factory: library }]);
  });

  it('counts pushes and state that no endpoint is known to reach for every endpoint of the package', () => {
    const serve = ref('src/app.ts', 'serve');
    const { inventory } = link(
      [
        route('POST', '/gate', serve, { app }),
        transport(serve),
        { type: 'push', site: at('src/bell.ts', 3), within: ref('src/bell.ts', 'ring'), what: 'sampling', through: 'instance' },
      ],
      context(),
    );
    expect(inventory.endpoints[0]?.push.map((site) => site.file)).toEqual(['src/bell.ts']);
  });

  it('reaches the factory of a connected server, and what its tools do', () => {
    const serve = ref('src/app.ts', 'serve');
    const build = ref('src/gauge.ts', 'buildGauge');
    const tool = ref('src/gauge.ts', '@120');
    const { inventory } = link(
      [
        route('POST', '/gate', serve, { app }),
        transport(serve),
        { type: 'connect', site: at('src/app.ts', 330), within: serve, factory: build, origin: 'fresh' },
        edge(build, tool),
        { type: 'state', site: at('src/gauge.ts', 130), within: tool, form: 'closure', category: 'state' },
        { type: 'state', site: at('src/gauge.ts', 140), within: tool, form: 'closure', category: 'telemetry' },
      ],
      context(),
    );
    expect(inventory.endpoints[0]).toMatchObject({ factory: build, state: [{ span: { start: 130 } }] });
  });
});

describe('dual-era endpoints', () => {
  const era = (name: string, line: number, legacy: 'reject' | 'stateless'): Fact => ({
    type: 'era',
    site: at('src/app.ts', line),
    what: 'entry',
    legacy,
    lane: [],
    spans: [],
    symbol: ref('src/app.ts', name),
    serves: 'http',
  });

  it('own the entry and what wraps it, and reach its factory', () => {
    const serve = ref('src/app.ts', '@80');
    const build = ref('src/gauge.ts', 'buildGauge');
    const facts: readonly Fact[] = [
      route('ALL', '/gate', serve, { app }),
      era('inner', 10, 'stateless'),
      era('outer', 20, 'stateless'),
      edge(undefined, ref('src/app.ts', 'inner')),
      edge(ref('src/app.ts', 'inner'), build),
      edge(serve, ref('src/app.ts', 'outer')),
      { type: 'factory', site: at('src/gauge.ts', 1), symbol: build, parameters: 0, async: false, returns: 'server', effects: [] },
    ];
    const { inventory } = link(facts, context());
    expect(inventory.endpoints.map(({ id, era: kind, factory, sessions }) => [id, kind, factory, sessions])).toEqual([['/gate', 'dual', build, 'none']]);
  });

  it('are dual when code without a route branches between the eras', () => {
    const serve = ref('src/app.ts', 'handle');
    const legacy = ref('src/app.ts', 'legacy');
    const branch: Fact = { type: 'era', site: at('src/app.ts', 40), within: serve, what: 'branch', legacy: 'handler', lane: [legacy], spans: [] };
    const { inventory } = link(
      [era('modern', 10, 'reject'), transport(legacy), branch, edge(serve, legacy), edge(serve, ref('src/app.ts', 'modern'))],
      context(),
    );
    expect(inventory.endpoints.map(({ id, era: kind, sessions }) => [id, kind, sessions])).toEqual([['src/app.ts', 'dual', 'minted']]);
  });
});

describe('the legacy lane', () => {
  const router = ref('src/entry.ts', 'serve');
  const legacy = ref('src/legacy.ts', 'serveOld');
  const helper = ref('src/pool.ts', 'takeBerth');
  const modern = ref('src/modern.ts', 'serveNew');
  const fn = (symbol: SymbolRef, start: number, end: number): Fact => ({ type: 'function', site: at(symbol.file, start, end), symbol });
  const era: Fact = {
    type: 'era',
    site: at('src/entry.ts', 20),
    within: router,
    what: 'branch',
    legacy: 'handler',
    lane: [legacy],
    spans: [{ start: 200, end: 230 }],
  };
  const base: readonly Fact[] = [
    fn(router, 0, 100),
    fn(legacy, 0, 100),
    fn(helper, 0, 100),
    fn(modern, 0, 100),
    era,
    edge(router, legacy),
    edge(router, modern),
    edge(legacy, helper),
  ];

  it('follows calls across files, and knows spans of a branch', () => {
    const links = link(base, context());
    expect(links.inventory.legacyLane).toEqual(['src/legacy.ts#serveOld', 'src/pool.ts#takeBerth']);
    expect(links.inLegacyLane(at('src/pool.ts', 50))).toBe(true);
    expect(links.inLegacyLane(at('src/modern.ts', 50))).toBe(false);
    expect(links.inLegacyLane(at('src/entry.ts', 210))).toBe(true);
    expect(links.inLegacyLane(at('src/entry.ts', 240))).toBe(false);
  });

  it('leaves out what the modern side uses too', () => {
    expect(link([...base, edge(modern, helper)], context()).inventory.legacyLane).toEqual(['src/legacy.ts#serveOld']);
  });

  it('is not a lane when another function calls it, or a route of its own leads to a helper', () => {
    const other = ref('src/other.ts', 'sneak');
    expect(link([...base, fn(other, 0, 50), edge(other, legacy)], context()).inventory.legacyLane).toEqual([]);
    expect(link([...base, route('POST', '/berth', helper)], context()).inventory.legacyLane).toEqual(['src/legacy.ts#serveOld']);
  });

  it('ignores tests, and names that only stand for the function', () => {
    const test = ref('test/legacy.test.ts', '@1');
    const exported = ref('src/legacy.ts', 'default');
    const links = link([...base, fn(test, 0, 9), edge(test, legacy), edge(test, helper), edge(exported, legacy)], context({ 'test/legacy.test.ts': 'test' }));
    expect(links.inventory.legacyLane).toEqual(['src/legacy.ts#serveOld', 'src/pool.ts#takeBerth']);
  });
});

it('says which SDK lines a package ships, tests apart', () => {
  const sdk = (file: string, line: 1 | 2): Fact => ({ type: 'sdk-import', site: at(file, 0), module: 'gauges', sdk: line, form: 'import', names: [] });
  const { inventory } = link(
    [sdk('src/app.ts', 2), sdk('test/app.test.ts', 1), sdk('packages/pier/test/a.test.ts', 1)],
    context({ 'test/app.test.ts': 'test', 'packages/pier/test/a.test.ts': 'test' }),
  );
  expect(inventory.packages.map(({ folder, sdk: lines }) => [folder, lines])).toEqual([
    ['.', [2]],
    ['packages/pier', [1]],
  ]);
});
