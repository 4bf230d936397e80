import { findNodeAtLocation, parseTree, type JSONPath } from 'jsonc-parser';

/** One entry of a JSON object, with the range of its text. */
export interface Property {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** End of the name and start of the value: between them stands the colon. */
  readonly nameEnd: number;
  readonly valueStart: number;
}

/** Entries of the object at a path, in order; `undefined` when there is no object. */
export function objectAt(text: string, path: JSONPath): readonly Property[] | undefined {
  const tree = parseTree(text.replace(/^\uFEFF/, ' '));
  const node = tree && (path.length === 0 ? tree : findNodeAtLocation(tree, path));
  if (node?.type !== 'object') return undefined;
  return (node.children ?? []).flatMap((entry) => {
    const [name, value] = entry.children ?? [];
    return name && value
      ? [
          {
            name: String(name.value),
            start: entry.offset,
            end: entry.offset + entry.length,
            nameEnd: name.offset + name.length,
            valueStart: value.offset,
          },
        ]
      : [];
  });
}

/** Takes an entry out of an object that has others, with the comma that parts it from them. */
export function removeProperty(text: string, entries: readonly Property[], index: number): string {
  const [own, previous, next] = [entries[index], entries[index - 1], entries[index + 1]];
  if (!own) return text;
  if (previous) return text.slice(0, previous.end) + text.slice(own.end);
  return next ? text.slice(0, own.start) + text.slice(next.start) : text;
}

/** Puts an entry into an object that has some: at its place when they are sorted, else last; on a line of its own only when they are. */
export function insertProperty(text: string, entries: readonly Property[], name: string, value: unknown): string {
  // Sections of a manifest have an order of their own, whatever it looks like.
  const sorted = typeof value === 'string' && entries.every((entry, index) => index === 0 || (entries[index - 1]?.name ?? '') <= entry.name);
  const after = sorted ? entries.findIndex((entry) => entry.name > name) : -1;
  const index = after < 0 ? entries.length : after;
  const [first, last] = [entries[0], entries.at(-1)];
  if (!first || !last) return text;
  const colon = text.slice(first.nameEnd, first.valueStart);
  const entry = `${JSON.stringify(name)}${colon}${printed(value, colon)}`;
  const next = entries[index];
  if (next) return `${text.slice(0, next.start)}${entry},${gap(text, entries, index, colon)}${text.slice(next.start)}`;
  return `${text.slice(0, last.end)},${gap(text, entries, entries.length - 1, colon)}${entry}${text.slice(last.end)}`;
}

/** The blanks between two entries at a place: as they stand there; in an object of one line, as after its commas or its colon. */
function gap(text: string, entries: readonly Property[], index: number, colon: string): string {
  const before = (entry: Property | undefined): string => (entry ? (/\s*$/.exec(text.slice(0, entry.start))?.[0] ?? '') : '');
  const own = before(entries[index]);
  if (index > 0 || own.includes('\n')) return own;
  return entries[1] && !before(entries[1]).includes('\n') ? before(entries[1]) : (/\s*$/.exec(colon)?.[0] ?? '');
}

/** A value in the style of an object of one line. */
function printed(value: unknown, colon: string): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const pad = colon.endsWith(' ') ? ' ' : '';
  return `{${pad}${Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)}${colon}${JSON.stringify(inner)}`)
    .join(`,${pad}`)}${pad}}`;
}
