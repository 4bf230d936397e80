import { isMap, isScalar, isSeq, type Document, type Node } from 'yaml';
import { lineStarts, siteOf, type Site, type Span } from '../../core/index.js';

/** One document of a data file. Paths are keys and indexes from its root. */
export interface DataDocument {
  /** As plain values; anchors are followed. */
  readonly value: unknown;
  /** Range of the entry under a path, key included; `undefined` when there is none. */
  spanOf(path: readonly (string | number)[]): Span | undefined;
  /** Visits every entry of every mapping with the path to it, in source order. */
  each(visit: (path: readonly (string | number)[], value: unknown) => void): void;
}

/** A parsed data file. */
export interface DataFile {
  readonly path: string;
  readonly text: string;
  readonly documents: readonly DataDocument[];
  site(span: Span, label?: string): Site;
}

/** Kinds that a listener can name. */
export interface DataVisitors {
  readonly Document?: (document: DataDocument) => void;
}

declare module '../../core/concern.js' {
  interface Languages {
    /** YAML, of which JSON is a subset; TOML and JSON with comments of the files that detectors ask for. */
    data: { readonly file: DataFile; readonly visitors: DataVisitors };
  }
}

/** Wraps a document of the `yaml` library. `shift` is added to its offsets: the length of a byte order mark that was cut off. */
export function dataDocument(document: Document, shift = 0): DataDocument {
  const rangeOf = (node: unknown): readonly [number, number] | undefined => {
    const range = (node as Node | null | undefined)?.range;
    return range ? [range[0] + shift, range[1] + shift] : undefined;
  };
  const spanOf = (path: readonly (string | number)[]): Span | undefined => {
    const last = path.at(-1);
    const parent = path.length <= 1 ? document.contents : (document.getIn(path.slice(0, -1), true) as Node | undefined);
    if (last === undefined) {
      const whole = rangeOf(document.contents);
      return whole && { start: whole[0], end: whole[1] };
    }
    if (isMap(parent)) {
      const pair = parent.items.find((item) => (isScalar(item.key) ? item.key.value : item.key) === last);
      const key = rangeOf(pair?.key);
      return key && { start: key[0], end: (rangeOf(pair?.value) ?? key)[1] };
    }
    const item = isSeq(parent) && typeof last === 'number' ? rangeOf(parent.items[last]) : undefined;
    return item && { start: item[0], end: item[1] };
  };
  return documentOver(document.toJS({ maxAliasCount: 100 }) as unknown, spanOf);
}

/** A document over its plain value. */
export function documentOver(value: unknown, spanOf: DataDocument['spanOf']): DataDocument {
  if (holdsItself(value)) throw new RangeError('an anchor stands within itself');
  const each: DataDocument['each'] = (visit) => {
    const pending: { readonly path: readonly (string | number)[]; readonly value: unknown }[] = [{ path: [], value }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { path } = next;
      if (path.length > 0) visit(path, next.value);
      const children = entriesOf(next.value);
      for (let index = children.length - 1; index >= 0; index--) {
        const [key, child] = children[index] as readonly [string | number, unknown];
        pending.push({ path: [...path, key], value: child });
      }
    }
  };
  return { value, spanOf, each };
}

/** YAML can write a list that is its own entry: a walk over it would never end. */
function holdsItself(value: unknown): boolean {
  const around = new Set<unknown>();
  const clean = new Set<unknown>();
  const pending: { readonly value: unknown; readonly leave: boolean }[] = [{ value, leave: false }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.leave) {
      around.delete(next.value);
      clean.add(next.value);
    } else if (around.has(next.value)) return true;
    else if (!clean.has(next.value)) {
      const children = entriesOf(next.value);
      if (children.length === 0) continue;
      around.add(next.value);
      pending.push({ value: next.value, leave: true }, ...children.map(([, child]) => ({ value: child, leave: false })));
    }
  }
  return false;
}

/** What a mapping or list holds. The bytes of a `!!binary` are one value, not a list: recorded traffic has megabytes of them. */
function entriesOf(value: unknown): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.map((child: unknown, index) => [index, child]);
  return value === null || typeof value !== 'object' || ArrayBuffer.isView(value) ? [] : Object.entries(value);
}

/** Builds the file over its documents. */
export function dataFile(path: string, text: string, documents: readonly DataDocument[]): DataFile {
  const starts = lineStarts(text);
  return { path, text, documents, site: (span, label) => siteOf(path, starts, span, label) };
}
