import type { Need, Span, TextEdit } from '../../../core/index.js';
import { cfgPython, cfgRequirements, fileRequirements } from './lines.js';
import { normalName, type Requirement } from './requirement.js';
import { scriptPython, scriptRequirements } from './script.js';
import { setupPython, setupRequirements } from './setup-py.js';
import { tomlPython, tomlRequirements } from './toml.js';
import { relate } from './versions.js';

export type { Purpose, Requirement } from './requirement.js';
export { allowsMajor, compareVersions, parseRange, parseVersion } from './versions.js';

type PackagingNeed = Extract<Need, { kind: 'dependency' | 'engine' }>;

interface Reader {
  requirements(text: string): readonly Requirement[];
  python(text: string): readonly { readonly specifier: string; readonly span: Span }[];
}

const READERS: readonly (readonly [RegExp, Reader])[] = [
  [/(?:^|\/)(?:pyproject\.toml|Pipfile)$/, { requirements: tomlRequirements, python: tomlPython }],
  [/(?:^|\/)setup\.cfg$/, { requirements: cfgRequirements, python: cfgPython }],
  [/(?:^|\/)setup\.py$/, { requirements: setupRequirements, python: setupPython }],
  [/\.pyw?$/, { requirements: scriptRequirements, python: scriptPython }],
  [/(?:^|\/)[^/]*constraints[^/]*\.(?:txt|in)$/i, { requirements: (text) => fileRequirements(text, true), python: () => [] }],
  [
    /(?:^|\/)(?:[^/]*requirements[^/]*\.(?:txt|in)|requirements\/[^/]+\.(?:txt|in))$/i,
    { requirements: (text) => fileRequirements(text, false), python: () => [] },
  ],
];

const readerOf = (path: string): Reader | undefined => READERS.find(([pattern]) => pattern.test(path))?.[1];

/**
 * The requirements that a packaging file states, in source order.
 * @throws SyntaxError when the file is TOML and does not parse
 */
export const requirementsOf = (path: string, text: string): readonly Requirement[] => readerOf(path)?.requirements(text) ?? [];

interface Settled {
  readonly edits: readonly TextEdit[];
  readonly unmet: readonly { readonly need: PackagingNeed; readonly reason: string }[];
}

/**
 * Edits that satisfy the needs of a Python packaging file, and the needs that it leaves to a person. A specifier is replaced when it allows
 * less or more than what is needed, and never lowered; name, extras, marker, quotes and comments stay. A missing requirement goes next to `mcp`,
 * in the list that is installed by default if `mcp` is there, else in each list that names it.
 * @throws SyntaxError when the file is TOML and does not parse
 */
export function settlePackaging(path: string, text: string, needs: readonly PackagingNeed[]): Settled {
  const reader = readerOf(path);
  if (!reader) return { edits: [], unmet: needs.map((need) => ({ need, reason: `${need.name} is declared in a way that is not edited` })) };
  const stated = reader.requirements(text);
  const edits: TextEdit[] = [];
  const unmet: { readonly need: PackagingNeed; readonly reason: string }[] = [];
  for (const need of needs) {
    const range = need.range;
    if (range === undefined) continue;
    if (need.kind === 'engine') {
      for (const { specifier, span } of reader.python(text)) if (relate(specifier, range) === 'below') edits.push(raisePython(specifier, span, range));
      continue;
    }
    const own = stated.filter((one) => one.name === normalName(need.name));
    for (const one of own) {
      const problem = replace(one, range, edits);
      if (problem !== undefined) unmet.push({ need, reason: `${one.place} ${one.name}: ${problem}` });
    }
    if (own.length === 0) unmet.push(...add(stated, need.name, range, edits).map((reason) => ({ need, reason })));
  }
  return { edits: joined(edits), unmet };
}

function replace(one: Requirement, range: string, edits: TextEdit[]): string | undefined {
  if (one.frozen !== undefined) return `${one.frozen}; raise it to ${range} there`;
  const relation = one.specifier === '' ? 'below' : relate(one.specifier, range);
  if (relation === 'within') return undefined;
  if (relation === 'above') return `"${one.specifier}" is above ${range}; check that it still works`;
  if (relation === 'unknown') return `"${one.specifier}" is not understood; state ${range} by hand`;
  edits.push({ start: one.specifierSpan.start, end: one.specifierSpan.end, text: range });
  return undefined;
}

function add(stated: readonly Requirement[], name: string, range: string, edits: TextEdit[]): readonly string[] {
  const homes = stated.filter((one) => one.name === 'mcp' && one.purpose !== 'constraint' && one.purpose !== 'build');
  const runtime = homes.filter((one) => one.purpose === 'runtime');
  const places = (runtime.length > 0 ? runtime.slice(0, 1) : homes).filter((one) => one.beside !== undefined);
  for (const place of places) edits.push(...(place.beside?.(name, range) ?? []));
  return places.length > 0 ? [] : [`${name} ${range} has to be declared by hand`];
}

/** The minimum goes up; an upper end stays when it is still above. */
function raisePython(specifier: string, span: Span, range: string): TextEdit {
  if (specifier.trim().startsWith('^')) return { start: span.start, end: span.end, text: range.replace(/^>=/, '^') };
  const upper = specifier.split(',').filter((clause) => /^\s*(?:<|!=)/.test(clause));
  const text = [range, ...upper.map((clause) => clause.trim())].join(',');
  return { start: span.start, end: span.end, text };
}

/** Insertions at one place become one, in the order in which they were asked for. */
function joined(edits: readonly TextEdit[]): readonly TextEdit[] {
  const result: TextEdit[] = [];
  for (const edit of edits) {
    const index = result.findIndex((other) => other.start === edit.start && other.end === edit.end && edit.start === edit.end);
    const other = result[index];
    if (other) result[index] = { ...other, text: other.text === ',' && edit.text === ',' ? ',' : other.text + edit.text };
    else result.push(edit);
  }
  return result.sort((a, b) => a.start - b.start || a.end - b.end);
}
