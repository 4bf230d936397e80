import { ts } from 'ts-morph';
import { constantOf, declarationOf, eachNode, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { calledMember, nameText, receiverOf, unwrap } from '../_mcp/typescript/nodes.js';

/** Signs of a balancer that pins clients by cookie. */
const BALANCER = /awsalb|\broute_?id\b|affinity|sticky|ingresscookie|\bserverid\b|balancer/i;
/** Cookies of people: logins, consent, protection of forms. */
const PERSON = /log_?-?in|sign_?-?in|password|csrf|xsrf|\buser(?:name)?\b|account|oauth|consent|passport|connect\.sid|captcha/i;

/**
 * Places where a client sends back all cookies that it was sent, with requests that it posts as JSON: a balancer pins clients that way.
 * A file that speaks of logins keeps cookies for them, also where its server speaks MCP; a cookie that is written out is none that was sent.
 */
export function replayedCookies(file: TypeScriptFile): readonly ts.Node[] {
  if (!/set-?cookie/i.test(file.text) || !/JSON\.stringify|jsonrpc/.test(file.text) || !/\bPOST\b|\.post\(/.test(file.text)) return [];
  if (PERSON.test(file.text) && !BALANCER.test(file.text)) return [];
  let received = false;
  let store: ts.Node | undefined;
  let sent: ts.Node | undefined;
  eachNode(file.tree, (node) => {
    if (ts.isCallExpression(node)) {
      const method = calledMember(node);
      const first = node.arguments[0];
      const name = first === undefined ? undefined : constantOf(first, file);
      if (method === 'getSetCookie' || (method === 'get' && typeof name === 'string' && name.toLowerCase() === 'set-cookie')) received = true;
      if ((method === 'set' || method === 'append') && typeof name === 'string' && name.toLowerCase() === 'cookie' && isComputed(node.arguments[1], file))
        sent ??= node;
      const receiver = receiverOf(node);
      if (
        (method === 'set' || method === 'push' || method === 'setCookie') &&
        receiver !== undefined &&
        ts.isIdentifier(receiver) &&
        /jar|cookie/i.test(receiver.text)
      )
        store ??= declarationOf(receiver, file)?.node;
    } else if (ts.isElementAccessExpression(node) && String(constantOf(node.argumentExpression, file)).toLowerCase() === 'set-cookie') received = true;
    else if (ts.isPropertyAssignment(node) && nameText(node.name)?.toLowerCase() === 'cookie') {
      if (isComputed(node.initializer, file)) sent ??= node;
    } else if (ts.isShorthandPropertyAssignment(node) && node.name.text.toLowerCase() === 'cookie') sent ??= node;
    else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      const left = unwrap(node.left);
      if (
        (ts.isPropertyAccessExpression(left) && /^cookie$/i.test(left.name.text)) ||
        (ts.isElementAccessExpression(left) && String(constantOf(left.argumentExpression, file)).toLowerCase() === 'cookie')
      )
        sent ??= node;
    }
  });
  if (!received || sent === undefined) return [];
  return [store ?? sent];
}

const isComputed = (value: ts.Node | undefined, file: TypeScriptFile): boolean => value !== undefined && constantOf(value, file) === undefined;
