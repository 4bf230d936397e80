import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadyFile } from './options.js';
import { packageFolder, version } from './version.js';

/** Files that a repository or a fleet takes over as they are, below `templates/`. */
const FILES: Readonly<Record<ReadyFile, string>> = {
  workflow: 'ci/workflow.yml',
  suggest: 'ci/suggest.yml',
  'pre-commit': 'ci/pre-commit.yaml',
  renovate: 'ci/renovate.json',
  dependabot: 'ci/dependabot.yml',
  matrix: 'fleet/matrix.yml',
  kubernetes: 'fleet/kubernetes.yaml',
  'multi-gitter': 'fleet/multi-gitter.yaml',
  sourcegraph: 'fleet/sourcegraph.yaml',
};

/** Places of a ready file that depend on who takes it. */
export interface Placeholders {
  /** Default branch. */
  readonly branch: string;
  /** Folder to scan, from the top of the repository. */
  readonly path: string;
}

/** One ready file with its places filled: this version of the tool, the branch, the folder. */
export function readyFile(name: ReadyFile, { branch, path }: Placeholders): string {
  const values: Readonly<Record<string, string>> = { VERSION: version, BRANCH: branch, PATH: path };
  return readFileSync(join(packageFolder, 'templates', FILES[name]), 'utf8').replace(/@(VERSION|BRANCH|PATH)@/g, (_whole, key: string) => values[key] ?? '');
}
