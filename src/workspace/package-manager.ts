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
  return [resolved.command, ...words.map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", String.raw`'\''`)}'`))].join(' ');
}
