import { describe, expect, it } from 'vitest';
import { shimRenderer } from '../../../src/cli/templates.js';
import { migrateRepository } from '../../../src/engine/pipeline.js';
import { knowledge } from '../../../transforms/index.js';
import type { MigrateResult } from '../../../src/core/index.js';
import { storiesOf } from '../../fixtures-kit/story.js';
import { applyChanges, withTree, type Tree } from '../../fixtures-kit/tree.js';

const renderShim = await shimRenderer();

/** One migration of a tree, all concerns, as the command line runs it. */
async function run(
  tree: Tree,
  options: { readonly legacy?: 'sessionful'; readonly retire?: boolean },
): Promise<{ readonly tree: Tree; readonly result: MigrateResult }> {
  return withTree(tree, async (root) => {
    const result = await migrateRepository(root, knowledge, { ...options, sunset: '2027-06-30', owner: 'Front of House', renderShim });
    return { tree: result.patches.reduce((current, patch) => applyChanges(current, patch.changes), tree), result };
  });
}

/** A story of the concern with its legacy lane kept, then with the lane retired. */
async function retired(story: string): Promise<{ readonly kept: Tree; readonly gone: Tree; readonly result: MigrateResult }> {
  const found = storiesOf('session-transport').find(({ name }) => name === story);
  if (!found) throw new Error(`there is no story ${story}`);
  const { tree: kept } = await run(found.before, { legacy: 'sessionful' });
  const { tree: gone, result } = await run(kept, { retire: true });
  return { kept, gone, result };
}

const outcomes = (result: MigrateResult): readonly string[] => result.outcomes.map(({ outcome }) => outcome);

