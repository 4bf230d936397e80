import { ts } from 'ts-morph';
import type { TypeScriptFile } from '../file.js';
import { childrenOf } from '../walk.js';

/** A token of a parsed file. `key` is equal for tokens that mean the same: quotes of strings and line ends of templates do not count. */
export interface Token {
  readonly kind: ts.SyntaxKind;
  readonly start: number;
  readonly end: number;
  readonly key: string;
}

const lineEnds = (text: string): string => text.replace(/\r\n?/g, '\n');

function keyOf(node: ts.Node, text: string): string {
  if (ts.isStringLiteral(node)) return `"${node.text}`;
  if (ts.isJsxText(node)) return `>${lineEnds(text).replace(/\s*\n\s*/g, '\n')}`;
  return lineEnds(text);
}

/**
 * Tokens in source order. They are taken from the tree, not from a scanner, so that regular expressions, templates, JSX and
 * closing angle brackets are what the parser took them for. Blanks between JSX elements are no tokens.
 */
export function tokensOf(file: TypeScriptFile): readonly Token[] {
  const { tree, text } = file;
  const tokens: Token[] = [];
  const stack: ts.Node[] = [tree];
  for (let node = stack.pop(); node; node = stack.pop()) {
    const children = node.getChildren(tree);
    if (children.length > 0) {
      for (const child of [...children].reverse()) stack.push(child);
      continue;
    }
    if (node.kind === ts.SyntaxKind.EndOfFileToken || node.kind === ts.SyntaxKind.SyntaxList) continue;
    if (ts.isJsxText(node) && node.containsOnlyTriviaWhiteSpaces) continue;
    // JSX text owns its blanks.
    const start = ts.isJsxText(node) ? node.pos : node.getStart(tree);
    if (start < node.end) tokens.push({ kind: node.kind, start, end: node.end, key: keyOf(node, text.slice(start, node.end)) });
  }
  return tokens;
}

/** Kinds of all nodes in source order: two files with the same tokens and the same shape are the same program. */
export function shapeOf(file: TypeScriptFile): string {
  const kinds: number[] = [];
  const stack: ts.Node[] = [file.tree];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (ts.isJsxText(node) && node.containsOnlyTriviaWhiteSpaces) continue;
    kinds.push(node.kind);
    for (const child of childrenOf(node).reverse()) stack.push(child);
  }
  return kinds.join(' ');
}
