import type { PyNode } from '../../../src/languages/python/index.js';
import { lineEnd, lineStart } from './edits.js';
import type { Pass } from './pass.js';

/** Takes names out of a `from` statement; the whole statement when none is left. */
export function dropNames(pass: Pass, statement: PyNode, gone: readonly PyNode[], everything: boolean): void {
  if (gone.length === 0) return;
  if (everything) {
    removeStatement(pass, statement);
    return;
  }
  const all = statement.all('name');
  const { text } = pass.file;
  for (const node of gone) {
    const index = all.indexOf(node);
    const next = all.slice(index + 1).find((other) => !gone.includes(other));
    const before = all
      .slice(0, index)
      .reverse()
      .find((other) => !gone.includes(other));
    const close = all[index + 1];
    if (next && close) pass.edits.remove({ start: node.start, end: close.start });
    else if (before) pass.edits.remove({ start: (all[index - 1] ?? before).end, end: node.end });
    else pass.edits.remove({ start: node.start, end: text.indexOf(',', node.end) + 1 || node.end });
  }
}

/** Takes a statement out with its line; a block that would be empty gets `pass`. */
export function removeStatement(pass: Pass, statement: PyNode): void {
  const { text } = pass.file;
  const block = statement.parent;
  const alone = block?.kind === 'block' && block.children.every((child) => child === statement || pass.edits.isTaken(child));
  const start = lineStart(text, statement.start);
  const whole = text.slice(start, statement.start).trim() === '' && /^[ \t]*(?:\r\n|\n|\r|$)/.test(text.slice(statement.end));
  if (alone) pass.edits.replace(statement, 'pass');
  else if (whole) pass.edits.remove({ start, end: lineEnd(text, statement.end) });
  else pass.edits.remove({ start: statement.start, end: statement.end + (/^[ \t]*;[ \t]*/.exec(text.slice(statement.end))?.[0].length ?? 0) });
}
