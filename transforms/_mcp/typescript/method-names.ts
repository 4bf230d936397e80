import { ts } from 'ts-morph';
import { constantOf, declarationOf, type TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { isMcpMethod } from '../methods.js';
import { calledMember, memberName, nameText, receiverOf, unwrap } from './nodes.js';

/** Is an expression the method of a message: called so, or a variable that is filled with one? `const kind = body.method`. */
export function namesMethod(node: ts.Node, file: TypeScriptFile, named: RegExp): boolean {
  const value = unwrap(node);
  const name = ts.isIdentifier(value) ? value.text : memberName(value);
  if (name !== undefined && named.test(name)) return true;
  if (!ts.isIdentifier(value)) return false;
  const declared = declarationOf(value, file)?.node;
  if (declared === undefined) return false;
  // `const { method: kind } = body`
  if (ts.isBindingElement(declared)) return declared.propertyName !== undefined && nameText(declared.propertyName) === 'method';
  if (!ts.isVariableDeclaration(declared) || declared.initializer === undefined) return false;
  return memberName(filled(declared.initializer)) === 'method';
}

/** `body?.method ?? ''`, `String(body.method)`: the value that is meant. */
function filled(node: ts.Expression): ts.Node {
  const value = unwrap(node);
  if (ts.isBinaryExpression(value) && /^(?:\?\?|\|\|)$/.test(value.operatorToken.getText())) return unwrap(value.left);
  if (ts.isCallExpression(value) && ts.isIdentifier(value.expression) && value.expression.text === 'String' && value.arguments[0] !== undefined)
    return unwrap(value.arguments[0]);
  return value;
}

/** Methods that a message is looked up in: `['initialize', 'ping'].includes(body.method)`, `OPEN.has(method)`. Empty for any other call. */
export function listedMethods(call: ts.CallExpression, file: TypeScriptFile): readonly string[] {
  const method = calledMember(call);
  const [asked] = call.arguments;
  if ((method !== 'includes' && method !== 'has') || asked === undefined || !namesMethod(asked, file, /^\w*method$/i)) return [];
  const list = listAt(receiverOf(call), file);
  const texts = (list?.elements ?? []).map((element) => constantOf(element, file)).filter((text) => typeof text === 'string');
  return texts.some((text) => isMcpMethod(text) || text === 'initialize') ? texts : [];
}

/** The array that a name, a literal or a set of it stands for. */
function listAt(node: ts.Node | undefined, file: TypeScriptFile, depth = 0): ts.ArrayLiteralExpression | undefined {
  if (node === undefined || depth > 3) return undefined;
  const value = unwrap(node);
  if (ts.isArrayLiteralExpression(value)) return value;
  if (ts.isNewExpression(value))
    return ts.isIdentifier(value.expression) && value.expression.text === 'Set' ? listAt(value.arguments?.[0], file, depth + 1) : undefined;
  const declared = ts.isIdentifier(value) ? declarationOf(value, file) : undefined;
  return declared?.kind === 'const' && ts.isVariableDeclaration(declared.node) ? listAt(declared.node.initializer, file, depth + 1) : undefined;
}
