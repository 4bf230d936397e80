import { ts } from 'ts-morph';
import { eachNode, originOf, type TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { isSessionId } from '../../_mcp/typescript/ids.js';
import { calledMember, nameText, receiverOf, unwrap, wrapped } from '../../_mcp/typescript/nodes.js';
import { sessionCode } from '../../_mcp/typescript/sessions.js';
import { isTransportVariable } from '../../_mcp/typescript/served.js';
import { EVENT_KEYS, eventOf, isTelemetry } from '../../_mcp/typescript/telemetry.js';

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