describe('migrate --retire', () => {
  it('leaves a modern-only entry and takes the shim, the handlers and the store out', async () => {
    const { kept, gone, result } = await retired('ticket-office-sessionful');
    expect([...kept.keys()]).toContain('src/mcp-dual-era.ts');
    expect(outcomes(result)).toEqual(['applied']);
    expect(result.idempotent).toBe(true);
    expect([...gone.keys()].filter((path) => path.endsWith('.ts'))).toEqual(['src/mcp-json-errors.ts', 'src/office.ts', 'src/server.ts']);
    const text = gone.get('src/server.ts') ?? '';
    expect(text).toContain(
      "const mcp = toNodeHandler(createMcpHandler(() => openOffice(), { legacy: 'reject' }));\n\napp.all('/mcp', (req, res) => void mcp(req, res, req.body));\n",
    );
    expect(text).not.toMatch(/transports|withSession|randomUUID|isInitializeRequest|legacy lane|dualEra/);
    expect(text).toContain("app.get('/health'");
  });

  it('leaves a server of the same package alone that has no modern endpoint in its process', async () => {
    const { kept } = await retired('ticket-office-sessionful');
    const stream = `import express from 'express';
import { McpServer } from '@modelcontextprotocol/server';
import { SSEServerTransport } from '@modelcontextprotocol/server-legacy/sse';

const app = express();
const streams: Record<string, SSEServerTransport> = {};

app.get('/sse', async (req, res) => {
  const transport = new SSEServerTransport('/messages', res);
  streams[transport.sessionId] = transport;
  res.on('close', () => delete streams[transport.sessionId]);
  await new McpServer({ name: 'gate', version: '1.0.0' }).connect(transport);
});

app.post('/messages', async (req, res) => {
  const transport = streams[String(req.query.sessionId)];
  if (transport) await transport.handlePostMessage(req, res, req.body);
  else res.status(404).send('Unknown session');
});

app.listen(3999);
`;
    const { tree, result } = await run(new Map([...kept, ['src/gate.ts', stream]]), { retire: true });
    expect(tree.get('src/gate.ts')).toBe(stream);
    expect(outcomes(result)).toContain('refused');
  });

  it('follows the lane into other files and removes those that nothing else uses', async () => {
    const { kept, gone, result } = await retired('botanic-garden-two-files');
    expect(outcomes(result)).toEqual(['applied']);
    expect([...kept.keys()]).toContain('sessions.ts');
    expect([...gone.keys()].sort()).toEqual(['garden.ts', 'mcp-json-errors.ts', 'package.json', 'server.ts']);
  });

  it('speaks CommonJS where the file does', async () => {
    const { gone, result } = await retired('harbour-commonjs');
    expect(outcomes(result)).toEqual(['applied']);
    expect([...gone.keys()].sort()).toEqual(['index.js', 'package.json']);
    expect(gone.get('index.js')).toMatch(/require\('@modelcontextprotocol\/node'\)/);
    expect(gone.get('index.js')).not.toMatch(/mcp-session-id|dualEra/);
  });

  it('changes nothing that it did not write', async () => {
    const found = storiesOf('session-transport').find(({ name }) => name === 'ticket-office-sessionful');
    const { tree, result } = await run(found?.before ?? new Map(), { retire: true });
    expect(tree).toEqual(found?.before);
    expect(result.outcomes).toEqual([]);
  });

  it('refuses a lane whose sessions somebody else uses', async () => {
    const found = storiesOf('session-transport').find(({ name }) => name === 'ticket-office-sessionful');
    const { tree: kept } = await run(found?.before ?? new Map(), { legacy: 'sessionful' });
    const watched = new Map(kept).set(
      'src/server.ts',
      (kept.get('src/server.ts') ?? '').replace('res.json({ open: true });', 'res.json({ open: true, visitors: transports.size });'),
    );
    const { tree, result } = await run(watched, { retire: true });
    expect(outcomes(result)).toEqual(['refused']);
    expect(result.outcomes[0]?.reason?.sites[0]?.file).toBe('src/server.ts');
    expect(tree).toEqual(watched);
  });

  it('takes entries of several files and refusals of methods out', async () => {
    const store = `import type { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';

export const visits = new Map<string, NodeStreamableHTTPServerTransport>();
`;
    const post = `import { randomUUID } from 'node:crypto';
import type { Express } from 'express';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { openMuseum } from './museum.js';
import { visits } from './visits.js';

export function takeMessages(app: Express): void {
  app.post('/mcp', async (req, res) => {
    const id = req.get('mcp-session-id');
    let visit = id === undefined ? undefined : visits.get(id);
    if (visit === undefined) {
      const opened = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (minted) => {
          visits.set(minted, opened);
        },
      });
      await openMuseum().connect(opened);
      visit = opened;
    }
    await visit.handleRequest(req, res, req.body);
  });
  app.delete('/mcp', (_req, res) => {
    res.status(405).end();
  });
}
`;
    const stream = `import type { Express } from 'express';
import { visits } from './visits.js';

export function openStreams(app: Express): void {
  app.get('/mcp', async (req, res) => {
    const visit = visits.get(req.get('mcp-session-id') ?? '');
    if (visit === undefined) {
      res.status(404).end();
      return;
    }
    await visit.handleRequest(req, res);
  });
}
`;
    const tree: Tree = new Map([
      [
        'package.json',
        storiesOf('session-transport')
          .find(({ name }) => name === 'reading-room-beside')
          ?.before.get('package.json') ?? '{}',
      ],
      ['src/visits.ts', store],
      ['src/messages.ts', post],
      ['src/streams.ts', stream],
      [
        'src/museum.ts',
        "import { McpServer } from '@modelcontextprotocol/server';\n\nexport const openMuseum = () => new McpServer({ name: 'museum', version: '1.0.0' });\n",
      ],
      [
        'src/server.ts',
        `import express from 'express';
import { takeMessages } from './messages.js';
import { openStreams } from './streams.js';

const app = express();
app.use(express.json());
takeMessages(app);
openStreams(app);
app.listen(3000, '127.0.0.1');
`,
      ],
    ]);
    const { tree: kept } = await run(tree, { legacy: 'sessionful' });
    expect(kept.get('src/streams.ts')).toContain('dualEra(');
    const { tree: gone } = await run(kept, { retire: true });
    expect([...gone.keys()].sort()).toEqual(['package.json', 'src/messages.ts', 'src/museum.ts', 'src/server.ts']);
    expect(gone.get('src/messages.ts')).not.toMatch(/app\.(?:post|get|delete)|dualEra|visits/);
    expect(gone.get('src/server.ts')).not.toContain('openStreams');
    expect((await run(gone, { retire: true })).tree).toEqual(gone);
  });

  it.each([
    ['createMcpHandler(() => openKiteShop())', "createMcpHandler(() => openKiteShop(), { legacy: 'reject' })"],
    ["createMcpHandler(openKiteShop, { responseMode: 'json' })", "createMcpHandler(openKiteShop, { responseMode: 'json', legacy: 'reject' })"],
    ["createMcpHandler(openKiteShop, { legacy: 'stateless', onerror })", "createMcpHandler(openKiteShop, { legacy: 'reject', onerror })"],
    ['createMcpHandler(openKiteShop, shared)', "createMcpHandler(openKiteShop, { ...shared, legacy: 'reject' })"],
    ["createMcpHandler(openKiteShop, { legacy: 'reject' })", "createMcpHandler(openKiteShop, { legacy: 'reject' })"],
    ['createMcpHandler(openKiteShop, { legacy: process.env.OLD })', 'createMcpHandler(openKiteShop, { legacy: process.env.OLD })'],
  ])('tells an entry that serves both eras to refuse the earlier one: %s', async (written, expected) => {
    const shop = storiesOf('session-transport').find(({ name }) => name === 'kite-shop-both-eras')?.before ?? new Map();
    const text = String(shop.get('shop.js')).replace('createMcpHandler(() => openKiteShop())', written);
    const { tree, result } = await run(new Map([...shop, ['shop.js', `const shared = {};\nconst onerror = () => {};\n${text}`]]), { retire: true });
    expect(tree.get('shop.js')).toContain(`toNodeHandler(${expected})`);
    expect(outcomes(result)).toEqual(written === expected ? [] : ['applied']);
    expect(result.idempotent).toBe(true);
  });

  it('leaves the modern revision alone after a migration to the stateless lane', async () => {
    const found = storiesOf('session-transport').find(({ name }) => name === 'weather-station-stateless');
    const { tree: kept } = await run(found?.before ?? new Map(), {});
    const { tree: gone, result } = await run(kept, { retire: true });
    expect(outcomes(result)).toEqual(['applied']);
    expect([...gone].filter(([path, text]) => text !== kept.get(path)).map(([path]) => path)).toHaveLength(1);
    expect([...gone.values()].join('\n')).toMatch(/createMcpHandler\(.*legacy: 'reject' \}/);
  });
});
