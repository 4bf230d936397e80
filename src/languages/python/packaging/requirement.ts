import type { Span, TextEdit } from '../../../core/index.js';

/** What a list of requirements is for. */
export type Purpose = 'runtime' | 'extra' | 'group' | 'constraint' | 'build';

/** One stated requirement of a Python distribution. */
export interface Requirement {
  /** Normalised: lower case, runs of `-`, `_` and `.` as one `-`. */
  readonly name: string;
  readonly extras: readonly string[];
  /** As written, without spaces around it; empty when any version will do. */
  readonly specifier: string;
  /** The whole requirement, quotes left out. */
  readonly span: Span;
  /** What a new specifier replaces; empty when there is none yet. */
  readonly specifierSpan: Span;
  /** The table or list, for people: `project.dependencies`, `dependency-groups.dev`, `requirements`. */
  readonly place: string;
  readonly purpose: Purpose;
  /** Why it is left to a person: a path, a repository, hashes, a computed value. */
  readonly frozen?: string;
  /** Edits that put another requirement next to this one; `undefined` when the place has no room for it. */
  readonly beside?: (name: string, specifier: string) => readonly TextEdit[];
  /** Poetry and Pipfile want `"*"` or a range in a value of its own. */
  readonly valued?: boolean;
}

/** PEP 503. */
export const normalName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

const REQUIREMENT = /^(\s*)([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)(\s*\[([^\]]*)\])?(\s*)(\(([^)]*)\)|@[^;]*|[^;@#(]*?)(\s*)(?:;|\s#|$)/;

/** A PEP 508 requirement; `start` is the offset of the text in its file. `undefined` for what is none (a path, an option). */
export function parseRequirement(text: string, start: number): Omit<Requirement, 'place' | 'purpose'> | undefined {
  const match = REQUIREMENT.exec(text);
  if (!match) return undefined;
  const [, lead = '', name = '', extras = '', inner = '', space = '', version = ''] = match;
  const at = start + lead.length;
  const afterName = at + name.length + extras.length;
  const from = afterName + space.length;
  const clauses = /^\s*(?:(?:===|==|~=|!=|>=|<=|>|<)\s*[^\s,]+\s*(?:,\s*|$))*$/;
  const url = version.startsWith('@');
  const bare = version.startsWith('(') ? (match[7] ?? '') : version;
  if (!url && !clauses.test(bare)) return undefined;
  const end = from + version.length;
  const shared = {
    name: normalName(name),
    extras: inner
      .split(',')
      .map((extra) => extra.trim())
      .filter((extra) => extra !== ''),
    span: { start: at, end: end + (version === '' ? -space.length : 0) },
  };
  if (url) return { ...shared, specifier: '', specifierSpan: { start: from, end }, frozen: `it comes from ${version.slice(1).trim()}` };
  const empty = version === '';
  const specifierSpan = empty ? { start: afterName, end: afterName } : { start: from, end: end - (version.length - version.trimEnd().length) };
  return { ...shared, specifier: bare.trim(), specifierSpan };
}
