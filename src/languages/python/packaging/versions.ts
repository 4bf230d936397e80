/** A version as far as ranges need it: release numbers and how early it is before the release (0 = the release itself). */
export interface Version {
  readonly release: readonly number[];
  /** -1 for a pre-release or development version, 1 for a post-release. */
  readonly stage: -1 | 0 | 1;
}

interface Bound {
  readonly version: Version;
  readonly inclusive: boolean;
}

/** The versions that a specifier allows, as one interval; exclusions (`!=`) are left out of account. */
export interface VersionRange {
  readonly lower?: Bound;
  readonly upper?: Bound;
}

const VERSION = /^v?(?:\d+!)?(\d+(?:\.\d+)*)([-_.]?(?:a|b|c|rc|alpha|beta|pre|preview|dev)[-_.]?\d*)?([-_.]?(?:post|rev|r)[-_.]?\d*)?/i;

/** Reads a PEP 440 version; `undefined` for anything else. */
export function parseVersion(text: string): Version | undefined {
  const match = VERSION.exec(text.trim());
  if (!match?.[1]) return undefined;
  return { release: match[1].split('.').map(Number), stage: match[2] ? -1 : match[3] ? 1 : 0 };
}

/** Negative, zero or positive, as a comparator; missing release numbers count as zero. */
export function compareVersions(a: Version, b: Version): number {
  for (let i = 0; i < Math.max(a.release.length, b.release.length); i++) {
    const difference = (a.release[i] ?? 0) - (b.release[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.stage - b.stage;
}

/** The first version above all that begin with these numbers. */
const next = (release: readonly number[]): Version => ({
  release: [...release.slice(0, -1), (release.at(-1) ?? 0) + 1],
  stage: 0,
});

/** Upper end of a caret range: the first number that is not zero goes up. */
function caretEnd(release: readonly number[]): Version {
  const at = release.findIndex((part) => part !== 0);
  return next(release.slice(0, (at < 0 ? release.length - 1 : at) + 1));
}

function clauseRange(clause: string): VersionRange | undefined {
  const match = /^(===|==|~=|!=|>=|<=|>|<|\^|~|=)?\s*(.+)$/.exec(clause.trim());
  const operator = match?.[1] ?? '==';
  const body = (match?.[2] ?? '').trim();
  if (body === '*' || operator === '!=') return {};
  const wild = /^(.*?)\.\*$/.exec(body);
  const version = parseVersion(wild?.[1] ?? body);
  if (!version) return undefined;
  const from = (upper?: Version): VersionRange => ({
    lower: { version, inclusive: true },
    ...(upper ? { upper: { version: upper, inclusive: false } } : {}),
  });
  switch (operator) {
    case '>=':
      return from();
    case '>':
      return { lower: { version, inclusive: false } };
    case '<':
      return { upper: { version, inclusive: false } };
    case '<=':
      return { upper: { version, inclusive: true } };
    case '^':
      return from(caretEnd(version.release));
    case '~':
      return from(next(version.release.slice(0, Math.max(1, Math.min(2, version.release.length)))));
    case '~=':
      return from(next(version.release.slice(0, Math.max(1, version.release.length - 1))));
    default:
      return wild ? from(next(version.release)) : { lower: { version, inclusive: true }, upper: { version, inclusive: true } };
  }
}

const higher = (a: Bound, b: Bound): Bound => {
  const order = compareVersions(a.version, b.version);
  return order > 0 || (order === 0 && !a.inclusive) ? a : b;
};
const lower = (a: Bound, b: Bound): Bound => {
  const order = compareVersions(a.version, b.version);
  return order < 0 || (order === 0 && !a.inclusive) ? a : b;
};

/**
 * The interval of a specifier: PEP 440 clauses (`>=1.9,<2`) and the caret, tilde and bare versions of Poetry. An empty specifier allows
 * everything; `undefined` is returned for what cannot be read.
 */
export function parseRange(specifier: string): VersionRange | undefined {
  // Poetry's alternatives: what holds for all of them is the hull, and nobody pins an SDK that way.
  if (specifier.includes('||')) return undefined;
  let range: VersionRange = {};
  for (const clause of specifier.split(',')) {
    if (clause.trim() === '') continue;
    const one = clauseRange(clause);
    if (!one) return undefined;
    const low = range.lower && one.lower ? higher(range.lower, one.lower) : (range.lower ?? one.lower);
    const high = range.upper && one.upper ? lower(range.upper, one.upper) : (range.upper ?? one.upper);
    range = { ...(low ? { lower: low } : {}), ...(high ? { upper: high } : {}) };
  }
  return range;
}

/** How a declared specifier relates to a needed one. */
export type Relation =
  /** It allows nothing else. */
  | 'within'
  /** It allows versions that are too low, or too high without a limit: it has to be replaced. */
  | 'below'
  /** It starts above everything that is needed. */
  | 'above'
  /** It is no version range. */
  | 'unknown';

/** Compares two specifiers; neither is looked up anywhere. */
export function relate(declared: string, needed: string): Relation {
  const own = parseRange(declared);
  const wanted = parseRange(needed);
  if (!own || !wanted) return 'unknown';
  if (own.lower && wanted.upper) {
    const order = compareVersions(own.lower.version, wanted.upper.version);
    if (order > 0 || (order === 0 && !(own.lower.inclusive && wanted.upper.inclusive))) return 'above';
  }
  return covers(own.lower, wanted.lower, higher) && covers(own.upper, wanted.upper, lower) ? 'within' : 'below';
}

/** True when a bound is at least as strict as the wanted one. */
function covers(own: Bound | undefined, wanted: Bound | undefined, stricter: (a: Bound, b: Bound) => Bound): boolean {
  if (!wanted || !own) return !wanted;
  return stricter(own, wanted) === own || (own.inclusive === wanted.inclusive && compareVersions(own.version, wanted.version) === 0);
}

/** True when the specifier allows a version of this major line. */
export function allowsMajor(specifier: string, major: number): boolean {
  const range = parseRange(specifier);
  if (!range) return false;
  const first: Version = { release: [major], stage: 0 };
  const after: Version = { release: [major + 1], stage: 0 };
  if (range.lower && compareVersions(range.lower.version, after) >= 0) return false;
  if (!range.upper) return true;
  const order = compareVersions(range.upper.version, first);
  return order > 0 || (order === 0 && range.upper.inclusive);
}
