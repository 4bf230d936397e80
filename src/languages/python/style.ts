/** How a file is written, so that what is added looks like the rest. */
export interface Style {
  readonly eol: '\n' | '\r\n' | '\r';
  /** One step of indentation. */
  readonly indentUnit: string;
  readonly quote: '"' | "'";
}

/** Line ends, indentation and quotes of a text; four spaces and double quotes when it shows none. */
export function styleOf(text: string): Style {
  const eol = text.includes('\r\n') ? '\r\n' : text.includes('\n') || !text.includes('\r') ? '\n' : '\r';
  const indents = new Map<string, number>();
  for (const [, indent] of text.matchAll(/:[ \t]*(?:#.*)?(?:\r\n|\n|\r)([ \t]+)\S/g)) {
    if (indent !== undefined) indents.set(indent, (indents.get(indent) ?? 0) + 1);
  }
  // The step is what the shallowest blocks use; deeper ones are multiples of it.
  const indentUnit = [...indents.keys()].sort((a, b) => a.length - b.length)[0] ?? '    ';
  const double = text.match(/"[^"'\n]*"/g)?.length ?? 0;
  const single = text.match(/'[^"'\n]*'/g)?.length ?? 0;
  return { eol, indentUnit, quote: single > double ? "'" : '"' };
}
