import { ts } from 'ts-morph';
import { constantOf, eachNode, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { isMcpMethod } from '../_mcp/methods.js';
import { ancestor, calledMember, isFunctionNode, receiverOf, unwrap } from '../_mcp/typescript/nodes.js';
import { readOptions } from '../_mcp/typescript/options.js';
import type { Say } from './typescript.js';

/** Requests that are sent with `fetch` and a body of their own. */
export function requests(file: TypeScriptFile, say: Say): void {
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node) || !ts.isIdentifier(unwrap(node.expression)) || !/^(?:fetch|request|post)$/.test(unwrap(node.expression).getText(file.tree)))
      return;
    const options = readOptions(node.arguments[1], file);
    const body = options.values.get('body');
    const headers = options.values.get('headers');
    const method = body === undefined ? undefined : methodIn(body, file);
    if (body === undefined || headers === undefined || method === undefined) return;
    const text = node.getText(file.tree);
    if (/\.\.\.(?!\()\s*\w|headersFor|buildHeaders/.test(headers.getText(file.tree)) || !ts.isObjectLiteralExpression(unwrap(headers))) return;
    const missing = [
      ...(/mcp-protocol-version/i.test(text) ? [] : ['`MCP-Protocol-Version`']),
      ...(/mcp-method/i.test(text) ? [] : ['`Mcp-Method`']),
      ...(/_meta\b/.test(text) ? [] : ['`_meta`']),
    ];
    // Legacy code that sends none of them is what a client without the SDK looks like; one that has them all is modern.
    if (missing.length > 0) say('request-without-metadata', node, { data: { missing: missing.join(', ') }, evidence: [`it sends \`${method}\``] });
    const fn = ancestor(node, (outer): outer is ts.Node => isFunctionNode(outer) || ts.isSourceFile(outer)) ?? file.tree;
    const scope = fn.getText(file.tree);
    if (!text.includes('text/event-stream') || /getReader|EventSource|content-type['"]\)|eventsource|\.text\(\)|data:|startsWith\('data/i.test(scope)) return;
    eachNode(fn, (inner) => {
      if (
        ts.isCallExpression(inner) &&
        calledMember(inner) === 'json' &&
        inner.arguments.length === 0 &&
        inner.pos > node.pos &&
        receiverOf(inner) !== undefined
      )
        say('stream-read-as-json', inner);
    });
  });
}

/** The MCP method of `JSON.stringify({ jsonrpc, method, … })`. */
function methodIn(body: ts.Node, file: TypeScriptFile): string | undefined {
  const value = unwrap(body);
  if (!ts.isCallExpression(value) || calledMember(value) !== 'stringify') return undefined;
  const message = readOptions(value.arguments[0], file);
  const method = message.values.get('method');
  const text = method === undefined ? undefined : constantOf(method, file);
  return message.values.has('jsonrpc') && typeof text === 'string' && isMcpMethod(text) && !text.startsWith('notifications/') ? text : undefined;
}
