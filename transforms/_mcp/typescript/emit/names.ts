import { ts } from 'ts-morph';
import { type TypeScriptFile, eachNode } from '../../../../src/languages/typescript/index.js';

/** A name that nothing in the file uses. */
export function freeName(wanted: string, file: TypeScriptFile): string {
  const used = new Set<string>();
  eachNode(file.tree, (node) => {
    if (ts.isIdentifier(node)) used.add(node.text);
  });
  for (let index = 1; ; index++) {
    const name = index === 1 ? wanted : `${wanted}${String(index)}`;
    if (!used.has(name)) return name;
  }
}
