import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { add, git, repository } from '../workspace/tree.js';

/** A session-bound server of our own: what a migration must still find between the traps. */
export const SERVER = `import { randomUUID } from 'node:crypto';
import express from 'express';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';

const app = express();
app.use(express.json());
const transports = {};

function buildServer() {
	const server = new McpServer({ name: 'lantern', version: '1.0.0' });
	server.registerTool('light', { description: 'Lights the lantern' }, async () => ({ content: [{ type: 'text', text: 'lit' }] }));
	return server;
}

app.post('/mcp', async (req, res) => {
	const id = req.headers['mcp-session-id'];
	let transport = id ? transports[id] : undefined;
	if (!transport && !id && isInitializeRequest(req.body)) {
		transport = new StreamableHTTPServerTransport({
			sessionIdGenerator: () => randomUUID(),
			onsessioninitialized: (sid) => {
				transports[sid] = transport;
			},
		});
		transport.onclose = () => {
			if (transport.sessionId) delete transports[transport.sessionId];
		};
		await buildServer().connect(transport);
	} else if (!transport) {
		res.status(400).json({ jsonrpc: '2.0', error: { code: -32000, message: 'Bad Request: No valid session ID provided' }, id: null });
		return;
	}
	await transport.handleRequest(req, res, req.body);
});

app.listen(3000, '127.0.0.1');
`;

export const MANIFEST = '{\n\t"name": "lantern",\n\t"type": "module",\n\t"dependencies": { "@modelcontextprotocol/sdk": "^1.20.0", "express": "^5.0.0" }\n}\n';

const ESC = '\u001b';
/** A text that would clear a terminal, close a script element and open a template, if it were printed as it is. */
export const SHOUT = `${ESC}[2J${ESC}]0;owned\u0007</script>{{constructor}}\`rm -rf\``;

const IMPORT = "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\n";

