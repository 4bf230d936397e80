import { ts } from 'ts-morph';
import type { TextEdit } from '../../../core/index.js';
import type { TypeScriptFile } from '../file.js';
import { afterTrailingComments, beginsLine, endsLine, indentAt, isLineEnd } from './lines.js';
import type { ImportSite } from './sites.js';

/** Comments that speak for the file, not for the statement below: licences, pragmas for the whole file, file docs. */
const HEADER =
  /^(?:\/\*!|\/\/\/)|@license|@licence|@preserve|copyright|SPDX-License|@ts-(?:no)?check|@flow|eslint-(?:disable|env|enable)(?!-)|@jest-environment|@vitest-environment|@fileoverview|@file\b|@module\b|@packageDocumentation|prettier-ignore-file|@jsx/i;

/** Where new imports go in a file without any: behind shebang, header comments and directives, in front of the first statement and its own comments. */
function beforeFirstStatement(file: TypeScriptFile): { readonly offset: number; readonly before: string; readonly after: string } {
  const { text, tree, eol } = file;
  const directives = [];
  for (const statement of tree.statements) {
    if (!ts.isExpressionStatement(statement) || !ts.isStringLiteral(statement.expression)) break;
    directives.push(statement);
  }
  const last = directives.at(-1);
  const first = tree.statements[directives.length];
  if (last) {
    const offset = afterTrailingComments(text, last.end);
    if (!endsLine(text, offset)) return { offset: last.end, before: ' ', after: '' };
    const next = first ? text.slice(offset, first.getStart(tree)) : '';
    return { offset, before: eol + eol, after: /^[ \t]*(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)/.test(next) || !first ? '' : eol };
  }
  if (!first) {
    // Nothing but comments: at the end.
    return { offset: text.length, before: text === '' || text === '\uFEFF' || isLineEnd(text.at(-1)) ? '' : eol, after: eol };
  }
  const comments = ts.getLeadingCommentRanges(text, first.getFullStart()) ?? [];
  let header = 0;
  comments.forEach((comment, index) => {
    const next = comments[index + 1]?.pos ?? first.getStart(tree);
    const gap = text.slice(comment.end, next);
    if (HEADER.test(text.slice(comment.pos, comment.end)) || gap.split(/\r\n|\n|\r/).length > 2) header = index + 1;
  });
  const attached = comments[header]?.pos ?? first.getStart(tree);
  if (!beginsLine(text, attached)) return { offset: attached, before: '', after: ' ' };
  return { offset: attached, before: '', after: eol + eol };
}

/** The last import of the first unbroken run of imports. */
function anchorOf(file: TypeScriptFile, sites: readonly ImportSite[], gone: ReadonlySet<ImportSite>): ts.Statement | undefined {
  const byStatement = new Map(sites.map((site) => [site.statement as ts.Node, site]));
  let anchor: ts.Statement | undefined;
  for (const statement of file.tree.statements) {
    const site = byStatement.get(statement);
    if (site && !gone.has(site)) anchor = statement;
    else if (!site && anchor) break;
  }
  return anchor;
}

/** One insertion that holds all new statements. `gone` are statements that are being deleted, so nothing may hang on them. */
export function insertStatements(
  file: TypeScriptFile,
  sites: readonly ImportSite[],
  gone: ReadonlySet<ImportSite>,
  statements: readonly string[],
): readonly TextEdit[] {
  if (statements.length === 0) return [];
  const { text, eol } = file;
  const anchor = anchorOf(file, sites, gone);
  if (!anchor) {
    const { offset, before, after } = beforeFirstStatement(file);
    return [{ start: offset, end: offset, text: before + statements.join(eol) + after }];
  }
  const end = afterTrailingComments(text, anchor.end);
  if (!endsLine(text, end)) {
    // More code on the line: a minified file, or two imports on one line.
    const closed = statements.map((statement) => (statement.endsWith(';') ? statement : `${statement};`));
    return [{ start: anchor.end, end: anchor.end, text: `${text[anchor.end - 1] === ';' ? '' : ';'} ${closed.join(' ')}` }];
  }
  const lineBreak = eol + indentAt(text, anchor.getStart(file.tree));
  return [{ start: end, end, text: statements.map((statement) => lineBreak + statement).join('') }];
}
