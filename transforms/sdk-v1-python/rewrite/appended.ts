import type { PyNode } from '../../../src/languages/python/index.js';
import type { Pass } from './pass.js';

/** Writes the arguments that were added to a call. */
export function writeAppended(pass: Pass, call: PyNode, added: readonly string[]): void {
  const list = call.get('arguments');
  if (!list || added.length === 0) return;
  const last = list.children.at(-1);
  if (!last) {
    pass.edits.insert(list.start + 1, added.join(', '));
    return;
  }
  const rest = pass.file.text.slice(last.end, list.end - 1);
  const comma = /^\s*,/.exec(rest);
  if (comma && rest.includes('\n')) {
    const indent = /\n([ \t]*)$/.exec(pass.file.text.slice(0, last.start))?.[1];
    const separator = indent === undefined ? ' ' : pass.file.eol + indent;
    pass.edits.insert(last.end + comma[0].length, added.map((text) => `${separator}${text},`).join(''));
  } else if (comma) pass.edits.insert(last.end + comma[0].length, added.map((text) => ` ${text},`).join(''));
  else pass.edits.insert(last.end, added.map((text) => `, ${text}`).join(''));
}
