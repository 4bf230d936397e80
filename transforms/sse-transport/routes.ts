import { ts } from 'ts-morph';
import { constantOf, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { calledMember, isFunctionNode, memberName, receiverOf, unwrap } from '../_mcp/typescript/nodes.js';

/** A route of the two URLs of HTTP+SSE, told by its path or by the name of its path: `GET /sse`, `POST /messages`. */
export function sseRoute(call: ts.CallExpression, file: TypeScriptFile): { readonly kind: 'stream-url' | 'message-url'; readonly name: string } | undefined {
  const method = calledMember(call);
  const [path, ...rest] = call.arguments;
  if ((method !== 'get' && method !== 'post' && method !== 'all') || path === undefined || rest.length === 0 || receiverOf(call) === undefined)
    return undefined;
  const handler = unwrap(rest.at(-1) as ts.Node);
  if (!isFunctionNode(handler) && !ts.isIdentifier(handler) && !ts.isPropertyAccessExpression(handler) && !ts.isCallExpression(handler)) return undefined;
  if (/\b410\b/.test(handler.getText(file.tree))) return undefined;
  const known = constantOf(path, file);
  const text = typeof known === 'string' ? known : path.getText(file.tree);
  if (typeof known === 'string' && !known.startsWith('/')) return undefined;
  if (method !== 'post' && /(?:^|\/)sse$|^\w*sse\w*(?:path|endpoint|route|url)$|routes?\.sse$/i.test(text)) return { kind: 'stream-url', name: text };
  if (method !== 'get' && /(?:^|\/)messages?$|^\w*messages?\w*(?:path|endpoint|route|url)$|routes?\.messages?$/i.test(text))
    return { kind: 'message-url', name: text };
  return undefined;
}

/** The session id of HTTP+SSE, which is in the query: `req.query.sessionId`, `url.searchParams.get('sessionId')`, `c.req.query('sessionId')`. */
export function queryId(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
    return memberName(node) === 'sessionId' && memberName(unwrap(node.expression)) === 'query';
  if (!ts.isCallExpression(node)) return false;
  const [name] = node.arguments;
  if (name === undefined || !ts.isStringLiteralLike(name) || !/^session_?id$/i.test(name.text)) return false;
  const method = calledMember(node);
  const receiver = receiverOf(node)?.getText() ?? '';
  return (method === 'get' && /searchParams$|query$/i.test(receiver)) || (method === 'query' && /req(?:uest)?$/i.test(receiver));
}

/** Text of the stream: the event that names the message URL, at the start of a line, or a comment that keeps the stream open. */
export const streamText = (text: string): 'endpoint-event' | 'keep-alive' | undefined =>
  /(?:^|\\n|\n)\s*event: ?endpoint(?![\w`-])/.test(text) ? 'endpoint-event' : /^:? ?: ?(?:keep-?alive|ping|heartbeat)/i.test(text) ? 'keep-alive' : undefined;
