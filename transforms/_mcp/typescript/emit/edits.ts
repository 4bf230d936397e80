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

/** Inserts lines in front of a statement and of the comments that stand on it. */
export function insertAbove(statement: ts.Node, lines: readonly string[], file: TypeScriptFile): TextEdit {
  const start = startWithComments(statement, file);
  const indent = indentOf(statement, file);
  return { start, end: start, text: linesAt([...lines, ''], indent, file) + indent };
}

/** Lines in front of code, whatever it stands in: a list of statements, a lone statement, an arrow function without a block. */
export function insertInFront([first]: readonly ts.Node[], lines: readonly string[], file: TypeScriptFile): readonly TextEdit[] {
  if (first === undefined) return [];
  const start = first.getStart(file.tree);
  const { parent } = first;
  const indent = indentOf(first, file);
  if (ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isCaseOrDefaultClause(parent))
    return [{ start, end: start, text: linesAt([...lines, ''], indent, file) + indent }];
  const deeper = indent + file.indentUnit;
  const lead = ts.isStatement(first) ? '' : 'return ';
  const text = ['{', ...lines.map((line) => deeper + line), deeper + lead].join(file.eol);
  return [
    { start, end: start, text },
    { start: first.end, end: first.end, text: `${ts.isStatement(first) ? '' : ';'}${file.eol}${indent}}` },
  ];
}

/** Two insertions at one place become one: the entry is declared in front of a function that is also made asynchronous. */
export function mergeInsertions(edits: readonly TextEdit[]): readonly TextEdit[] {
  const merged: TextEdit[] = [];
  for (const edit of edits) {
    const index = merged.findIndex((other) => other.start === edit.start && other.end === other.start);
    const same = merged[index];
    if (same === undefined) merged.push(edit);
    else merged[index] = { start: edit.start, end: edit.end, text: same.text + edit.text };
  }
  return merged;
}

/** Text that goes, and whether it takes whole lines. */
interface Run {
  start: number;
  end: number;
  readonly lines: boolean;
}

/**
 * Removes statements with the comments that stand directly on them and their lines. Of the blank lines around a run of removed
 * statements one stays, and none where the run was the first or the last thing of its block or file.
 */
export function removeStatements(statements: readonly ts.Node[], file: TypeScriptFile): readonly TextEdit[] {
  const { text } = file;
  const runs: Run[] = [];
  for (const statement of [...statements].sort((a, b) => a.getStart(file.tree) - b.getStart(file.tree))) {
    const run = extent(statement, file);
    const last = runs.at(-1);
    if (last?.lines === true && run.lines && text.slice(last.end, run.start).trim() === '') last.end = run.end;
    else runs.push(run);
  }
  return runs.map((run) => ({ ...closeGap(run, text), text: '' }));
}

/** The lines of a statement and of what is commented on it; the bare statement when something else stands on its lines. */
function extent(statement: ts.Node, file: TypeScriptFile): Run {
  const { text } = file;
  const begin = startWithComments(statement, file);
  const line = text.lastIndexOf('\n', begin - 1) + 1;
  const rest = /^[ \t]*(?:\/\/[^\r\n]*)?(?:\r\n|\n|$)/.exec(text.slice(statement.end));
  if (rest === null || text.slice(line, begin).trim() !== '') return { start: begin, end: statement.end, lines: false };
  return { start: line, end: statement.end + rest[0].length, lines: true };
}

const BLANK = /^[ \t]*(?:\r\n|\n)/;
const BLANK_BEFORE = /(?:^|\n)([ \t]*\r?\n)$/;

/** Takes the blank lines in that would be one too many. */
function closeGap({ start, end, lines }: Run, text: string): { readonly start: number; readonly end: number } {
  if (!lines) return { start, end };
  let [from, to] = [start, end];
  const before = text.slice(0, start);
  const opens = start === 0 || /[{([][ \t]*\r?\n$/.test(before);
  const closes = /^\s*(?:[})\]]|$)/.test(text.slice(end));
  if (opens || closes || BLANK_BEFORE.test(before))
    for (let blank = BLANK.exec(text.slice(to)); blank !== null; blank = BLANK.exec(text.slice(to))) to += blank[0].length;
  if (closes)
    for (let blank = BLANK_BEFORE.exec(text.slice(0, from)); blank !== null; blank = BLANK_BEFORE.exec(text.slice(0, from))) from -= blank[1]?.length ?? 0;
  return { start: from, end: to };
}
