import { lineStarts, positionAt } from '../../core/index.js';
import type { Parsed } from '../support.js';
import { PythonFile } from './file.js';
import { eachNode, type PyNode } from './node.js';
import { parseTree } from './parser.js';

/** What the grammar lets pass and no Python 3 runs. */
function tolerated(root: PyNode): { readonly start: number; readonly message: string } | undefined {
  let found: { readonly start: number; readonly message: string } | undefined;
  eachNode(root, (node) => {
    if (found) return false;
    if (node.kind === 'block' && node.children.length === 0) found = { start: node.start, message: 'an indented block is expected' };
    else if (node.kind === 'print_statement' || node.kind === 'exec_statement')
      found = { start: node.start, message: `a ${node.kind === 'print_statement' ? 'print' : 'exec'} statement of Python 2` };
    return undefined;
  });
  return found;
}

/** Parses one file. Never throws: a fault of the text comes back as `problem`, so that it is never taken for clean. */
export function parse(path: string, text: string): Parsed<PythonFile> {
  let parsed;
  try {
    parsed = parseTree(text);
  } catch (error) {
    return { problem: { why: 'internal', reason: `The parser failed: ${error instanceof Error ? error.message : String(error)}` } };
  }
  const { root, comments, fault } = parsed;
  const problem = fault === undefined ? tolerated(root) : { start: fault, message: 'the parser cannot read it as Python' };
  if (problem) {
    const { line, column } = positionAt(lineStarts(text), problem.start);
    return { problem: { why: 'syntax', reason: `${problem.message} (column ${column})`, line } };
  }
  return { file: new PythonFile(path, text, root, comments) };
}
