import { ts } from 'ts-morph';
import type { TextEdit } from '../../../../src/core/index.js';
import type { TypeScriptFile } from '../../../../src/languages/typescript/index.js';

/** The blanks in front of the line on which a node begins. */
export function indentOf(node: ts.Node, file: TypeScriptFile): string {
  const start = node.getStart(file.tree);
  const line = file.text.lastIndexOf('\n', start - 1) + 1;
  return /^[ \t]*/.exec(file.text.slice(line, start))?.[0] ?? '';
}

/** Lines joined for a place: its indentation in front of all but the first, and the line ends of the file. */
export const linesAt = (lines: readonly string[], indent: string, file: TypeScriptFile): string =>
  lines.map((line, index) => (index === 0 || line === '' ? line : indent + line)).join(file.eol);

/** Inserts lines in front of a statement. */
export const insertBefore = (statement: ts.Node, lines: readonly string[], file: TypeScriptFile): TextEdit => {
  const indent = indentOf(statement, file);
  const start = statement.getStart(file.tree);
  return { start, end: start, text: linesAt([...lines, ''], indent, file) + indent };
};

/** Where the comment block that stands directly on a statement begins; the start of the statement when there is none. */
export function startWithComments(statement: ts.Node, file: TypeScriptFile): number {
  let start = statement.getStart(file.tree);
  const comments = [...(ts.getLeadingCommentRanges(file.text, statement.getFullStart()) ?? [])].reverse();
  for (const comment of comments) {
    const gap = file.text.slice(comment.end, start);
    if ((gap.match(/\n/g) ?? []).length > 1) break;
    // A comment at the end of the line above belongs to that line.
    const line = file.text.lastIndexOf('\n', comment.pos - 1) + 1;
    if (file.text.slice(line, comment.pos).trim() !== '') break;
    start = comment.pos;
  }
  return start;
}

/** A removal, and whether a blank line (or nothing) stands in front of what is left behind it. */
interface Removal {
  readonly edit: TextEdit;
  readonly gap: boolean;
}

/**
 * Removes statements with the comments that stand directly on them and their lines. Of the blank lines around a run of removed
 * statements one stays.
 */
export function removeStatements(statements: readonly ts.Node[], file: TypeScriptFile): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  let previous: Removal | undefined;
  for (const statement of [...statements].sort((a, b) => a.getStart(file.tree) - b.getStart(file.tree))) {
    previous = removal(statement, file, previous);
    edits.push(previous.edit);
  }
  return edits;
}

function removal(statement: ts.Node, file: TypeScriptFile, previous: Removal | undefined): Removal {
  const { text } = file;
  const begin = startWithComments(statement, file);
  const line = text.lastIndexOf('\n', begin - 1) + 1;
  const own = text.slice(line, begin).trim() === '';
  const start = own ? line : begin;
  let end = statement.end;
  const rest = /^[ \t]*(?:\/\/[^\r\n]*)?(?:\r\n|\n|$)/.exec(text.slice(end));
  if (rest === null || !own) return { edit: { start, end, text: '' }, gap: false };
  end += rest[0].length;
  const joined = previous !== undefined && text.slice(previous.edit.end, start).trim() === '';
  const gap = start === 0 || /(?:^|\n)[ \t]*\r?\n$/.test(text.slice(0, start)) || /\{[ \t]*\r?\n$/.test(text.slice(0, start)) || (joined && previous.gap);
  if (gap) {
    for (let blank = /^[ \t]*(?:\r\n|\n)/.exec(text.slice(end)); blank !== null; blank = /^[ \t]*(?:\r\n|\n)/.exec(text.slice(end))) end += blank[0].length;
  }
  return { edit: { start, end, text: '' }, gap };
}
