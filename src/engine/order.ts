import type { Finding, Site } from '../core/index.js';

/** Order by code units: the same on every machine, unlike `localeCompare`. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Order of places: by file, then by position. */
export const bySite = (a: Site, b: Site): number => byText(a.file, b.file) || a.span.start - b.span.start || a.span.end - b.span.end;

/** Order of findings: by place, then by rule. */
export const byPlace = (a: Finding, b: Finding): number => bySite(a.site, b.site) || byText(a.id, b.id);

/** One string for one place. */
export const siteKey = (site: Site): string => `${site.file}:${site.span.start}-${site.span.end}`;

/** Places without duplicates, in order. */
export function uniqueSites(sites: readonly Site[]): readonly Site[] {
  return [...new Map(sites.map((site) => [siteKey(site), site])).values()].sort(bySite);
}

/** Strings without duplicates, in order. */
export const uniqueTexts = <T extends string>(texts: Iterable<T>): readonly T[] => [...new Set(texts)].sort(byText);

/** Groups in order of first appearance. */
export function groupBy<T>(items: Iterable<T>, key: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}
