/**
 * Ratios, not seconds: what each kind of tree costs against reading the same bytes, in one run on one machine.
 *
 *   npm run bench [-- folder …]     generated trees, the installed node_modules of this project as an ordinary repository, and the folders;
 *                                   where a tree holds MCP code, the dry run of the official codemod on it stands beside ours
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { discover } from '../workspace/index.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BIN = join(ROOT, 'bin/unsession.js');
const SCRATCH = mkdtempSync(join(tmpdir(), 'unsession-bench-'));

/** CPU seconds and peak memory of a process, as the operating system counts them. */
interface Cost {
  readonly wall: number;
  readonly cpu: number;
  readonly megabytes: number;
  readonly stdout: string;
}

const CODEMOD = join(ROOT, 'node_modules/@modelcontextprotocol/codemod/dist/cli.mjs');
const HOOK = join(SCRATCH, 'cost.cjs');
const REPORT = join(SCRATCH, 'cost.json');
writeFileSync(
  HOOK,
  `process.on('exit', () => { const u = process.resourceUsage(); require('node:fs').writeFileSync(${JSON.stringify(REPORT)}, JSON.stringify({ cpu: (u.userCPUTime + u.systemCPUTime) / 1e6, megabytes: u.maxRSS / 1024 })); });`,
);

function run(args: readonly string[], cwd: string, executable = BIN): Cost {
  rmSync(REPORT, { force: true });
  const from = performance.now();
  const { stdout } = spawnSync(process.execPath, ['--require', HOOK, executable, ...args], { cwd, encoding: 'utf8', maxBuffer: 1 << 30 });
  const wall = (performance.now() - from) / 1000;
  return { wall, stdout, ...(JSON.parse(readFileSync(REPORT, 'utf8')) as { cpu: number; megabytes: number }) };
}

/** Reads every file that a scan would list, and nothing else: the floor. */
async function reading(root: string): Promise<{ readonly seconds: number; readonly files: number; readonly bytes: number }> {
  const { files } = await discover(root);
  const from = performance.now();
  let bytes = 0;
  for (const { path } of files) bytes += readFileSync(join(root, path)).length;
  return { seconds: (performance.now() - from) / 1000, files: files.length, bytes };
}

interface Stats {
  readonly discovered: number;
  readonly read: number;
  readonly candidates: number;
  readonly parsed: number;
  readonly walks: number;
  readonly programs: number;
  readonly rounds: number;
}

const number = (value: number, digits = 1): string => value.toFixed(digits);

async function report(name: string, root: string): Promise<void> {
  const floor = await reading(root);
  const scan = run(['scan', '.', '--format', 'json'], root);
  const { stats } = JSON.parse(scan.stdout) as { stats: Stats };
  const start = run(['--version'], root).wall;
  const work = Math.max(0.001, scan.wall - start);
  console.log(
    `${name}: ${String(floor.files)} files, ${number(floor.bytes / 1e6)} MB; ${String(stats.candidates)} candidates, ${String(stats.walks)} walks, ${String(stats.programs)} programs`,
  );
  console.log(`  read   ${number(floor.seconds, 2)} s`);
  console.log(
    `  scan   ${number(scan.wall)} s, ${number(scan.cpu)} CPU s, ${number(scan.megabytes, 0)} MB; ${number(work / Math.max(floor.seconds, 0.001))} times the reading; ${number(floor.files / work, 0)} files/s`,
  );
  if (stats.candidates === 0) return;
  const migrate = run(['migrate', '.', '--format', 'json'], root);
  const { patches } = JSON.parse(migrate.stdout) as { patches: readonly { readonly changes: readonly unknown[] }[] };
  const changed = patches.reduce((sum, patch) => sum + patch.changes.length, 0);
  console.log(
    `  migrate ${number(migrate.wall)} s, ${number(migrate.cpu)} CPU s, ${number(migrate.megabytes, 0)} MB; ${number(migrate.cpu - scan.cpu)} CPU s beyond the scan for ${String(changed)} rewritten files, budget ${number(2 + 0.3 * changed)}`,
  );
  const codemod = run(['v1-to-v2', '--dry-run', root], SCRATCH, CODEMOD);
  const said = codemod.stdout.trimEnd().split('\n').at(-1) ?? '';
  console.log(
    `  codemod ${number(codemod.wall)} s, ${number(codemod.cpu)} CPU s, ${number(codemod.megabytes, 0)} MB (imports and signatures only, nothing proved): ${said}`,
  );
}

const PLAIN = (index: number): string =>
  `import { join } from 'node:path';\n\n${Array.from({ length: 40 }, (_, line) => `export const value${String(index)}_${String(line)} = join('berth', '${String(line)}');`).join('\n')}\n`;
const TOOL = (index: number): string =>
  `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nimport { z } from 'zod';\n\nexport function addTool${String(index)}(server: McpServer): void {\n  server.tool('berth-${String(index)}', { ship: z.string() }, async ({ ship }) => ({ content: [{ type: 'text', text: ship }] }));\n}\n`;

function generated(name: string, files: number, candidates: number): string {
  const root = join(SCRATCH, name);
  mkdirSync(join(root, 'src'), { recursive: true });
  const dependencies = candidates > 0 ? { '@modelcontextprotocol/sdk': '^1.20.0', zod: '^3.25.0' } : {};
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name, type: 'module', dependencies }));
  for (let index = 0; index < files; index++) writeFileSync(join(root, 'src', `berth${String(index)}.ts`), index < candidates ? TOOL(index) : PLAIN(index));
  return root;
}

try {
  for (const args of [['--help'], ['rules'], ['explain', 'session-transport']]) {
    const cost = run(args, SCRATCH);
    console.log(`${args.join(' ')}: ${number(cost.wall, 2)} s, ${number(cost.megabytes, 0)} MB`);
  }
  await report('without MCP', generated('plain', 7_000, 0));
  await report('1,100 files, 150 candidates', generated('harbour', 1_100, 150));
  await report('the same twice as large', generated('harbour2', 2_200, 300));
  const installed = join(SCRATCH, 'installed');
  execFileSync('cp', ['-r', join(ROOT, 'node_modules'), installed]);
  await report('node_modules of this project', installed);
  for (const folder of process.argv.slice(2)) await report(folder, resolve(folder));
} finally {
  rmSync(SCRATCH, { recursive: true, force: true });
}
