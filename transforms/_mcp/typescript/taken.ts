import { ts } from 'ts-morph';
import { type TypeScriptFile, declarationOf, unwrap } from '../../../src/languages/typescript/index.js';
import { memberName, nameText } from './nodes.js';

/** A method that is called by a name of its own. */
export interface TakenMethod {
  readonly method: string;
  /** The object that it was taken from. */
  readonly receiver: ts.Node;
}

/**
 * The method behind a call that does not name its object: `const { connect } = server`, `const add = server.tool`,
 * `const add = server.tool.bind(server)`, and `server.tool.bind(server)(…)` in place.
 */
export function takenMethod(call: ts.CallExpression, file: TypeScriptFile): TakenMethod | undefined {
  const callee = unwrap(call.expression);
  if (!ts.isIdentifier(callee)) return bound(callee);
  const declared = declarationOf(callee, file)?.node;
  if (declared === undefined) return undefined;
  if (ts.isVariableDeclaration(declared) && declared.initializer !== undefined) {
    const value = unwrap(declared.initializer);
    return bound(value) ?? member(value);
  }
  if (!ts.isBindingElement(declared) || declared.dotDotDotToken !== undefined) return undefined;
  const holder = declared.parent.parent;
  const method = nameText(declared.propertyName ?? declared.name);
  return method !== undefined && ts.isVariableDeclaration(holder) && holder.initializer !== undefined
    ? { method, receiver: unwrap(holder.initializer) }
    : undefined;
}

/** `x.method.bind(x)`. */
function bound(value: ts.Node): TakenMethod | undefined {
  if (!ts.isCallExpression(value)) return undefined;
  const bind = unwrap(value.expression);
  return memberName(bind) === 'bind' && ts.isPropertyAccessExpression(bind) ? member(unwrap(bind.expression)) : undefined;
}

function member(value: ts.Node): TakenMethod | undefined {
  const method = memberName(value);
  return method !== undefined && (ts.isPropertyAccessExpression(value) || ts.isElementAccessExpression(value))
    ? { method, receiver: unwrap(value.expression) }
    : undefined;
}
