import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, tail } from '../command.js';
import { ROOT } from '../server-process.js';

/** The line of the SDK that an environment holds. */
export type SdkLine = 1 | 2;

/** An installed environment. */
export interface Venv {
  readonly line: SdkLine;
  readonly python: string;
}

const CACHE = join(ROOT, '.cache', 'python');

/** Pinned, so that a result says the same tomorrow. */
const PACKAGES: Readonly<Record<SdkLine, readonly string[]>> = {
  1: ['mcp[cli]==1.28.1', 'pytest==8.4.2', 'uvicorn==0.38.0', 'pillow==11.3.0'],
  2: ['mcp[cli]==2.3.0', 'pytest==8.4.2', 'uvicorn==0.38.0', 'pillow==11.3.0'],
};

const NAMES = ['python3.13', 'python3.12', 'python3.11', 'python3.10', 'python3', 'python'];

let known: Promise<string | undefined> | undefined;

/** A Python of 3.10 or later that can make environments; `undefined` where there is none. */
export const findPython = (): Promise<string | undefined> => (known ??= search());

async function search(): Promise<string | undefined> {
  for (const name of NAMES) {
    const outcome = await runCommand(name, ['-c', 'import sys, venv, ensurepip; print(sys.executable if sys.version_info >= (3, 10) else "")'], ROOT);
    const path = outcome.stdout.trim();
    if (outcome.code === 0 && path !== '') return path;
  }
  return undefined;
}

/**
 * An environment with one line of the SDK, made once and kept in `.cache/python`. `undefined` where there is no Python: the suite was not run.
 * @throws Error with the output of pip when the installation fails
 */
export async function ensureVenv(line: SdkLine): Promise<Venv | undefined> {
  const python = await findPython();
  if (python === undefined) return undefined;
  const key = createHash('sha256')
    .update(`${python}\n${PACKAGES[line].join('\n')}`)
    .digest('hex')
    .slice(0, 12);
  const home = join(CACHE, `sdk-${String(line)}-${key}`);
  const own = join(home, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  if (existsSync(join(home, 'complete'))) return { line, python: own };
  // An environment knows its own path, so it is built in place; what another run left half done goes first.
  rmSync(home, { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  const made = await runCommand(python, ['-m', 'venv', home], ROOT);
  if (made.code !== 0) throw new Error(`python -m venv failed:\n${tail(made)}`);
  const installed = await runCommand(own, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES[line]], ROOT);
  if (installed.code !== 0) throw new Error(`pip install ${PACKAGES[line].join(' ')} failed:\n${tail(installed)}`);
  writeFileSync(join(home, 'installing'), '');
  renameSync(join(home, 'installing'), join(home, 'complete'));
  return { line, python: own };
}
