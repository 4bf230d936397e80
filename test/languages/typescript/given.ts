import { ts } from 'ts-morph';
import { type TypeScriptFile, eachNode, parse } from '../../../src/languages/typescript/index.js';

/** A parsed file from a literal; fails the test when it does not parse. */
export function given(text: string, path = 'src/server.ts'): TypeScriptFile {
  const { file, problem } = parse(path, text);
  if (!file) throw new Error(`${path}: ${problem.reason}`);
  return file;
}

/** The nodes whose source text is exactly `text`, outermost first where several have the same range, in source order. */
export function nodes(file: TypeScriptFile, text: string): readonly ts.Node[] {
  const found: ts.Node[] = [];
  eachNode(file.tree, (node) => {
    if (file.textOf(node) === text && !ts.isSourceFile(node)) found.push(node);
  });
  return found;
}

/** The last identifier (or other node) written as `text`; `index` counts from the start. */
export function node(file: TypeScriptFile, text: string, index = -1): ts.Node {
  const found = nodes(file, text).at(index);
  if (!found) throw new Error(`no node reads ${JSON.stringify(text)}`);
  return found;
}

export function identifier(file: TypeScriptFile, text: string, index = -1): ts.Identifier {
  const found = nodes(file, text).filter(ts.isIdentifier).at(index);
  if (!found) throw new Error(`no identifier ${text}`);
  return found;
}
