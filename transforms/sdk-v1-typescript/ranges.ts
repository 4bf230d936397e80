/**
 * Lowest version that a range names, as major and minor: enough to tell the lines apart. Catalogs, workspaces, tags and URLs name none.
 */
export function lowestVersion(range: string): readonly [major: number, minor: number] | undefined {
  if (/^(?!npm:)[a-z]+:/.test(range)) return undefined;
  const versions = [...range.matchAll(/(?<![\d.])(\d+)(?:\.(\d+))?/g)].map((match) => [Number(match[1]), Number(match[2] ?? 0)] as const);
  return versions.sort((a, b) => a[0] - b[0] || a[1] - b[1])[0];
}

/** True when the lowest version that a range names is below `major.minor`. */
export function isBelow(range: string, major: number, minor = 0): boolean {
  const version = lowestVersion(range);
  return version !== undefined && (version[0] < major || (version[0] === major && version[1] < minor));
}

/** Packages that take zod schemas, by their name; with zod 4 some fail and some, worse, give an empty answer. */
export const isZodKin = (name: string): boolean => name !== 'zod' && /(^|[^a-z])zod([^a-z]|$)/.test(name);
