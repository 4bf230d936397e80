import { ts } from 'ts-morph';
import type { TextEdit } from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { indentOf } from '../../_mcp/typescript/emit/edits.js';
import { isWithin, unwrapAwait } from '../../_mcp/typescript/nodes.js';
import type { OwnerClass } from './fields.js';
import { awaits } from './movable.js';
import { removeRun, runText, runsOf } from './move.js';

/** Field, constructor, and the new method in front of the one that connects. */
export function writeClass(
  owner: OwnerClass,
  field: string,
  declared: ts.PropertyDeclaration | undefined,
  moved: readonly ts.Statement[],
  constructor: ts.ConstructorDeclaration | undefined,
  method: ts.ClassElement,
  file: TypeScriptFile,
): readonly TextEdit[] {
  const { eol } = file;
  const indent = indentOf(method, file);
  const inner = indent + file.indentUnit;
  const all = new Set<ts.Node>(moved);
  const lists = [...new Set(moved.map((statement) => statement.parent as ts.Block))];
  const runs = lists.flatMap((list) => runsOf(all, list.statements, file));
  const asynchronous = awaits(moved);
  const initial = declared?.initializer === undefined ? [] : [`${inner}this.${field} = ${file.textOf(declared.initializer)};`];
  const text = [
    '// Runs once for each connection, and once more for a probe: what the process shares stays outside of it.',
    `${indent}${file.isJavaScript ? '' : 'private '}${asynchronous ? 'async ' : ''}${BUILD_METHOD}() {`,
    ...initial,
    ...runs.map((run) => runText(run, inner, file)),
    `${inner}return this.${field};`,
    `${indent}}`,
  ].join(eol);
  const edits: TextEdit[] = [...(declared === undefined ? [] : fieldEdits(declared, file)), ...assignedFields(owner, field, moved, file)];
  const statements = constructor?.parameters.length === 0 ? (constructor.body?.statements ?? []) : [];
  if (constructor !== undefined && statements.length > 0 && statements.every((statement) => all.has(statement))) {
    const outside = runs.filter((run) => !isWithin(run.statements[0] as ts.Node, constructor));
    return [...edits, { start: constructor.getStart(file.tree), end: constructor.end, text }, ...outside.map((run) => removeRun(run, file))];
  }
  const comment = leadingStart(method, file);
  return [...edits, ...runs.map((run) => removeRun(run, file)), { start: comment, end: comment, text: `${text}${eol}${eol}${indent}` }];
}

/** Name of the method that builds the server of one connection. */
export const BUILD_METHOD = 'createMcpServer';

/** Where the comments in front of a member begin, when they stand directly on it. */
function leadingStart(member: ts.Node, file: TypeScriptFile): number {
  let start = member.getStart(file.tree);
  for (const comment of [...(ts.getLeadingCommentRanges(file.text, member.getFullStart()) ?? [])].reverse()) {
    if ((file.text.slice(comment.end, start).match(/\n/g) ?? []).length > 1) break;
    const line = file.text.lastIndexOf('\n', comment.pos - 1) + 1;
    if (file.text.slice(line, comment.pos).trim() !== '') break;
    start = comment.pos;
  }
  return start;
}

/** `private readonly server: McpServer = new McpServer(…)` becomes `private server!: McpServer`. */
function fieldEdits(declared: ts.PropertyDeclaration, file: TypeScriptFile): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  const readonly = (declared.modifiers ?? []).find(({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword);
  if (readonly !== undefined) edits.push({ start: readonly.getStart(file.tree), end: nextToken(readonly.end, file), text: '' });
  const { initializer, type, name } = declared;
  if (!file.isJavaScript && declared.exclamationToken === undefined && declared.questionToken === undefined)
    edits.push({ start: name.end, end: name.end, text: '!' });
  if (initializer !== undefined) {
    const made = unwrapAwait(initializer);
    const annotation = type === undefined && !file.isJavaScript && ts.isNewExpression(made) ? `: ${file.textOf(made.expression)}` : '';
    const start = type?.end ?? name.end;
    edits.push({ start, end: initializer.end, text: annotation });
  }
  return merged(edits);
}

/** Two edits at one place become one: the mark of a name and what replaces the value behind it. */
function merged(edits: readonly TextEdit[]): readonly TextEdit[] {
  const list: TextEdit[] = [];
  for (const edit of edits) {
    const last = list.at(-1);
    if (last?.end === edit.start && last.start === last.end) list[list.length - 1] = { ...edit, text: last.text + edit.text };
    else list.push(edit);
  }
  return list;
}

const nextToken = (at: number, file: TypeScriptFile): number => at + (/^[ \t]*/.exec(file.text.slice(at))?.[0].length ?? 0);

/** Other fields that are set while the server is built: they are set outside of the constructor from then on. */
function assignedFields(owner: OwnerClass, field: string, moved: readonly ts.Statement[], file: TypeScriptFile): readonly TextEdit[] {
  if (file.isJavaScript) return [];
  const names = new Set<string>();
  for (const statement of moved) {
    const value = ts.isExpressionStatement(statement) ? statement.expression : undefined;
    const left = value !== undefined && ts.isBinaryExpression(value) ? value.left : undefined;
    if (left !== undefined && ts.isPropertyAccessExpression(left) && left.expression.kind === ts.SyntaxKind.ThisKeyword && left.name.text !== field)
      names.add(left.name.text);
  }
  return owner.node.members.flatMap((member) => {
    if (!ts.isPropertyDeclaration(member) || !ts.isIdentifier(member.name) || !names.has(member.name.text) || member.initializer !== undefined) return [];
    return fieldEdits(member, file);
  });
}
