import { createRequire } from 'node:module';
import { cruise } from 'dependency-cruiser';
import type { IConfiguration } from 'dependency-cruiser';

const root = new URL('../../../', import.meta.url);

/** The part of the layout that a module belongs to; `undefined` for what is not published. */
function partOf(path: string): string | undefined {
  if (path.startsWith('src/dev/')) return undefined;
  const [top, folder = ''] = path.split('/');
  if (top === 'bin') return 'bin';
  if (top === 'src') return folder;
  if (top !== 'transforms') return undefined;
  if (folder === 'index.ts') return 'transforms/index';
  return folder.startsWith('_') ? `transforms/${folder}` : 'transforms/concern';
}

/** Edges that do not follow from two or more others; a picture with all of them hides the direction. */
function reduce(edges: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, ReadonlySet<string>> {
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean => {
    for (const next of edges.get(from) ?? []) {
      if (next === to) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      if (reaches(next, to, seen)) return true;
    }
    return false;
  };
  return new Map(
    [...edges].map(([from, targets]) => [from, new Set([...targets].filter((to) => ![...targets].some((other) => other !== to && reaches(other, to))))]),
  );
}

const idOf = (part: string): string => part.replaceAll(/\W/g, '_');

/** Folders and their imports, as a Mermaid chart, from the real imports of the code. */
export async function renderDependencyPicture(): Promise<string> {
  const { options = {} } = createRequire(import.meta.url)('../../../.dependency-cruiser.cjs') as IConfiguration;
  const { tsConfig: _tsConfig, ...rest } = options;
  const answer = await cruise(['bin', 'src', 'transforms'], { ...rest, baseDir: new URL('.', root).pathname });
  if (typeof answer.output === 'string') throw new Error(answer.output);
  const edges = new Map<string, Set<string>>();
  for (const module of answer.output.modules) {
    const from = partOf(module.source);
    if (from === undefined) continue;
    for (const { resolved } of module.dependencies) {
      const to = partOf(resolved.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
      if (to !== undefined && to !== from) edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  }
  const reduced = reduce(edges);
  const parts = [...new Set([...edges.keys(), ...[...edges.values()].flatMap((targets) => [...targets])])].sort();
  const arrows = [...reduced].flatMap(([from, targets]) => [...targets].map((to) => `  ${idOf(from)} --> ${idOf(to)}`)).sort();
  const nodes = parts.map((part) => `  ${idOf(part)}["${part === 'transforms/concern' ? 'transforms/&lt;concern&gt;' : part}"]`);
  return ['```mermaid', 'flowchart TD', ...nodes, ...arrows, '```', '', 'An arrow that follows from two others is left out.'].join('\n');
}
