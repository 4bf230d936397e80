import { ts } from 'ts-morph';
import { eachNode, originOf, type TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { isSessionId } from '../../_mcp/typescript/ids.js';
import { calledMember, nameText, receiverOf, unwrap, wrapped } from '../../_mcp/typescript/nodes.js';
import { sessionCode } from '../../_mcp/typescript/sessions.js';
import { isTransportVariable } from '../../_mcp/typescript/served.js';
import { EVENT_KEYS, eventOf, isTelemetry } from '../../_mcp/typescript/telemetry.js';

/** A refusal of callers without a session id. */
export interface Refused {
  readonly node: ts.Node;
  readonly id: string;
  readonly certain: boolean;
  readonly evidence: string;
}

const MCP_SESSION = /mcp[-_ ]?session[-_ ]?id/i;

/**
 * `if (!sessionId) return { allow: false }`: decisions, not the session protocol itself. An answer in the words of the transport
 * (status 400 or 404 from the request handler) is the matter of another concern.
 */
export function refusals(file: TypeScriptFile): readonly Refused[] {
  const found: Refused[] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isIfStatement(node)) return;
    const missing = missingId(node.expression, file);
    if (missing === undefined) return;
    const then = node.thenStatement.getText(file.tree);
    const denies =
      /\ballow(?:ed)?\s*:\s*false\b|\b(?:permitted|ok|granted|authorized)\s*:\s*false\b|\bdeny\w*\(|\bforbid\w*\(|\b(?:401|403)\b|\b(?:Forbidden|Unauthorized|AccessDenied|NotAllowed)\w*/.exec(
        then,
      );
    if (denies === null) return;
    found.push({ node: node.expression, id: missing.text, certain: missing.certain, evidence: `without \`${missing.text}\` the answer is \`${denies[0]}\`` });
  });
  return found;
}

/** The id whose absence a condition tests: `!id`, `id === undefined`, also as one part of `&&`. */
function missingId(condition: ts.Node, file: TypeScriptFile): { readonly text: string; readonly certain: boolean } | undefined {
  const value = unwrap(condition);
  if (
    ts.isBinaryExpression(value) &&
    (value.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken || value.operatorToken.kind === ts.SyntaxKind.BarBarToken)
  )
    return missingId(value.left, file) ?? missingId(value.right, file);
  const tested =
    ts.isPrefixUnaryExpression(value) && value.operator === ts.SyntaxKind.ExclamationToken
      ? value.operand
      : ts.isBinaryExpression(value) &&
          /^(?:undefined|null|''|"")$/.test(value.right.getText(file.tree)) &&
          /^={2,3}$/.test(value.operatorToken.getText(file.tree))
        ? value.left
        : undefined;
  if (tested === undefined) return undefined;
  const text = unwrap(tested).getText(file.tree);
  if (isSessionId(tested, file)) return { text, certain: true };
  // A record that the same file fills from the header carries the id under its own name.
  const member = ts.isPropertyAccessExpression(unwrap(tested)) ? (unwrap(tested) as ts.PropertyAccessExpression).name.text : undefined;
  return member !== undefined && /^(?:mcp_?)?session_?id$/i.test(member) && MCP_SESSION.test(file.text) ? { text, certain: false } : undefined;
}

/** A place that writes a session id into a log, a metric or an event. */
export interface Label {
  readonly node: ts.Node;
  readonly name: string;
  readonly metric?: string;
  readonly evidence: string;
}

