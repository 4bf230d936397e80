import semver from 'semver';
import type { Need } from '../../core/index.js';
import { byText, groupBy } from '../order.js';
import { canonical } from './proposal.js';

export type NeedOf<K extends Need['kind']> = Extract<Need, { kind: K }>;

const keyOf = (need: Need): string => {
  switch (need.kind) {
    case 'import':
      return `import ${need.file} ${need.module} ${need.name} ${need.as ?? ''}`;
    case 'dependency':
    case 'engine':
      return `${need.kind} ${need.manifest} ${need.name}`;
    case 'shim':
      return `shim ${need.path}`;
  }
};

/** Two needs with one shim path that want different files. */
export class NeedConflict extends Error {
  constructor(readonly path: string) {
    super(`two files are wanted at ${path}`);
    this.name = 'NeedConflict';
  }
}

/**
 * Needs without duplicates, in a fixed order: a value import covers a type import of the same name, a dependency that is needed is
 * not removed, and the higher minimum of two ranges wins.
 * @throws NeedConflict
 */
export function mergeNeeds(needs: readonly Need[]): readonly Need[] {
  return [...groupBy(needs, keyOf)].sort(([a], [b]) => byText(a, b)).map(([, same]) => same.reduce(merge));
}

function merge(a: Need, b: Need): Need {
  if (a.kind === 'import' && b.kind === 'import') return a.typeOnly === true ? b : a;
  if (a.kind === 'dependency' && b.kind === 'dependency') return a.remove === true ? b : b.remove === true ? a : { ...a, ...higher(a.range, b.range) };
  if (a.kind === 'engine' && b.kind === 'engine') return { ...a, range: higher(a.range, b.range).range ?? a.range };
  if (a.kind === 'shim' && b.kind === 'shim' && (a.template !== b.template || canonical(a.model) !== canonical(b.model))) throw new NeedConflict(a.path);
  return a;
}

function higher(a: string | undefined, b: string | undefined): { readonly range?: string } {
  if (a === undefined || b === undefined) return a === undefined ? (b === undefined ? {} : { range: b }) : { range: a };
  const low = semver.validRange(a) === null ? null : semver.minVersion(a);
  const high = semver.validRange(b) === null ? null : semver.minVersion(b);
  if (!low || !high) return { range: a < b ? b : a };
  const order = semver.compare(low, high);
  return { range: order > 0 || (order === 0 && a <= b) ? a : b };
}
