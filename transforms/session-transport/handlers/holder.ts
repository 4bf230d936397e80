import { ts } from 'ts-morph';
import type { TextEdit } from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { indentOf, linesAt, startWithComments } from '../../_mcp/typescript/emit/edits.js';
import { freeName } from '../../_mcp/typescript/emit/names.js';
import type { HandlerLane } from './lane.js';

/** What holds the entry of an endpoint: a variable in front of the handlers, or a field of the object whose methods they are. */
export interface Holder {
  readonly name: string;
  /** How a handler names the entry: `mcp` or `this.mcpEntry`. */
  readonly reference: string;
  /** What stands in front of `= createMcpHandler(…)`. */
  readonly declared: string;
  /** The statement or member in front of which it is declared. */
  readonly before: ts.Node;
}

/** A field where only the object can build the server, e.g. with a service that was injected into it; else a variable. */
export function holderOf({ file, first, server }: HandlerLane, kept?: string): Holder {
  const { owner } = server;
  const member = owner?.members[0];
  if (owner === undefined || member === undefined) {
    const name = kept ?? freeName('mcp', file);
    return { name, reference: name, declared: `const ${name}`, before: first };
  }
  const name = kept ?? freeName('mcpEntry', file);
  return { name, reference: `this.${name}`, declared: file.isJavaScript ? name : `private readonly ${name}`, before: member };
}

/** Lines in front of a statement or member and its comments, which may itself be removed by other edits. */
export function placeInFront(before: ts.Node, lines: readonly string[], file: TypeScriptFile, others: readonly TextEdit[]): TextEdit {
  const indent = indentOf(before, file);
  const start = ts.isClassElement(before) ? startWithComments(before, file) : before.getStart(file.tree);
  const removal = others.find((edit) => edit.start <= start && start < edit.end);
  return removal === undefined
    ? { start, end: start, text: linesAt([...lines, ''], indent, file) + indent }
    : { start: removal.start, end: removal.start, text: indent + linesAt([...lines, ''], indent, file) };
}
