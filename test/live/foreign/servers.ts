import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, tail } from '../command.js';
import { installOnce } from '../install.js';
import { ROOT } from '../server-process.js';

const HERE = join(ROOT, 'test', 'live', 'foreign');
const CACHE = join(ROOT, '.cache', 'live');

/** Versions of the official SDKs that are judged. */
const PINNED = { go: 'v1.8.0', python: '2.3.0' } as const;

/** A server on an official SDK that nobody here wrote the protocol of. */
export interface ForeignServer {
  readonly name: string;
  readonly sdk: string;
  /** Builds or installs it, once; gives the command of the server over each transport. `{port}` is filled in. */
  readonly prepare: () => Promise<{ readonly http?: readonly string[]; readonly stdio: readonly string[] }>;
  /** Options of `verify` that let its tools be called. */
  readonly options: readonly string[];
}

async function must(command: string, args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const assignments = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const outcome = await (assignments.length === 0 ? runCommand(command, args, cwd) : runCommand('env', [...assignments, command, ...args], cwd));
  if (outcome.code !== 0) throw new Error(`${command} ${args.join(' ')}:\n${tail(outcome)}`);
}

async function goBinary(path: string): Promise<string> {
  const bin = join(CACHE, `go-sdk-${PINNED.go}`);
  const binary = join(bin, path.split('/').at(-1) ?? '');
  mkdirSync(bin, { recursive: true });
  if (!existsSync(binary)) await must('go', ['install', `github.com/modelcontextprotocol/go-sdk/${path}@${PINNED.go}`], bin, { GOBIN: bin });
  return binary;
}

async function pythonOf(): Promise<string> {
  const folder = join(CACHE, `python-mcp-${PINNED.python}`);
  const python = join(folder, 'bin', 'python');
  if (!existsSync(join(folder, 'complete'))) {
    mkdirSync(folder, { recursive: true });
    await must('python3', ['-m', 'venv', folder], CACHE);
    await must(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `mcp==${PINNED.python}`], folder);
    writeFileSync(join(folder, 'complete'), '');
  }
  return python;
}

async function rustBinary(): Promise<string> {
  const target = join(CACHE, 'rust-target');
  mkdirSync(target, { recursive: true });
  await must('cargo', ['build', '--quiet', '--locked'], join(HERE, 'rust'), { CARGO_TARGET_DIR: target });
  return join(target, 'debug', 'shop');
}

const SHOP = ['--allow-tool', 'price', '--tool', 'eliciting=remove'];

/** A legacy server on stdio, as the tool leaves it without a hand edit. */
async function migratedGlazes(): Promise<string> {
  const folder = join(CACHE, 'stdio-glazes');
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(ROOT, 'test', 'live', 'shapes', 'stdio-glazes'), folder, { recursive: true });
  await must(process.execPath, [join(ROOT, 'bin', 'unsession.js'), 'migrate', '.', '--write', '--allow-dirty'], folder);
  await installOnce(folder);
  return join(folder, 'server.js');
}

/** The official SDKs, a migrated server, and the servers that the Go SDK ships as its own examples. */
export const FOREIGN: readonly ForeignServer[] = [
  {
    name: 'typescript',
    sdk: '@modelcontextprotocol/server',
    prepare: () => {
      const script = join(HERE, 'typescript', 'shop.mjs');
      return Promise.resolve({ http: [process.execPath, script, 'http', '{port}'], stdio: [process.execPath, script, 'stdio'] });
    },
    options: [...SHOP, '--allow-tool', 'ship'],
  },
  {
    name: 'typescript, migrated',
    sdk: '@modelcontextprotocol/server',
    prepare: async () => ({ stdio: [process.execPath, await migratedGlazes()] }),
    options: ['--allow-tool', 'price'],
  },
  {
    name: 'python',
    sdk: `mcp ${PINNED.python}`,
    prepare: async () => {
      const command = [await pythonOf(), join(HERE, 'python', 'shop.py')];
      return { http: [...command, 'http', '{port}'], stdio: [...command, 'stdio'] };
    },
    options: [...SHOP, '--allow-tool', 'count'],
  },
  {
    name: 'rust',
    sdk: 'rmcp 3.11.0',
    prepare: async () => {
      const binary = await rustBinary();
      return { http: [binary, 'http', '{port}'], stdio: [binary, 'stdio'] };
    },
    options: SHOP,
  },
  {
    name: 'go, everything-server',
    sdk: `go-sdk ${PINNED.go}`,
    prepare: async () => {
      const binary = await goBinary('conformance/everything-server');
      return { http: [binary, '-http', '127.0.0.1:{port}'], stdio: [binary] };
    },
    options: [
      ...['test_simple_text', 'test_tool_with_progress', 'test_tool_with_logging', 'test_x_mcp_header', 'test_missing_capability'],
      ...['test_input_required_result_elicitation', 'test_input_required_result_tampered_state'],
    ]
      .flatMap((name) => ['--allow-tool', name])
      .concat('--tool', 'change=test_trigger_tool_change'),
  },
  {
    name: 'go, hello',
    sdk: `go-sdk ${PINNED.go}`,
    prepare: async () => ({ stdio: [await goBinary('examples/server/hello')] }),
    options: [],
  },
];
