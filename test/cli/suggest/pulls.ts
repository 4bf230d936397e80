import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/* Pull requests to a small company of mountain railways, in shapes that pull requests have. Built from a few sources and many forms. */

type Files = Readonly<Record<string, string | Buffer>>;

export interface PullStory {
  readonly name: string;
  readonly base: Files;
  /** Files of the head; `null` removes. */
  readonly head: Readonly<Record<string, string | Buffer | null>>;
  /** What git does to the head beside writing files. */
  readonly also?: (git: (...args: readonly string[]) => string, root: string) => void;
  /** Suggestions that must come; the others may. */
  readonly suggestions?: number;
  /** Comments without a suggestion that must come. */
  readonly comments?: number;
}

export const MANIFEST = `${JSON.stringify(
  {
    name: 'cableway',
    version: '1.0.0',
    private: true,
    type: 'module',
    dependencies: { '@modelcontextprotocol/node': '^2.1.2', '@modelcontextprotocol/server': '^2.4.0', express: '^5.0.0' },
    engines: { node: '>=20' },
  },
  null,
  2,
)}\n`;

/** The status of an unknown session is wrong in `onLeave`. */
const gate = `import type { Request, Response } from 'express';
import type { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';

export const cabins = new Map<string, NodeStreamableHTTPServerTransport>();

/** How many ride at the moment. */
export function riding(): number {
  return cabins.size;
}

export async function onLeave(req: Request, res: Response): Promise<void> {
  const id = req.header('Mcp-Session-Id');
  if (id === undefined) {
    res.status(400).send('Missing session ID');
    return;
  }
  const cabin = cabins.get(id);
  if (cabin === undefined) {
    res.status(400).send('Unknown session ID');
    return;
  }
  await cabin.handleRequest(req, res);
}
`;

/** A name that is not known is thrown as a plain error. */
const timetable = `import { Server } from '@modelcontextprotocol/server';

const LINES = new Map([['Nordkette', 12]]);

export function buildTimetable(): Server {
  const server = new Server({ name: 'timetable', version: '1.0.0' }, { capabilities: { tools: {}, prompts: {} } });

  server.setRequestHandler('tools/call', async (request) => {
    if (request.params.name === 'minutes') {
      return { content: [{ type: 'text', text: String(LINES.get(String(request.params.arguments?.line)) ?? 'closed') }] };
    }
    throw new Error('Unknown tool: ' + request.params.name);
  });

  server.setRequestHandler('prompts/get', async ({ params }) => {
    if (params.name !== 'greeting') throw new Error(\`Prompt \${params.name} not found\`);
    return { messages: [] };
  });

  return server;
}
`;

/** Progress goes out on the server instead of the request. */
const winch = `import { Server } from '@modelcontextprotocol/server';

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

export function buildWinch(): Server {
  const server = new Server({ name: 'winch', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/call', async (request) => {
    const progressToken = request.params._meta?.progressToken;
    for (let turn = 1; turn <= 3; turn++) {
      await pause(10);
      if (progressToken !== undefined) {
        await server.notification({ method: 'notifications/progress', params: { progressToken, progress: turn, total: 3 } });
      }
    }
    return { content: [{ type: 'text', text: 'up' }] };
  });
  return server;
}
`;

const sources: Files = {
  'station.ts': `import { McpServer } from '@modelcontextprotocol/server';

/** What a station tells. */
export function newStation(): McpServer {
  const server = new McpServer({ name: 'station', version: '1.0.0' });
  server.registerTool('wind', { description: 'The wind on top' }, () => ({ content: [{ type: 'text', text: 'calm' }] }));
  return server;
}
`,
};

/** One server object serves everybody. */
const hall = `import { createServer } from 'node:http';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { newStation } from './station.js';

const station = newStation();

createServer(async (req, res) => {
  const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  res.on('close', () => void transport.close());
  await station.connect(transport);
  await transport.handleRequest(req, res);
}).listen(3000);
`;

const SHAPES = { 'gate.ts': gate, 'timetable.ts': timetable, 'winch.ts': winch, 'hall.ts': hall } as const;
type Shape = keyof typeof SHAPES;

