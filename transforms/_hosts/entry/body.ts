import { ts } from 'ts-morph';
import { type TypeScriptFile, declarationOf, eachNode } from '../../../src/languages/typescript/index.js';
import type { RequestForm } from '../served.js';
import type { BodyUse } from './dialect.js';
import { calledMember, isFunctionNode, isWithin, memberName, nameText, receiverOf, unwrap, unwrapAwait } from '../../_mcp/typescript/nodes.js';
import { localFunction } from '../../_mcp/typescript/servers.js';

export type BodyAnswer = { readonly ok: true; readonly use: BodyUse } | { readonly ok: false; readonly why: string; readonly nodes: readonly ts.Node[] };

/**
 * What the statements in front of the session code have read of the body.
 * Precondition of an entry: nothing has read it, or the result has a name.
 * @param before places further out that have read it
 */
export function bodyBefore(
  leading: readonly ts.Statement[],
  legacy: readonly ts.Node[],
  names: readonly (string | undefined)[],
  form: RequestForm,
  file: TypeScriptFile,
  before: readonly ts.Node[] = [],
): BodyAnswer {
  const given = givenBody(legacy, file, isWeb(form));
  const readers = [...before, ...leading.flatMap((statement) => readsOf(statement, names[0], file))];
  const visible =
    given.body !== undefined && isVisible(given.body, legacy, file) && !names.slice(0, 2).includes(given.body.getText(file.tree)) ? given.body : undefined;
  const parsed = visible === undefined ? undefined : file.textOf(visible);
  const hidden = given.options.find((property) => !isReadable(property) || !isVisible(property, legacy, file)) ?? given.unread;
  if (hidden !== undefined)
    return { ok: false, why: 'the legacy code tells its transport about the request what is not known in front of it', nodes: [hidden] };
  const options = given.options.map((property) => file.textOf(property));
  if (readers.length === 0) return { ok: true, use: { parsed, options } };
  if (parsed !== undefined) return { ok: true, use: { parsed, options } };
  // A stream that is listened to is gone for everybody who comes later.
  const named = readers.every((reader) => nameFor(reader) !== undefined && !before.includes(reader)) ? nameFor(readers.at(-1) ?? file.tree) : undefined;
  if (named !== undefined) return { ok: true, use: { parsed: named, options } };
  return { ok: false, why: 'the body is read in front of the session code, and what was read has no name there', nodes: readers };
}

/** Does the host hand over a web-standard request? */
const isWeb = (form: RequestForm): boolean => form === 'web' || form === 'hono' || form === 'elysia';

const isReadable = (property: ts.ObjectLiteralElementLike): boolean => ts.isPropertyAssignment(property) || ts.isShorthandPropertyAssignment(property);

const rootText = (node: ts.Node): string => {
  let at = unwrap(node);
  while (ts.isPropertyAccessExpression(at)) at = unwrap(at.expression);
  return at.getText();
};

/** What the legacy code hands to the transport beside request and response. */
function givenBody(
  legacy: readonly ts.Node[],
  file: TypeScriptFile,
  web: boolean,
): {
  readonly body: ts.Node | undefined;
  readonly options: readonly ts.ObjectLiteralElementLike[];
  /** Options of a web-standard transport that are not written in place. */
  readonly unread: ts.Node | undefined;
} {
  let unread: ts.Node | undefined;
  let body: ts.Node | undefined;
  let options: readonly ts.ObjectLiteralElementLike[] = [];
  for (const root of legacy)
    eachNode(root, (node) => {
      if (!ts.isCallExpression(node) || calledMember(node) !== 'handleRequest') return;
      const last = node.arguments.at(-1);
      const value = last === undefined ? undefined : unwrap(last);
      if (value !== undefined && ts.isObjectLiteralExpression(value) && node.arguments.length >= 2) {
        const parsed = value.properties.find((property) => nameText(property.name) === 'parsedBody');
        if (parsed !== undefined) body ??= ts.isPropertyAssignment(parsed) ? parsed.initializer : parsed.name;
        options = value.properties.filter((property) => nameText(property.name) !== 'parsedBody');
      } else if (web && value !== undefined && node.arguments.length === 2) unread = value;
      else if (node.arguments.length >= 3 && node.arguments[2] !== undefined) body ??= node.arguments[2];
    });
  return { body: body !== undefined && file.textOf(body) === 'undefined' ? undefined : body, options, unread };
}

/** Does every name of an expression exist in front of the session code? */
function isVisible(node: ts.Node, legacy: readonly ts.Node[], file: TypeScriptFile): boolean {
  let seen = true;
  eachNode(node, (inner) => {
    if (!ts.isIdentifier(inner) || (ts.isPropertyAccessExpression(inner.parent) && inner.parent.name === inner)) return;
    const declaration = declarationOf(inner, file);
    if (declaration === undefined) return;
    const [first] = legacy;
    const inside = legacy.some((root) => isWithin(declaration.node, root));
    // A parameter of another function: the session code was split up.
    if (inside || (first !== undefined && !isWithin(first, declaration.scope.node))) seen = false;
  });
  return seen;
}

const BODY_READER = /(?:read|parse|get|collect|load|receive|drain)\w*(?:body|json|payload|request|stream)|^(?:json|text|raw|body)$/i;

/** Places of a statement that read the body of the request `name`. */
export function readsOf(statement: ts.Statement, name: string | undefined, file: TypeScriptFile): readonly ts.Node[] {
  const found: ts.Node[] = [];
  const [holder] = name?.split('.') ?? [];
  eachNode(statement, (node) => {
    if (ts.isForOfStatement(node) && node.awaitModifier !== undefined && rootText(node.expression) === holder) found.push(node);
    if (!ts.isCallExpression(node)) return;
    const receiver = receiverOf(node);
    const method = calledMember(node);
    if (receiver !== undefined && method !== undefined && rootText(receiver) === holder) {
      const [event] = node.arguments;
      if (/^(?:json|text|arrayBuffer|blob|formData|parseBody)$/.test(method)) found.push(node);
      if (
        /^(?:on|once)$/.test(method) &&
        event !== undefined &&
        /data|readable|end/.test(event.getText(file.tree)) &&
        !event.getText(file.tree).includes('close')
      )
        found.push(node);
      if (method === 'pipe') found.push(node);
      return;
    }
    const callee = unwrap(node.expression);
    const called = ts.isIdentifier(callee) ? callee.text : (memberName(callee) ?? '');
    if (!node.arguments.some((argument) => [name, holder].includes(unwrap(argument).getText(file.tree)))) return;
    const fn = ts.isIdentifier(callee) ? localFunction(callee, file) : undefined;
    const streams = fn?.body !== undefined && /for await|\.on\(\s*['"](?:data|readable|end)|\.json\(\)|\.text\(\)|getReader/.test(file.textOf(fn.body));
    if (streams || (fn === undefined && BODY_READER.test(called))) found.push(node);
  });
  return found.filter((node) => !isFunctionNode(node));
}

/** `const body = await readBody(req)`: the name of what was read. */
function nameFor(reader: ts.Node): string | undefined {
  for (let at: ts.Node = reader; at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (ts.isVariableDeclaration(parent) && parent.initializer === at)
      return ts.isIdentifier(parent.name) && unwrapAwait(at) !== undefined ? parent.name.text : undefined;
    if (ts.isBinaryExpression(parent) && parent.right === at && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken)
      return ts.isIdentifier(parent.left) ? parent.left.text : undefined;
    if (ts.isStatement(parent) || isFunctionNode(parent)) return undefined;
  }
  return undefined;
}
