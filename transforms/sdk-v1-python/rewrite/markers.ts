import type { TextEdit } from '../../../src/core/index.js';
import { type PyNode, type PythonFile, eachNode } from '../../../src/languages/python/index.js';
import { indentAt, lineStart } from './edits.js';
import type { Mark } from './pass.js';

const CONCERN = 'sdk-v1-python';

/** The comment that stays at a place for a person, as the next run looks for it. */
export const markerText = ({ kind, text }: Pick<Mark, 'kind' | 'text'>): string => `# TODO(unsession) ${CONCERN}/${kind}: ${text.replace(/\s+/g, ' ')}`;

/** Marker comments above the statements of the marks, with their indentation. A marker of the same rule that stands there already is not repeated. */
export function markerEdits(file: PythonFile, marks: readonly Mark[]): readonly TextEdit[] {
  const byOffset = new Map<number, Set<string>>();
  for (const mark of marks) {
    const statement = statementAt(file, mark.at.start);
    const offset = lineStart(file.text, statement.start);
    if (commentsAbove(file.text, offset).includes(`TODO(unsession) ${CONCERN}/${mark.kind}:`)) continue;
    const lines = byOffset.get(offset) ?? new Set<string>();
    lines.add(markerText(mark));
    byOffset.set(offset, lines);
  }
  return [...byOffset].map(([offset, lines]) => ({
    start: offset,
    end: offset,
    text: [...lines].map((line) => indentAt(file.text, offset) + line + file.eol).join(''),
  }));
}

/** The innermost statement around an offset that begins its line; nothing is ever written into an expression. */
function statementAt(file: PythonFile, offset: number): PyNode {
  let found = file.tree.children[0] ?? file.tree;
  eachNode(file.tree, (node) => {
    if (node.start > offset || node.end <= offset) return node === file.tree ? undefined : false;
    const block = node.parent?.kind === 'block' || node.parent?.kind === 'module';
    if (block && file.text.slice(lineStart(file.text, node.start), node.start).trim() === '') found = node;
    return undefined;
  });
  return found;
}

/** The comment lines right above a line. */
function commentsAbove(text: string, offset: number): string {
  let start = offset;
  while (start > 0) {
    const end = text[start - 1] === '\n' && text[start - 2] === '\r' ? start - 2 : start - 1;
    const previous = lineStart(text, end);
    if (!/^[ \t]*#/.test(text.slice(previous, start))) break;
    start = previous;
  }
  return text.slice(start, offset);
}
