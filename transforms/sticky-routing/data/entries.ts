import type { DataDocument } from '../../../src/languages/data/file.js';
import { leadsToMcp, type ByKey, type Kind } from '../words.js';

export type Path = readonly (string | number)[];
type Values = Readonly<Record<string, unknown>>;

/** An entry of a document that is understood: what is said of it, and under which path it stands. */
export interface Entry {
  readonly kind: Kind;
  readonly path: Path;
  /** Values of the messages; the holder is that of the document when none is given. */
  readonly data: Readonly<Record<string, string>>;
  readonly evidence: string;
  readonly possible?: boolean;
  /** For what routes by the session id. */
  readonly byKey?: ByKey;
}

/** One object of a file, as a cluster or a proxy sees it. */
export interface Manifest {
  readonly document: DataDocument;
  readonly object: Values;
  /** `kind` of Kubernetes; empty for other data. */
  readonly kind: string;
}

/** A value as a mapping; an empty one when it is something else. */
export const record = (value: unknown): Values => (value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Values) : {});
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** True when a value names MCP or a path of it, in its keys or texts. */
export const mentions = (...values: readonly unknown[]): boolean => leadsToMcp(JSON.stringify(values));

/** The value under the first `length` parts of a path. */
export const above = (document: DataDocument, path: Path, length: number): unknown =>
  path
    .slice(0, length)
    .reduce<unknown>((value, key) => (Array.isArray(value) ? (value as readonly unknown[])[Number(key)] : record(value)[String(key)]), document.value);

/** Entries under a key, wherever it stands, with their paths. */
export function under(document: DataDocument, keys: RegExp): readonly { readonly path: Path; readonly value: unknown }[] {
  const found: { readonly path: Path; readonly value: unknown }[] = [];
  document.each((path, value) => {
    const key = path.at(-1);
    if (typeof key === 'string' && keys.test(key)) found.push({ path, value });
  });
  return found;
}

/** Names and images of the containers that a workload runs. The rest of a container may name MCP because it is a client, or stands beside a server. */
export const containersOf = (spec: Values): readonly unknown[] =>
  list(record(record(spec.template).spec).containers).map((container) => [record(container).name, record(container).image]);
