import type { Fact, FactOf, FactType } from '../../../src/core/index.js';
import type { TypeScriptVisitors } from '../../../src/languages/typescript/index.js';
import { typescript } from '../../../src/languages/typescript/index.js';
import { express } from '../../../transforms/_hosts/express/index.js';
import { sources } from '../../../transforms/_mcp/sources.js';

/** Facts that sources and the Express adapter see in one file. `files` are the other paths of the repository. */
export function factsIn(text: string, path = 'server.ts', files: readonly string[] = []): readonly Fact[] {
  const { file, problem } = typescript.parse(path, text);
  if (file === undefined) throw new Error(`${path} does not parse: ${problem.reason}`);
  const facts: Fact[] = [];
  const known = new Set(files);
  const around = { has: (other: string) => known.has(other), package: { folder: '.', moduleType: 'module' as const } };
  const listeners: TypeScriptVisitors[] = [];
  const endings: (() => void)[] = [];
  for (const { detect } of [...sources, express]) {
    const { end, ...visitors } =
      detect.typescript?.(file, { fact: (fact) => facts.push(fact), finding: () => undefined, gap: () => undefined, site: (at) => file.site(at) }, around) ??
      {};
    listeners.push(visitors);
    if (end) endings.push(end);
  }
  typescript.walk(file, listeners);
  for (const end of endings) end();
  return facts;
}

/** The facts of one type in one file. */
export const factsOfType = <T extends FactType>(type: T, text: string, path?: string, files?: readonly string[]): readonly FactOf<T>[] =>
  factsIn(text, path, files).filter((fact): fact is FactOf<T> => fact.type === type);
