import { eachNode, loadParser, parse, type PyNode, type PythonFile } from '../../../src/languages/python/index.js';

await loadParser();

/** A parsed file from a literal; fails the test when it does not parse. */
export function given(text: string, path = 'src/shop/server.py'): PythonFile {
  const { file, problem } = parse(path, text);
  if (!file) throw new Error(`${path}: ${problem.reason}`);
  return file;
}

/** The nodes whose source text is exactly `text`, in source order. */
export function nodes(file: PythonFile, text: string): readonly PyNode[] {
  const found: PyNode[] = [];
  eachNode(file.tree, (node) => {
    if (node.kind !== 'module' && file.textOf(node) === text) found.push(node);
    return undefined;
  });
  return found;
}

/** The last node written as `text`; `index` counts from the start. */
export function node(file: PythonFile, text: string, index = -1): PyNode {
  const found = nodes(file, text).at(index);
  if (!found) throw new Error(`no node reads ${JSON.stringify(text)}`);
  return found;
}
