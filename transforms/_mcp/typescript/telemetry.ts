import { ts } from 'ts-morph';
import { constantOf, declarationOf, isWrite, referencesOf, type TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { calledMember, isFunctionNode, memberName, nameText, receiverOf, unwrap, wrapped } from './nodes.js';

const LOGGERS = /^(?:console|logger|log|winston|pino|debug|trace|span|metrics?|telemetry|tracer|audit)$/i;
const LOG_METHODS = /^(?:log|info|warn|error|debug|trace|verbose|child|setAttribute|setAttributes|setTag|increment|inc|observe|record|addEvent)$/;

/** Is a value only told to a log, a metric or a trace? */
export function isTelemetry(node: ts.Node, file: TypeScriptFile): boolean {
  for (let current: ts.Node = node; current.parent !== undefined; current = current.parent) {
    const parent = current.parent;
    if (isFunctionNode(current) || (!ts.isStatement(parent) && ts.isBlock(parent))) return false;
    if (ts.isCallExpression(parent) && parent.expression !== current) {
      const callee = unwrap(parent.expression);
      const method = calledMember(parent);
      let root = receiverOf(parent);
      while (root !== undefined && (ts.isPropertyAccessExpression(root) || ts.isCallExpression(root))) root = unwrap(root.expression);
      if (root !== undefined && (ts.isIdentifier(root) || root.kind === ts.SyntaxKind.ThisKeyword) && method !== undefined && LOG_METHODS.test(method)) {
        const holder = memberName(unwrap(receiverOf(parent) as ts.Node)) ?? root.getText(file.tree);
        if (LOGGERS.test(holder) || LOGGERS.test(root.getText(file.tree))) return true;
      }
      if (ts.isIdentifier(callee) && /^(?:log\w*|debug)$/.test(callee.text)) return true;
    }
    if (ts.isStatement(parent)) return false;
  }
  return false;
}

/** Members of an object that make it an event record. */
export const EVENT_KEYS: ReadonlySet<string> = new Set(['event', 'metric', 'eventName', 'event_name']);

/** The event record that an id is a field of: an object with a literal `event` or `metric`. */
export function eventOf(node: ts.Node, file: TypeScriptFile): { readonly record: ts.Node; readonly name: string; readonly field: string } | undefined {
  const property = wrapped(node).parent;
  if (!(ts.isPropertyAssignment(property) || ts.isShorthandPropertyAssignment(property))) return undefined;
  const record = property.parent;
  for (const member of record.properties) {
    if (!ts.isPropertyAssignment(member) || !EVENT_KEYS.has(nameText(member.name) ?? '')) continue;
    const name = constantOf(member.initializer, file);
    if (typeof name === 'string') return { record, name, field: nameText(property.name) ?? 'sessionId' };
  }
  return undefined;
}

/** Steps that a value may be handed on through variables before somebody is told. */
const STEPS = 4;

/** Does a value end in logs, metrics, traces and event records alone, also through variables that only clean it? */
export function isOnlyTold(node: ts.Node, file: TypeScriptFile, steps = STEPS): boolean {
  if (isTelemetry(node, file) || eventOf(node, file) !== undefined) return true;
  const declaration = steps === 0 ? undefined : becomes(node);
  if (declaration === undefined || !ts.isIdentifier(declaration.name)) return false;
  const variable = declarationOf(declaration.name, file);
  const uses = variable === undefined ? [] : referencesOf(variable, file).filter((use) => use !== declaration.name);
  return uses.length > 0 && uses.every((use) => !isWrite(use) && (becomes(use) === declaration || isOnlyTold(use, file, steps - 1)));
}

/** The variable whose first value is made of a node by choices and tests (`raw && ok.test(raw) ? raw : null`), with no function around it. */
function becomes(node: ts.Node): ts.VariableDeclaration | undefined {
  for (let current = node; current.parent !== undefined; current = current.parent) {
    const { parent } = current;
    if (ts.isVariableDeclaration(parent)) return parent.initializer === current ? parent : undefined;
    if (ts.isStatement(parent) || isFunctionNode(parent) || ts.isObjectLiteralElementLike(parent) || ts.isAwaitExpression(parent)) return undefined;
    if (
      ts.isCallExpression(parent) &&
      parent.expression !== current &&
      !/^(?:test|String|trim|slice|includes)$/.test(calledMember(parent) ?? parent.expression.getText())
    )
      return undefined;
  }
  return undefined;
}
