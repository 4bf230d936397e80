import { ts } from 'ts-morph';
import type { TextEdit } from '../../../src/core/index.js';
import { type TypeScriptFile, eachNode } from '../../../src/languages/typescript/index.js';
import { indentOf } from '../../_mcp/typescript/emit/edits.js';
import { ancestor, receiverOf } from '../../_mcp/typescript/nodes.js';
import { type Handle, closing, handleType } from './closing.js';
import type { Builder } from './model.js';

/** A field that holds what `serveStdio` returns, for the places of a class that close its server. */
export function handleOfClass(builder: Builder, file: TypeScriptFile): Handle {
  const { closings, home } = builder;
  const [first] = closings;
  if (first === undefined) return { ok: true, before: '', edits: [], imports: [] };
  const owner = ancestor(first, ts.isClassLike);
  const name = freeField('entry', owner ?? file.tree);
  const edits: TextEdit[] = closings.flatMap((call) => {
    const receiver = receiverOf(call);
    return receiver === undefined ? [] : closing(call, receiver, `this.${name}?`, file);
  });
  if (file.isJavaScript) return { ok: true, before: `this.${name} = `, edits, imports: [] };
  const start = home.getStart(file.tree);
  return {
    ok: true,
    before: `this.${name} = `,
    edits: [...edits, { start, end: start, text: `private ${name}?: StdioServerHandle;${file.eol}${indentOf(home, file)}` }],
    imports: [handleType(file)],
  };
}

function freeField(wanted: string, owner: ts.Node): string {
  const used = new Set<string>();
  eachNode(owner, (node) => {
    if (ts.isIdentifier(node)) used.add(node.text);
  });
  for (let index = 1; ; index++) {
    const name = index === 1 ? wanted : `${wanted}${String(index)}`;
    if (!used.has(name)) return name;
  }
}
