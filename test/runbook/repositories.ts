import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunbookModel, ScanResult } from '../../src/core/index.js';
import { scanRepository, type ScanOptions } from '../../src/engine/index.js';
import { buildRunbook, renderRunbook } from '../../src/runbook/index.js';
import { checks } from '../../transforms/_checks/index.js';
import { knowledge } from '../../transforms/index.js';
import { withTree, type Tree } from '../fixtures-kit/tree.js';
import { shippedTemplates } from './port.js';

/**
 * Small repositories of the runbook tests, each in one text with its files behind `=== path`, so that no tool of this project takes them for its own:
 * `ferry` has everything still ahead, `harbour` has migrated and breaks every rule, `lighthouse` has migrated and keeps them.
 */
export type RepositoryName = 'ferry' | 'harbour' | 'lighthouse';

/** The files of a repository. */
export function treeOf(name: RepositoryName): Tree {
  const text = readFileSync(join(import.meta.dirname, 'repositories', `${name}.txt`), 'utf8');
  const parts = text.split(/^=== (.+)\n/m).slice(1);
  return new Map(parts.flatMap((path, index) => (index % 2 === 0 ? [[path, parts[index + 1] ?? ''] as const] : [])));
}

/** What the tool tells about a repository. */
export interface Told {
  readonly scan: ScanResult;
  readonly model: RunbookModel;
  readonly markdown: string;
}

const DATES = { sunset: '2027-05-31', owner: 'Team Pier' };

/** Scans files and writes the runbook about them. */
export const tell = (tree: Tree, options: ScanOptions = {}): Promise<Told> =>
  withTree(tree, async (root) => {
    const scan = await scanRepository(root, knowledge, { ...DATES, includeTests: true, ...options });
    const named = { ...scan, target: { ...scan.target, root: '/srv/pier' } };
    const model = buildRunbook(named, checks, { ...DATES, now: '2026-11-30', acceptedRisks: options.acceptRisk ?? {} });
    return { scan: named, model, markdown: renderRunbook('runbook', model, shippedTemplates()) };
  });

/** The part of a runbook under a heading of the second level, by its number. */
export const partOf = (markdown: string, number: number): string =>
  new RegExp(`^## ${String(number)}\\. [^\\n]*\\n([\\s\\S]*?)(?=^## |(?![\\s\\S]))`, 'm').exec(markdown)?.[1] ?? '';
