import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { detect, LOCKS, resolveCommand } from 'package-manager-detector';
import type { Agent, Command } from 'package-manager-detector';
import { gitState } from './git.js';

/** The package manager of a repository and how commands are spelled for it. */
export interface PackageManager {
  /** `npm`, `pnpm`, `yarn`, `bun`, `deno`, … */
  readonly name: string;
  /** Name with dialect, e.g. `yarn@berry`. */
  readonly agent: string;
  /** Relative to the root, also above it (`../pnpm-lock.yaml`); `undefined` when there is none yet. It is never edited. */
  readonly lockFile: string | undefined;
  /** The command that brings the lock file up to date with the manifests. */
  readonly install: string;
  /** Runs a script of `package.json`. */
  run(script: string): string;
  /** Runs a locally installed program. */
  execute(program: string, ...args: readonly string[]): string;
}

/** Finds the package manager from lock files and the `packageManager` field, at the root or above it inside the work tree; npm when nothing says otherwise. */
export async function packageManager(root: string): Promise<PackageManager> {
  const top = resolve((await gitState(root))?.top ?? root);
  const found = await detect({ cwd: root, stopDir: top });
  const agent: Agent = found?.agent ?? 'npm';
  return {
    name: found?.name ?? 'npm',
    agent,
    lockFile: lockFile(root, top),
    install: spell(agent, 'install', []),
    run: (script) => spell(agent, 'run', [script]),
    execute: (program, ...args) => spell(agent, 'execute-local', [program, ...args]),
  };
}

/** How each lock file or manifest of Python is installed, the most telling first. */
const PYTHON_INSTALLS: readonly (readonly [file: string, command: (folder: string) => string])[] = [
  ['uv.lock', (folder) => (folder === '.' ? 'uv sync' : `uv sync --project ${word(folder)}`)],
  ['poetry.lock', (folder) => (folder === '.' ? 'poetry install' : `poetry -C ${word(folder)} install`)],
  ['requirements.txt', (folder) => `pip install -r ${word(folder === '.' ? 'requirements.txt' : `${folder}/requirements.txt`)}`],
  ['pyproject.toml', (folder) => `pip install ${word(folder)}`],
  ['setup.py', (folder) => `pip install ${word(folder)}`],
];

const word = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`);

/**
 * The command that brings the installed dependencies in line with the manifests; `undefined` where no manifest says what to install.
 * @param folders folders of the packages in question, relative to the root
 */
export async function installCommand(root: string, folders: readonly string[]): Promise<string | undefined> {
  const places = [...new Set(['.', ...folders])];
  if (places.some((folder) => existsSync(join(root, folder, 'package.json')))) return (await packageManager(root)).install;
  for (const [file, command] of PYTHON_INSTALLS) {
    const folder = places.find((place) => existsSync(join(root, place, file)));
    if (folder !== undefined) return command(folder);
  }
  return undefined;
}

/** The library also lists workspace files, which are written by hand. */
const LOCK_FILES = Object.keys(LOCKS).filter((name) => /lock|shrinkwrap/.test(name));

function lockFile(root: string, top: string): string | undefined {
  for (let folder = resolve(root); ; folder = dirname(folder)) {
    for (const name of LOCK_FILES) {
      const path = join(folder, name);
      if (existsSync(path)) return relative(root, path).split(sep).join('/');
    }
    if (folder === top || folder === dirname(folder)) return undefined;
  }
}

function spell(agent: Agent, command: Command, args: readonly string[]): string {
  const resolved = resolveCommand(agent, command, [...args]);
  if (!resolved) return [agent.split('@', 1)[0], ...args].join(' ');
  const words = resolved.args.map((arg, index) => (index === 0 && arg === 'i' ? 'install' : arg));
  return [resolved.command, ...words.map(word)].join(' ');
}
