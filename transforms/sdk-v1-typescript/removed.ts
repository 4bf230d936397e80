import { ts } from 'ts-morph';
import { type TypeScriptFile, eachNode, instanceOrigin } from '../../src/languages/typescript/index.js';
import { isSdkSymbol } from '../_mcp/canonical.js';
import { bare } from './nodes.js';

/** Reads of `server.experimental` and `client.experimental`, the way to the tasks of v1; v2 has no such member. */
export function experimentalUses(file: TypeScriptFile): readonly ts.PropertyAccessExpression[] {
  const uses: ts.PropertyAccessExpression[] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isPropertyAccessExpression(node) || node.name.text !== 'experimental') return;
    const tasks = ts.isPropertyAccessExpression(node.parent) && node.parent.expression === node && node.parent.name.text === 'tasks';
    const owner = instanceOrigin(bare(node.expression), file);
    if (owner ? isSdkSymbol(owner, 'McpServer', 'Server', 'Client') : tasks && file.text.includes('@modelcontextprotocol/sdk')) uses.push(node);
  });
  return uses;
}