const base: Files = { 'package.json': MANIFEST, ...sources, 'README.md': '# Cableway\n' };

const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
const tabs = (text: string): string => text.replaceAll(/^(?: {2})+/gm, (indent) => '\t'.repeat(indent.length / 2));
const bom = (text: string): string => `\uFEFF${text}`;
const noEnd = (text: string): string => text.replace(/\n$/, '');
const umlauts = (text: string): string =>
  text.replaceAll('Nordkette', 'Zürs 🚡 Käserstätt').replaceAll('How many ride', 'Wie viele fahren – jetzt –').replaceAll("'up'", "'Höhe 2 350 m'");

/** A whole new file, written in different ways. */
const FORMS: readonly (readonly [string, (text: string) => string])[] = [
  ['as it comes', (text) => text],
  ['with CRLF', crlf],
  ['with tabs', tabs],
  ['with a byte order mark', bom],
  ['without a newline at its end', noEnd],
  ['with CRLF and no newline at its end', (text) => noEnd(crlf(text))],
  ['with umlauts and an emoji', umlauts],
];

const created: readonly PullStory[] = (Object.keys(SHAPES) as Shape[]).flatMap((file) =>
  // The forms meet the shapes in turn; one of them takes all.
  FORMS.filter((_, index) => file === 'gate.ts' || index % 3 === Object.keys(SHAPES).indexOf(file) - 1).map(([form, write]): PullStory => ({
    name: `${file} is new, ${form}`,
    base,
    head: { [file]: write(SHAPES[file]) },
    // The import goes onto the first line, which a byte order mark closes to suggestions.
    suggestions: file !== 'gate.ts' && file !== 'winch.ts' && form === 'with a byte order mark' ? 0 : 1,
  })),
);

const withGate: Files = { ...base, 'gate.ts': gate };
const lines = (number: number, of: (index: number) => string): string => Array.from({ length: number }, (_, index) => of(index)).join('');
const filler = lines(60, (index) => `export const pylon${String(index)} = ${String(index)};\n`);