/** Writes one trap of each kind around a server, under git. What cannot be made on this system is left out and named. */
export function hostileRepository(): { readonly root: string; readonly missing: readonly string[] } {
  const lines = SERVER.split('\n');
  const root = repository({ 'package.json': MANIFEST, 'src/server.js': SERVER, '.gitignore': 'ignored/\n' });
  const missing: string[] = [];
  const attempt = (what: string, act: () => void): void => {
    try {
      act();
    } catch {
      missing.push(what);
    }
  };
  const own = (folder: string, text: string | Buffer): Record<string, string | Buffer> => ({
    [`${folder}/package.json`]: MANIFEST.replace('lantern', folder),
    [`${folder}/server.js`]: text,
  });
  add(root, {
    ...own('crlf', lines.join('\r\n')),
    ...own('bom', `\uFEFF${SERVER}`),
    ...own('shebang', `#!/usr/bin/env node\n${SERVER}`),
    ...own('mixed', lines.map((line, index) => line + (index % 3 === 0 ? '\r\n' : '\n')).join('')),
    ...own('cr', lines.join('\r')),
    'ignored/server.js': SERVER,
    'binary.ts': Buffer.concat([Buffer.from(IMPORT), Buffer.from([0, 1, 2, 0, 255])]),
    'latin1.ts': Buffer.concat([Buffer.from(`${IMPORT}// caf`), Buffer.from([0xe9, 0x0a])]),
    'utf16.ts': Buffer.from(`\uFEFF${IMPORT}`, 'utf16le'),
    'broken.ts': `${IMPORT}new McpServer({ name: 'x' ;;; function (\n`,
    'huge.ts': IMPORT + 'const filler = "mcp-session-id";\n'.repeat(600_000),
    'long-line.js': `${IMPORT}const table = [${'"mcp-session-id",'.repeat(60_000)}];\n`,
    'deep.ts': `${IMPORT}const deep = ${'('.repeat(20_000)}1${')'.repeat(20_000)};\n`,
    'deep-array.js': `${IMPORT}const deep = ${'['.repeat(20_000)}${']'.repeat(20_000)};\n`,
    'chain.js': `${IMPORT}const s = new McpServer({ name: 'c', version: '1' })${'.server'.repeat(8_000)};\n`,
    'sum.js': `${IMPORT}const text = ${"'mcp-session-id' + ".repeat(8_000)}'';\n`,
    'backtrack.js': `${IMPORT}const text = 'no session ${'session not '.repeat(20_000)}';\n`,
    'ring/a.ts': `import { b } from './b.js';\n${IMPORT}export const a = () => b(new McpServer({ name: 'a', version: '1' }));\n`,
    'ring/b.ts': "import { a } from './a.js';\nexport const b = (server) => a ?? server;\n",
    'shout.ts': `${IMPORT}export const server = new McpServer({ name: ${JSON.stringify(SHOUT)}, version: '1' });\nserver.tool(${JSON.stringify(SHOUT)}, async () => ({ content: [] }));\n`,
    'proto/package.json': '{ "name": "__proto__", "dependencies": { "__proto__": "1", "constructor": "2", "@modelcontextprotocol/sdk": "^1.0.0" } }',
    'proto/index.ts': `${IMPORT}export const __proto__ = new McpServer({ name: 'constructor', version: 'hasOwnProperty' });\n`,
    'notjson/package.json': '{ "name": "notjson", "dependencies": { "@modelcontextprotocol/sdk": "^1.0.0", } trailing',
    'deploy/deep.yaml': `a: ${'['.repeat(5_000)}${']'.repeat(5_000)}\nnginx.ingress.kubernetes.io/affinity: cookie\n`,
    'deploy/aliases.yaml': `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e]\nsessionAffinity: ClientIP\n`,
    '.unsessionignore': '!**\n',
    'array/package.json': '[{ "name": "array", "dependencies": { "@modelcontextprotocol/sdk": "^1.0.0" } }]',
    'array/index.ts': `${IMPORT}export const server = new McpServer({ name: 'array', version: '1' });\n`,
    'bulky/package.json': `{ "name": "bulky", "keywords": [${'"lantern", '.repeat(400_000)}"end"], "dependencies": { "@modelcontextprotocol/sdk": "^1.0.0" } }`,
    'bulky/index.ts': `${IMPORT}export const server = new McpServer({ name: 'bulky', version: '1' });\n`,
    'cycle/package.json': '{ "name": "cycle", "workspaces": ["a", ".", "../cycle", "**"], "dependencies": { "cycle-a": "*" } }',
    'cycle/a/package.json': '{ "name": "cycle-a", "workspaces": ["..", "../../**"], "dependencies": { "cycle": "*", "@modelcontextprotocol/sdk": "^1.0.0" } }',
    'cycle/a/index.ts': `${IMPORT}export const server = new McpServer({ name: 'cycle', version: '1' });\n`,
    'cycle/pnpm-workspace.yaml': 'packages: ["..", "*", &x [*x]]\ncatalog: { "@modelcontextprotocol/sdk": { deep: 1 } }\n',
    'extends/a/tsconfig.json': '{ "extends": "../b/tsconfig.json" }',
    'extends/b/tsconfig.json': '{ "extends": ["../a/tsconfig.json", "./tsconfig.json", 7] }',
    'badignore/.gitignore': '[\n\\\n[z-a]\n***/**/[\n!(\n\u0000\n/{a,b\n'.concat('*'.repeat(400), '\n'),
    'badignore/index.ts': `${IMPORT}export const server = new McpServer({ name: 'ignored?', version: '1' });\n`,
    'case/Boat.ts': `${IMPORT}export const server = new McpServer({ name: 'Boat', version: '1' });\n`,
    'case/boat.ts': `${IMPORT}export const server = new McpServer({ name: 'boat', version: '1' });\n`,
    '\u202Est.exe\u2066.ts': `${IMPORT}export const server = new McpServer({ name: 'bidi', version: '1' });\n`,
    [`${'n'.repeat(240)}.ts`]: `${IMPORT}export const server = new McpServer({ name: 'long name', version: '1' });\n`,
  });
  attempt('a socket', () => {
    execFileSync(process.execPath, ['-e', "require('node:net').createServer().listen('socket.ts', () => process.exit(0))"], { cwd: root });
  });
  attempt('a link to a device that never ends', () => symlinkSync('/dev/zero', join(root, 'zero.ts')));
  if (process.getuid?.() === 0)
    attempt('a device', () => {
      execFileSync('mknod', [join(root, 'device.ts'), 'c', '1', '5']);
    });
  attempt('a file that git tracks and somebody changed', () => {
    add(root, { 'dirty.txt': 'committed\n' });
    git(root, 'add', 'dirty.txt');
    git(root, 'commit', '-q', '-m', 'second');
    add(root, { 'dirty.txt': 'changed\n' });
  });
  attempt('a folder of 120 levels', () => {
    const path = join(root, 'levels', ...Array.from({ length: 120 }, () => 'n'));
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'server.ts'), `${IMPORT}export const server = new McpServer({ name: 'deep', version: '1' });\n`);
  });
  attempt('a file name with a line end and an escape sequence', () =>
    writeFileSync(join(root, `evil\n${ESC}[31m;\`touch pwned\`.ts`), `${IMPORT}export const server = new McpServer({ name: 'name', version: '1' });\n`),
  );
  attempt('a loop of links', () => symlinkSync('..', join(root, 'ring', 'up')));
  attempt('a link to itself', () => symlinkSync('self.ts', join(root, 'self.ts')));
  attempt('a link out of the repository', () => symlinkSync('/etc/hosts', join(root, 'outside.ts')));
  attempt('a named pipe', () => {
    execFileSync('mkfifo', [join(root, 'pipe.ts')]);
  });
  attempt('a file without permission', () => {
    writeFileSync(join(root, 'secret.ts'), IMPORT);
    chmodSync(join(root, 'secret.ts'), 0);
  });
  attempt('a nested repository', () => {
    add(root, { 'nested/server.js': SERVER });
    git(join(root, 'nested'), 'init', '-q');
  });
  attempt('programs in the git configuration', () => {
    const program = `touch ${join(root, 'pwned')}`;
    for (const key of ['core.fsmonitor', 'core.pager', 'diff.external', 'core.sshCommand', 'filter.evil.clean', 'filter.evil.smudge'])
      git(root, 'config', key, program);
    add(root, { '.gitattributes': '*.md filter=evil\n' });
  });
  attempt('a configuration that would run code', () => {
    add(root, {
      '.unsessionrc.js': `require('fs').writeFileSync(${JSON.stringify(join(root, 'pwned'))}, '')`,
      'tsconfig.json': '{ "extends": "./tsconfig.json", "compilerOptions": { "plugins": [{ "name": "./evil" }] } }',
    });
  });
  return { root, missing };
}
