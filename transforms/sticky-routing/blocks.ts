/** A block in braces: `upstream mcp { … }`, `resource "aws_lb" "edge" { … }`. */
export interface Block {
  /** Words in front of the brace. */
  readonly words: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly bodyStart: number;
  /** The body with comments and inner blocks blanked out, so that offsets stay. */
  readonly own: string;
}

const blank = (text: string): string => text.replace(/[^\n\r]/g, ' ');

/** How comments begin: with a hash, as in nginx and Caddy, where `/mcp/*` is a path; or with slashes too, as in Terraform and Bicep. */
export type Comments = 'hash' | 'slashes';

/** Blanks comments out; quotes protect. */
function withoutComments(text: string, comments: Comments): string {
  const slashes = comments === 'slashes';
  let output = '';
  for (let i = 0; i < text.length;) {
    const rest = text.slice(i, i + 2);
    const quote = text[i];
    if (quote === '"' || quote === "'") {
      const close = text.indexOf(quote, i + 1);
      const line = text.indexOf('\n', i + 1);
      const end = close < 0 || (line >= 0 && line < close) ? i + 1 : close + 1;
      output += text.slice(i, end);
      i = end;
    } else if (text[i] === '#' || (slashes && ((rest === '//' && /\s|^$/.test(text[i - 1] ?? '')) || rest === '/*'))) {
      const close = rest === '/*' ? text.indexOf('*/', i + 2) + 2 : text.indexOf('\n', i);
      const end = close <= 1 ? text.length : close;
      output += blank(text.slice(i, end));
      i = end;
    } else {
      output += text[i] ?? '';
      i++;
    }
  }
  return output;
}

/** All blocks of a text, outer ones first. A brace that is never closed ends with the text; braces in `${…}` are no blocks. */
export function blocksOf(text: string, comments: Comments): readonly Block[] {
  const code = withoutComments(text, comments);
  const structure = code.replace(/\$\{[^}\n]*\}/g, blank).replace(/"[^"\n]*"|'[^'\n]*'/g, (quoted) => quoted.replace(/[{};]/g, ' '));
  const open: { readonly words: readonly string[]; readonly start: number; readonly bodyStart: number; inner: { start: number; end: number }[] }[] = [];
  const blocks: Block[] = [];
  const close = (end: number): void => {
    const block = open.pop();
    if (block === undefined) return;
    let own = code.slice(block.bodyStart, end);
    for (const inner of block.inner)
      own =
        own.slice(0, inner.start - block.bodyStart) +
        blank(own.slice(inner.start - block.bodyStart, inner.end - block.bodyStart)) +
        own.slice(inner.end - block.bodyStart);
    blocks.push({ words: block.words, start: block.start, end: Math.min(end + 1, text.length), bodyStart: block.bodyStart, own });
    open.at(-1)?.inner.push({ start: block.start, end: Math.min(end + 1, text.length) });
  };
  for (let i = 0; i < structure.length; i++) {
    if (structure[i] === '}') close(i);
    if (structure[i] !== '{') continue;
    // The words stand on the line of the brace or, when it has a line of its own, on the one before.
    const head = /[^\r\n]*$/.exec((/[^;{}]*$/.exec(structure.slice(0, i))?.[0] ?? '').trimEnd())?.[0] ?? '';
    const start = structure.slice(0, i).lastIndexOf(head.trim());
    open.push({ words: head.trim().split(/\s+/), start, bodyStart: i + 1, inner: [] });
  }
  while (open.length > 0) close(code.length);
  return blocks.sort((a, b) => a.start - b.start);
}
