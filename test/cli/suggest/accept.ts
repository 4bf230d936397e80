/** A comment of which only the place and the words matter. */
interface Placed {
  readonly path: string;
  readonly line: number;
  readonly start_line?: number;
  readonly body: string;
}

/** Lines of the suggestion in a comment; `undefined` without one. A fence ends at the first line with as many backticks, as in CommonMark. */
export function suggestedLines(body: string): readonly string[] | undefined {
  const lines = body.split('\n');
  const open = lines.findIndex((line) => /^`{3,}suggestion$/.test(line));
  if (open === -1) return undefined;
  const fence = /^`+/.exec(lines[open] ?? '')?.[0] ?? '';
  const length = lines.slice(open + 1).findIndex((line) => new RegExp(`^ {0,3}\`{${String(fence.length)},}\\s*$`).test(line));
  if (length === -1) throw new Error('the fence of a suggestion is not closed');
  return lines.slice(open + 1, open + 1 + length);
}

/**
 * A text with all suggestions of its comments accepted, from the last to the first.
 * @throws Error when two of them overlap
 */
export function applySuggestions(text: string, comments: readonly Placed[]): string {
  const lines = text.split('\n');
  let floor = Infinity;
  for (const comment of [...comments].sort((a, b) => b.line - a.line)) {
    const suggested = suggestedLines(comment.body);
    if (!suggested) continue;
    const start = comment.start_line ?? comment.line;
    if (comment.line >= floor) throw new Error(`${comment.path}:${String(comment.line)} overlaps another suggestion`);
    floor = start;
    lines.splice(start - 1, comment.line - start + 1, ...suggested);
  }
  return lines.join('\n');
}
