import { ts } from 'ts-morph';
import type { Detector } from '../../src/core/index.js';
import { constantOf, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { assertionAround } from '../_mcp/typescript/assertions.js';
import { speaksMcp } from '../_mcp/typescript/dialect.js';
import { ancestor, isFunctionNode, unwrap, wrapped } from '../_mcp/typescript/nodes.js';

const CODE = -32002;
/** What the same number means elsewhere: scopes, users, tasks, servers that are not ready. */
const OTHER = /scope|user|auth|token|permission|forbidden|cancel|task|not initiali[sz]ed|session/i;

/** Reports -32002 where the code around it is about resources; the number alone says nothing. */
export const typescript: Detector<'typescript', 'code-sent' | 'code-expected'> = (file, report) => ({
  PrefixUnaryExpression(node) {
    if (node.operator !== ts.SyntaxKind.MinusToken || constantOf(node, file) !== CODE || !isAboutResources(node, file)) return;
    const parent = wrapped(node).parent;
    const compared =
      (ts.isBinaryExpression(parent) && /^[!=]==?$/.test(parent.operatorToken.getText(file.tree))) ||
      ts.isCaseClause(parent) ||
      assertionAround(node) !== undefined;
    report.finding(compared ? 'code-expected' : 'code-sent', file.span(node), { group: 'code', certainty: 'likely' });
  },
});

/** The statement or function names resources, URIs or "not found", and nothing that the code means elsewhere. */
function isAboutResources(node: ts.Node, file: TypeScriptFile): boolean {
  const statement = ancestor(node, ts.isStatement)?.getText(file.tree) ?? '';
  const fn = ancestor(node, (outer): outer is ts.Node => isFunctionNode(outer));
  const around = fn === undefined ? statement : fn.getText(file.tree);
  const holder = ancestor(node, ts.isPropertyAssignment);
  const near = holder === undefined ? statement : unwrap(holder).parent.getText(file.tree);
  if (OTHER.test(near.length < 600 ? near : '') || (holder !== undefined && OTHER.test(holder.name.getText(file.tree).replaceAll('_', ' ')))) return false;
  if (/resource|\buri\b/i.test(near)) return true;
  // A compared code of the SDK's own error class, in a file that reads resources.
  if (/\b(?:McpError|ProtocolError)\b/.test(near) && /resource|\buri\b|readResource/i.test(file.text) && speaksMcp(file)) return true;
  return (speaksMcp(file) || /resources\/read|readResource/.test(file.text)) && /resource|\buri\b/i.test(around);
}
