/**
 * Small repositories in our own words, and everything that is found in them: place, kind, severity, certainty, category, lane. A story under which
 * nothing is listed is a silence that must hold. One scan reads them all, each as a package of its own.
 * After a change of a detector run it with `-u`, and read what moved in `*.found`.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/core/index.js';
import { scanRepository } from '../../src/engine/index.js';
import { knowledge } from '../../transforms/index.js';
import { withTree } from '../fixtures-kit/tree.js';

const DOCUMENTS = ['sessions', 'peers'] as const;

interface Story {
  readonly title: string;
  readonly folder: string;
  readonly files: ReadonlyMap<string, string>;
}

/** Stories of a document: a heading, and a fence for each file that names its path. */
function storiesOf(name: string): readonly Story[] {
  const [, ...parts] = readFileSync(new URL(`fixtures/${name}.md`, import.meta.url), 'utf8').split(/^## /m);
  return parts.map((part, index) => {
    const title = part.slice(0, part.indexOf('\n'));
    const fences = [...part.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)];
    const folder = `${name}-${String(index + 1)}`;
    const manifest = JSON.stringify({ name: folder, type: 'module', private: true });
    return { title, folder, files: new Map([['package.json', manifest], ...fences.map(([, path = '', text = '']) => [path, text] as const)]) };
  });
}

const line = ({ id, site, impact, certainty, category, lane }: Finding, folder: string): string =>
  `  ${site.file.slice(folder.length + 1)}:${String(site.line)} ${id} ${impact} ${certainty} ${category} ${lane}`;

describe('what is found, and what is not', () => {
  it('in small repositories', async () => {
    const documents = DOCUMENTS.map((name) => ({ name, stories: storiesOf(name) }));
    const tree = new Map(
      documents.flatMap(({ stories }) => stories.flatMap(({ folder, files }) => [...files].map(([path, text]) => [`${folder}/${path}`, text] as const))),
    );
    const { findings, notAnalysed } = await withTree(tree, (root) => scanRepository(root, knowledge, { includeTests: true }));
    expect(notAnalysed).toEqual([]);
    for (const { name, stories } of documents) {
      const told = stories.map(({ title, folder }) => {
        const own = findings.filter(({ site, id }) => site.file.startsWith(`${folder}/`) && id !== 'sdk-v1-typescript/sdk-import');
        return [title, ...own.map((finding) => line(finding, folder)), ''].join('\n');
      });
      await expect(told.join('\n')).toMatchFileSnapshot(`${name}.found`);
    }
  });
});