const special: readonly PullStory[] = [
  {
    name: 'an edit beside the place',
    base: withGate,
    head: { 'gate.ts': gate.replace('await cabin.handleRequest(req, res);', 'await cabin.handleRequest(req, res, req.body);') },
    suggestions: 1,
  },
  {
    name: 'an edit far from the place',
    base: { ...base, 'gate.ts': gate + filler },
    head: { 'gate.ts': `${gate}${filler}export const last = true;\n` },
    suggestions: 0,
    comments: 0,
  },
  {
    name: 'a line removed beside the place',
    base: { ...base, 'gate.ts': gate.replace('  await cabin.', '  console.log(id);\n  await cabin.') },
    head: { 'gate.ts': gate },
    suggestions: 1,
  },
  {
    name: 'lines removed and nothing else, far away',
    base: { ...base, 'gate.ts': gate + filler },
    head: { 'gate.ts': gate + filler.split('\n').slice(0, -20).join('\n') + '\n' },
    suggestions: 0,
  },
  { name: 'a file that goes', base: withGate, head: { 'gate.ts': null }, suggestions: 0, comments: 0 },
  {
    name: 'a file that moves and changes',
    base: withGate,
    head: { 'gate.ts': null, 'src/valley/gate.ts': gate.replace('Unknown session ID', 'Unknown session') },
    suggestions: 1,
  },
  { name: 'a file that only moves', base: withGate, head: { 'gate.ts': null, 'src/gate.ts': gate }, suggestions: 0, comments: 0 },
  {
    name: 'two places of one item in two parts of the diff',
    base: {
      ...base,
      'timetable.ts': timetable.replace(
        "  server.setRequestHandler('prompts/get'",
        `${filler.replaceAll(/^/gm, '  // ')}\n  server.setRequestHandler('prompts/get'`,
      ),
    },
    head: {
      'timetable.ts': timetable
        .replace("  server.setRequestHandler('prompts/get'", `${filler.replaceAll(/^/gm, '  // ')}\n  server.setRequestHandler('prompts/get'`)
        .replace("'closed'", "'closed today'")
        .replace("'greeting'", "'welcome'"),
    },
    suggestions: 0,
    comments: 1,
  },
  {
    name: 'code with fences in it',
    base,
    head: { 'timetable.ts': timetable.replace('    throw new Error(', '    /*\n```ts\nride();\n```\n````suggestion\n    */\n    throw new Error(') },
    suggestions: 1,
  },
  { name: 'a path with blanks and quotes', base, head: { 'berg station/gäte "1".ts': gate }, suggestions: 1 },
  {
    name: 'a generated file',
    base,
    head: { 'dist/gate.js': gate.replace(/: Request|: Response|: Promise<void>|import type.*\n/g, ''), 'other.ts': 'export {};\n' },
    suggestions: 0,
    comments: 0,
  },
  { name: 'a vendored file', base, head: { 'node_modules/gate/index.ts': gate }, suggestions: 0, comments: 0 },
  { name: 'a binary file', base, head: { 'map.png': Buffer.from([137, 80, 78, 71, 0, 1, 2, 3]), 'gate.ts': gate }, suggestions: 1 },
  {
    name: 'a submodule that moves',
    base,
    head: { 'gate.ts': gate },
    also: (git) => void git('update-index', '--add', '--cacheinfo', '160000,1111111111111111111111111111111111111111,tools'),
    suggestions: 1,
  },
  { name: 'a mode that changes', base: withGate, head: {}, also: (_git, root) => chmodSync(join(root, 'gate.ts'), 0o755), suggestions: 0, comments: 0 },
  { name: 'nothing at all', base: withGate, head: {}, suggestions: 0, comments: 0 },
  {
    name: 'a huge file beside',
    base,
    head: { 'gate.ts': gate, 'data.ts': `export const heights = [\n${lines(20_000, (index) => `  ${String(index)},\n`)}];\n` },
    suggestions: 1,
  },
  {
    name: 'a file of which the forge shows nothing, because it is so large',
    base,
    head: { 'gate.ts': `${gate}\nexport const heights = [\n${lines(20_000, (index) => `  ${String(index)},\n`)}];\n` },
    suggestions: 0,
    comments: 0,
  },
  {
    name: 'a file that becomes a link',
    base: withGate,
    head: { 'gate.ts': null },
    also: (_git, root) => symlinkSync('station.ts', join(root, 'gate.ts')),
    suggestions: 0,
    comments: 0,
  },
  { name: 'a file that does not parse', base, head: { 'gate.ts': gate, 'broken.ts': `${gate}export function (\n` }, suggestions: 1 },
  { name: 'several files at once', base, head: { ...SHAPES }, suggestions: 4 },
  { name: 'a document only', base: withGate, head: { 'README.md': '# Cableway\n\nSend the `Mcp-Session-Id` header.\n' }, suggestions: 0, comments: 0 },
  {
    name: 'the SDK raised in the manifest and not in the code',
    base: {
      'package.json': MANIFEST.replace(
        '"@modelcontextprotocol/node": "^2.1.2",\n    "@modelcontextprotocol/server": "^2.4.0"',
        '"@modelcontextprotocol/sdk": "^1.29.0"',
      ),
      'wind.ts':
        "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\n\nexport const wind = new McpServer({ name: 'wind', version: '1.0.0' });\n",
    },
    head: {
      'package.json': MANIFEST.replace(
        '"@modelcontextprotocol/node": "^2.1.2",\n    "@modelcontextprotocol/server": "^2.4.0"',
        '"@modelcontextprotocol/sdk": "^2.0.0"',
      ),
    },
    suggestions: 0,
    comments: 1,
  },
  {
    name: 'an old file in a project on SDK 2',
    base,
    head: {
      'wind.ts':
        "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\n\nexport const wind = new McpServer({ name: 'wind', version: '1.0.0' });\n",
    },
  },
];

/** Every pull request of the suite. */
export const pulls: readonly PullStory[] = [...created, ...special];
