/** Compiled segment of a path: a member, an index, all members, or the members whose field has a value. */
type Segment =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'all' }
  | { readonly kind: 'where'; readonly path: readonly Segment[]; readonly value?: string };

const TOKEN = /\.?([\w-]+)|\[(\d+|\*)\]|\["([^"]*)"\]|\[([\w.-]+)(?:="([^"]*)")?\]/gy;

const compiled = new Map<string, readonly Segment[]>();

/**
 * Parses a path such as `messages[method="notifications/progress"].params.progress`, `tools[*].name`,
 * `result._meta["io.modelcontextprotocol/serverInfo"].name` or `messages[id][0]`.
 * @throws Error when the text is no path: a fault of the check, never of the peer.
 */
export function parsePath(text: string): readonly Segment[] {
  const known = compiled.get(text);
  if (known) return known;
  const segments: Segment[] = [];
  TOKEN.lastIndex = 0;
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) throw new Error(`Not a path: "${text}" at ${String(at)}`);
    // Before the recursion below, which moves the position of the shared expression.
    at = TOKEN.lastIndex;
    const [, member, index, quoted, field, value] = match;
    if (index === '*') segments.push({ kind: 'all' });
    else if (field !== undefined && index === undefined) segments.push({ kind: 'where', path: parsePath(field), ...(value === undefined ? {} : { value }) });
    else segments.push({ kind: 'member', name: member ?? index ?? quoted ?? '' });
  }
  compiled.set(text, segments);
  return segments;
}

const child = (value: unknown, name: string): unknown => {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
};

function select(value: unknown, path: readonly Segment[]): { values: unknown[]; many: boolean } {
  let values: unknown[] = [value];
  let many = false;
  for (const segment of path) {
    if (segment.kind === 'member') values = values.map((entry) => child(entry, segment.name)).filter((entry) => entry !== undefined);
    else {
      many = true;
      const members = values.flatMap((entry) =>
        Array.isArray(entry) ? (entry as unknown[]) : typeof entry === 'object' && entry !== null ? Object.values(entry as Record<string, unknown>) : [],
      );
      values = segment.kind === 'all' ? members : members.filter((entry) => holds(entry, segment));
    }
  }
  return { values, many };
}

function holds(entry: unknown, where: Extract<Segment, { kind: 'where' }>): boolean {
  const found = select(entry, where.path).values;
  return where.value === undefined ? found.length > 0 : found.some((value) => String(value) === where.value);
}

/** All values that a path finds in a value. `many` is true when the path selects, so that no value is a valid outcome. */
export const valuesAt = (value: unknown, path: string): { readonly values: readonly unknown[]; readonly many: boolean } => select(value, parsePath(path));

/** The first value that a path finds. */
export const valueAt = (value: unknown, path: string): unknown => valuesAt(value, path).values[0];