/** Session ids that are told to a log, a metric or a trace, or put into an event record. */
export function labels(file: TypeScriptFile): readonly Label[] {
  const found: Label[] = [];
  const lines = new Set<ts.Node>();
  const code = sessionCode(file);
  const reads: ReadonlySet<ts.Node> = new Set([...code.headerReads.map((read) => read.node), ...code.idAccesses.map((access) => access.node)]);
  eachNode(file.tree, (node) => {
    if (!reads.has(node) && !isIdOfTransport(node, file) && !(ts.isIdentifier(node) && isSessionId(node, file))) return;
    if (ts.isIdentifier(node) && ts.isVariableDeclaration(node.parent) && node.parent.name === node) return;
    const event = eventOf(node, file);
    const statement = statementCall(node);
    if (event === undefined && !isTelemetry(node, file)) return;
    const once = event?.record ?? statement ?? node;
    if (lines.has(once)) return;
    lines.add(once);
    const holder = statement === undefined ? undefined : receiverOf(statement)?.getText(file.tree);
    found.push({
      node: wrapped(node),
      name: event?.field ?? 'sessionId',
      ...(event === undefined ? {} : { metric: event.name }),
      evidence:
        event === undefined
          ? `it is an argument of ${holder === undefined ? 'a log' : `\`${holder}\``}`
          : `it is the field \`${event.field}\` of the event \`${event.name}\``,
    });
  });
  return found;
}

/** `t.sessionId` of a variable that handles requests, whatever its type. */
const isIdOfTransport = (node: ts.Node, file: TypeScriptFile): boolean =>
  ts.isPropertyAccessExpression(node) && node.name.text === 'sessionId' && ts.isIdentifier(node.expression) && isTransportVariable(node.expression, file);

const statementCall = (node: ts.Node): ts.CallExpression | undefined => {
  let call: ts.CallExpression | undefined;
  for (let current: ts.Node = node; !ts.isStatement(current) && !ts.isSourceFile(current); current = current.parent)
    if (ts.isCallExpression(current)) call = current;
  return call;
};

/** A zod object of an MCP event with a session id that may not be absent. */
export interface EventSchema {
  readonly node: ts.Node;
  readonly field: string;
  readonly event: string;
  /** Where a failed validation is passed over in silence. */
  readonly silent: ts.Node | undefined;
}

const FIELD = /^(?:mcp_?)?sess(?:ion)?_?id$/i;

/** Event schemas are believed to be of MCP when the event's own name or the file says so. */
export function eventSchemas(file: TypeScriptFile): readonly EventSchema[] {
  const found: EventSchema[] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node) || calledMember(node) !== 'object' || !isZod(node, file)) return;
    const shape = node.arguments[0] === undefined ? undefined : unwrap(node.arguments[0]);
    if (shape === undefined || !ts.isObjectLiteralExpression(shape)) return;
    const members = shape.properties.filter(ts.isPropertyAssignment);
    const field = members.find((member) => FIELD.test(nameText(member.name) ?? ''));
    const event = members
      .filter((member) => EVENT_KEYS.has(nameText(member.name) ?? ''))
      .map((member) => /(['"`])(.*?)\1/.exec(member.initializer.getText(file.tree))?.[2] ?? '');
    if (field === undefined || /\.(?:optional|nullish|nullable|default|catch)\(/.test(field.initializer.getText(file.tree))) return;
    const name = event.find((text) => /mcp|(?:^|[_.])tool(?:$|[_.])/i.test(text));
    if (name === undefined) return;
    found.push({ node: field, field: nameText(field.name) ?? '', event: name, silent: silentParse(node, file) });
  });
  return found;
}

const isZod = (call: ts.CallExpression, file: TypeScriptFile): boolean => {
  const receiver = receiverOf(call);
  const module = receiver === undefined ? undefined : originOf(receiver, file)?.module;
  return module === 'zod' || module?.startsWith('zod/') === true;
};

/** `if (parsed.success) send(…)` without an else, after `safeParse` of this schema. */
function silentParse(schema: ts.CallExpression, file: TypeScriptFile): ts.Node | undefined {
  const declaration = schema.parent;
  const name = ts.isVariableDeclaration(declaration) ? nameText(declaration.name) : undefined;
  if (name === undefined) return undefined;
  let silent: ts.Node | undefined;
  eachNode(file.tree, (node) => {
    if (silent !== undefined || !ts.isIfStatement(node) || node.elseStatement !== undefined) return;
    const tested = /^(\w+)\.success$/.exec(node.expression.getText(file.tree))?.[1];
    if (tested !== undefined && new RegExp(`\\b${tested}\\s*=\\s*${name}\\.safeParse\\(`).test(file.text)) silent = node;
  });
  return silent;
}
