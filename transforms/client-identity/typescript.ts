import { ts } from 'ts-morph';
import type { Detector, FindingDetails } from '../../src/core/index.js';
import { constantOf, declarationOf, eachNode, instanceOrigin, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { canonical } from '../_mcp/canonical.js';
import { dialectOf, speaksMcp } from '../_mcp/typescript/dialect.js';
import { ancestor, calledMember, isFunctionNode, memberName, nameText, receiverOf, unwrap } from '../_mcp/typescript/nodes.js';
import { insideHandler } from '../_mcp/typescript/registrations.js';

export type Kind = 'initialize-hook' | 'initialize-handler' | 'client-data-read' | 'client-name-decides' | 'list-varies' | 'roots-change-handler';

const READS: ReadonlySet<string> = new Set(['getClientCapabilities', 'getClientVersion']);

/** Reports hooks of the handshake, reads of what it brought, and registrations that depend on it. */
export const typescript: Detector<'typescript', Kind> = (file, report) => {
  if (dialectOf(file).implementation || !speaksMcp(file)) return {};
  const say = (kind: Kind, node: ts.Node, call: string, details: FindingDetails = {}): void => {
    report.finding(kind, file.span(node), { group: 'handshake', ...details, data: { call, ...details.data } });
  };
  return {
    BinaryExpression(node) {
      if (node.operatorToken.kind !== ts.SyntaxKind.EqualsToken || memberName(unwrap(node.left)) !== 'oninitialized') return;
      // The bridge of MCP Apps has a hook of the same name and no session.
      if (/bridge|\bapp\b/i.test(node.left.getText(file.tree)) || isUndefined(node.right)) return;
      say('initialize-hook', node.left, 'oninitialized');
    },
    PropertyAssignment(node) {
      if (nameText(node.name) === 'oninitialized' && !isUndefined(node.initializer))
        say('initialize-hook', node.name, 'oninitialized', { certainty: 'likely' });
    },
    CallExpression(call) {
      const method = calledMember(call) ?? (ts.isIdentifier(unwrap(call.expression)) ? (unwrap(call.expression) as ts.Identifier).text : '');
      if ((method === 'enable' || method === 'disable') && call.arguments.length === 0 && togglesInHandler(call, file)) {
        say('list-varies', call, method, { certainty: 'likely' });
        return;
      }
      if (READS.has(method)) {
        say('client-data-read', call, method);
        consequences(call, method, file, say);
        return;
      }
      const schema = /^set(?:Request|Notification)Handler$/.test(method) && call.arguments[0] !== undefined ? handled(call.arguments[0], file) : undefined;
      if (schema === 'InitializeRequestSchema' || schema === 'initialize') say('initialize-handler', call.arguments[0] ?? call, method);
      else if (schema === 'InitializedNotificationSchema' || schema === 'notifications/initialized') say('initialize-hook', call.arguments[0] ?? call, schema);
      else if (schema === 'RootsListChangedNotificationSchema' || schema === 'notifications/roots/list_changed')
        say('roots-change-handler', call.expression, schema);
      else if (/^(?:on|once|addListener)$/.test(method) && listensToHandshake(call, file)) say('initialize-hook', call.arguments[0] ?? call, 'initialize');
    },
  };
};

/** `server.on('initialize', …)` of a server that tells its events by name. A dispatcher that names other methods too belongs to another concern. */
const listensToHandshake = (call: ts.CallExpression, file: TypeScriptFile): boolean =>
  call.arguments.length >= 2 &&
  /^initiali[sz]ed?$/.test(String(constantOf(call.arguments[0] as ts.Expression, file))) &&
  /\bserver$/i.test(receiverOf(call)?.getText(file.tree) ?? '') &&
  !/\.on\(\s*['"`](?:tools|resources|prompts)\//.test(file.text);

/** `tool.enable()` in a handler of a registration: one client changes the list, and only of its own connection. */
function togglesInHandler(call: ts.CallExpression, file: TypeScriptFile): boolean {
  if (!/\bRegistered(?:Tool|Resource|Prompt)\b|=\s*\w+\.registerTool\(/.test(file.text)) return false;
  return insideHandler(call);
}

const isUndefined = (node: ts.Node): boolean => /^(?:undefined|null|void 0)$/.test(unwrap(node).getText());

const handled = (node: ts.Node, file: TypeScriptFile): string | undefined => {
  const constant = constantOf(node, file);
  return typeof constant === 'string'
    ? constant
    : (memberName(unwrap(node)) ?? (ts.isIdentifier(unwrap(node)) ? (unwrap(node) as ts.Identifier).text : undefined));
};

type Say = (kind: Kind, node: ts.Node, call: string, details?: FindingDetails) => void;

/** Branches on what was read: those that register, and those that look at a name. */
function consequences(call: ts.CallExpression, method: string, file: TypeScriptFile, say: Say): void {
  const fn = ancestor(call, (node): node is ts.Node => isFunctionNode(node) || ts.isSourceFile(node)) ?? file.tree;
  const holder = ancestor(call, (node): node is ts.Node => ts.isVariableDeclaration(node) || ts.isStatement(node));
  const declared = holder !== undefined && ts.isVariableDeclaration(holder) ? holder : undefined;
  const name = declared !== undefined && ts.isIdentifier(declared.name) ? declared.name : undefined;
  const named = declared?.initializer !== undefined && /\)\??\.name\b/.test(declared.initializer.getText(file.tree));
  const visit = (node: ts.Node): void => {
    if (ts.isIfStatement(node) && uses(node.expression, call, name, file)) {
      const then = node.thenStatement.getText(file.tree);
      if (
        /\.(?:registerTool|registerPrompt|registerResource|tool|prompt|resource|enable|disable|setRequestHandler|remove)\s*\(|\b(?:add|register|enable|mount)\w*(?:Tools?|Resources?|Prompts?|Apps?)\s*\(/.test(
          then,
        ) ||
        handsOnServer(node.thenStatement, file)
      )
        say('list-varies', node.expression, method, { certainty: 'likely' });
      if (method === 'getClientVersion' || /\bname\b|clientInfo/.test(node.expression.getText(file.tree))) {
        if (named || /\.name\b|\.version\b/.test(node.expression.getText(file.tree)))
          say('client-name-decides', node.expression, method, { certainty: 'likely' });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(fn);
}

/** `addGuides(server)` in a branch: by its name it registers on the server that it is handed. */
function handsOnServer(branch: ts.Node, file: TypeScriptFile): boolean {
  let found = false;
  eachNode(branch, (node) => {
    if (ts.isCallExpression(node) && /^(?:add|register|enable|mount|install|attach|provide|set_?up)/i.test(node.expression.getText(file.tree)))
      found ||= node.arguments.some((argument) => canonical(instanceOrigin(argument, file))?.name === 'McpServer');
  });
  return found;
}

function uses(condition: ts.Node, call: ts.CallExpression, name: ts.Identifier | undefined, file: TypeScriptFile): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    if (node === call) found = true;
    if (name !== undefined && ts.isIdentifier(node) && node.text === name.text && declarationOf(node, file) === declarationOf(name, file)) found = true;
    ts.forEachChild(node, visit);
  };
  visit(condition);
  return found;
}
