import { ts } from 'ts-morph';
import type { TextEdit } from '../../../src/core/index.js';
import { type TypeScriptFile, eachNode } from '../../../src/languages/typescript/index.js';
import { indentOf, startWithComments } from '../../_mcp/typescript/emit/edits.js';

/** Statements that follow each other, with the comments on them, between them and behind the last one. */
export interface Run {
  readonly statements: readonly ts.Statement[];
  readonly start: number;
  readonly end: number;
}

/** Groups statements of one list into runs that nothing else interrupts. */
export function runsOf(statements: ReadonlySet<ts.Node>, list: readonly ts.Statement[], file: TypeScriptFile): readonly Run[] {
  const runs: Run[] = [];
  let current: ts.Statement[] = [];
  const close = (): void => {
    const [first] = current;
    const last = current.at(-1);
    if (first !== undefined && last !== undefined) runs.push({ statements: current, start: startWithComments(first, file), end: lineEnd(last, file) });
    current = [];
  };
  for (const statement of list) {
    if (statements.has(statement)) current.push(statement);
    else close();
  }
  close();
  return runs;
}

/** End of a statement, a comment on its last line included. */
function lineEnd(statement: ts.Node, file: TypeScriptFile): number {
  const rest = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)(?=[ \t]*(?:\r|\n|$))/.exec(file.text.slice(statement.end));
  return statement.end + (rest?.[0].length ?? 0);
}

/** The text of a run with another indentation; lines inside of template literals stay as they are. */
export function runText(run: Run, indent: string, file: TypeScriptFile): string {
  const [first] = run.statements;
  const old = first === undefined ? '' : indentOf(first, file);
  const fixed = new Set<number>();
  for (const statement of run.statements) {
    eachNode(statement, (node) => {
      if (!ts.isTemplateExpression(node) && !ts.isNoSubstitutionTemplateLiteral(node)) return;
      for (let at = file.text.indexOf('\n', node.getStart(file.tree)); at >= 0 && at < node.end; at = file.text.indexOf('\n', at + 1)) fixed.add(at + 1);
    });
  }
  let offset = run.start;
  return file.text
    .slice(run.start, run.end)
    .split('\n')
    .map((line, index) => {
      const start = offset;
      offset += line.length + 1;
      if (index === 0) return indent + line;
      if (fixed.has(start) || line.trim() === '') return line;
      return line.startsWith(old) ? indent + line.slice(old.length) : line;
    })
    .join('\n');
}

/** Takes a run out together with its lines; of the blank lines around it one stays. */
export function removeRun(run: Run, file: TypeScriptFile): TextEdit {
  const { text } = file;
  const line = text.lastIndexOf('\n', run.start - 1) + 1;
  if (text.slice(line, run.start).trim() !== '') return { start: run.start, end: run.end, text: '' };
  let end = run.end + (/^[ \t]*(?:\r\n|\n|$)/.exec(text.slice(run.end))?.[0].length ?? 0);
  const before = text.slice(0, line);
  const gap = line === 0 || /(?:^|\n)[ \t]*\r?\n$/.test(before) || /\{[ \t]*\r?\n$/.test(before);
  if (gap) for (let blank = blankAt(text, end); blank > 0; blank = blankAt(text, end)) end += blank;
  // In front of a closing brace the blank line above has nothing to separate any longer.
  let start = line;
  if (/^[ \t]*\}/.test(text.slice(end)))
    for (let blank = /(?:\r\n|\n)[ \t]*(\r?\n)$/.exec(text.slice(0, start)); blank; blank = /(?:\r\n|\n)[ \t]*(\r?\n)$/.exec(text.slice(0, start)))
      start -= blank[0].length - 1 - (blank[0].startsWith('\r') ? 1 : 0);
  return { start, end, text: '' };
}

const blankAt = (text: string, at: number): number => /^[ \t]*(?:\r\n|\n)/.exec(text.slice(at))?.[0].length ?? 0;
