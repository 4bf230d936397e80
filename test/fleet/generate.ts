import { execFileSync } from 'node:child_process';
import { add } from '../workspace/tree.js';

/** Numbers that look random and are the same in every run. */
export function dice(seed: number): (sides: number) => number {
  let state = seed >>> 0;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const manifest = (name: string): string => `{"name":"${name}","type":"module","dependencies":{"@modelcontextprotocol/sdk":"^1.20.0","express":"^5.0.0"}}\n`;

/** A server with one transport for each session. */
const desk = (name: string, route: string): string => `import { randomUUID } from 'node:crypto';
import express from 'express';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

const transports = {};
const app = express();
app.use(express.json());
app.post('${route}', async (req, res) => {
  let transport = transports[req.headers['mcp-session-id']];
  if (!transport) {
    transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID(), onsessioninitialized: (id) => { transports[id] = transport; } });
    await new McpServer({ name: '${name}', version: '1.0.0' }).connect(transport);
  }
  await transport.handleRequest(req, res, req.body);
});
app.listen(3000, '127.0.0.1');
`;

const courier = `import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
export const open = (url, sessionId) => new StreamableHTTPClientTransport(url, { sessionId });
`;

/** One small repository: a server, a client, both in a workspace, nothing of MCP, or something that cannot be read. */
function repositoryOf(name: string, roll: (sides: number) => number): Readonly<Record<string, string>> {
  const readme = `# ${name}\n`;
  switch (roll(7)) {
    case 0:
      return { 'package.json': `{"name":"${name}"}\n`, 'src/main.js': 'export const tide = () => 3;\n', 'README.md': readme };
    case 1:
      return { 'package.json': manifest(name), 'src/courier.js': courier, 'README.md': readme };
    case 2:
      return {
        'package.json': manifest(name),
        'src/desk.js': desk(name, '/mcp'),
        'src/broken.js': `import '@modelcontextprotocol/sdk/types.js';\nconst ( ;\n`,
      };
    case 3:
      return {
        'packages/desk/package.json': manifest(`${name}-desk`),
        'packages/desk/desk.js': desk(name, '/desk'),
        'packages/courier/package.json': manifest(`${name}-courier`),
        'packages/courier/courier.js': courier,
      };
    case 4:
      return { 'README.md': readme };
    default:
      return { 'package.json': manifest(name), 'src/desk.js': desk(name, roll(2) === 0 ? '/mcp' : '/api/mcp'), 'README.md': readme };
  }
}

/**
 * Writes small repositories below a root and a list of them. Every fortieth is under git, one is on the list and not there.
 * @returns path of the list, from the root
 */
export function generateFleet(root: string, number: number): string {
  const roll = dice(20_260_728);
  const names = Array.from(
    { length: number },
    (_entry, index) => `${['harbour', 'library', 'museum', 'garden'][index % 4] ?? ''}/${'desk courier'.split(' ')[roll(2)] ?? ''}-${String(index)}`,
  );
  for (const [index, name] of names.entries()) {
    if (index === number - 1) continue;
    add(root, Object.fromEntries(Object.entries(repositoryOf(name.split('/')[1] ?? '', roll)).map(([path, text]) => [`${name}/${path}`, text])));
    if (index % 40 !== 0) continue;
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgsign=false', ...args], { cwd: `${root}/${name}` });
    git('init', '-q');
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
  }
  add(root, { 'fleet.txt': `# written by the test\n${names.join('\n')}\n` });
  return 'fleet.txt';
}
