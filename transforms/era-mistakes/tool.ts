import { ts } from 'ts-morph';
import { constantOf, eachNode, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { dialectOf } from '../_mcp/typescript/dialect.js';
import { calledMember, isFunctionNode, unwrap } from '../_mcp/typescript/nodes.js';
import type { Say } from './typescript.js';

const WRITES =
  /^(?:pay|create|delete|send|update|transfer|book|charge|cancel|purchase|order|post|remove|submit|refund|publish|insert|buy|reserve)(?:[-_A-Z]|$)/;
const EFFECT =
  /\.(?:post|put|patch|delete|insert|create|send|charge|transfer|publish)\s*\(|method:\s*['"](?:POST|PUT|PATCH|DELETE)['"]|\bINSERT INTO\b|\bUPDATE \w+ SET\b/;

/** Tools that write without a word about repeats. */
export function tools(file: TypeScriptFile, say: Say): void {
  if (!dialectOf(file).sdk) return;
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node)) return;
    const method = calledMember(node);
    if (method === 'registerTool' || method === 'tool') writer(node, file, say);
  });
}

function writer(call: ts.CallExpression, file: TypeScriptFile, say: Say): void {
  const [first] = call.arguments;
  const name = first === undefined ? undefined : constantOf(first, file);
  const handler = call.arguments.at(-1);
  if (typeof name !== 'string' || !WRITES.test(name) || handler === undefined || !isFunctionNode(unwrap(handler))) return;
  const text = call.getText(file.tree);
  if (/idempotentHint|readOnlyHint|idempotency|request_?key|dedup/i.test(text) || !EFFECT.test(handler.getText(file.tree))) return;
  say('unsafe-repeat', first ?? call, { data: { name } });
}
