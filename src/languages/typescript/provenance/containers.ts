import { ts } from 'ts-morph';
import { propertyNameOf, unwrap } from '../expressions.js';
import type { TypeScriptFile } from '../file.js';
import { declarationOf, referencesOf } from '../scope/query.js';
import { enclosingClass } from '../symbols/names.js';

/** Classes that hold others: the type argument that a member access yields. */
const ELEMENT: Readonly<Record<string, number>> = { Map: 1, WeakMap: 1, ReadonlyMap: 1, Record: 1, Array: 0, ReadonlyArray: 0, Set: 0, LRUCache: 1 };

/** Name of a type reference without a qualifier. */
export const nameOfType = (type: ts.TypeNode): string | undefined =>
  ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName) ? type.typeName.text : undefined;

/** The container in `map.get(id)`, `list[i]` and `record[id]`. */
export function elementAccess(node: ts.Node): ts.Expression | undefined {
  if (ts.isElementAccessExpression(node)) return node.expression;
  return ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && /^(get|at|pop|shift)$/.test(node.expression.name.text)
    ? node.expression.expression
    : undefined;
}

/** Written element types of a container. */
export function* elementTypes(container: ts.Node, file: TypeScriptFile): Iterable<ts.TypeNode> {
  const object = unwrap(container);
  const field =
    ts.isPropertyAccessExpression(object) && object.expression.kind === ts.SyntaxKind.ThisKeyword
      ? enclosingClass(object)?.members.find((member) => propertyNameOf(member.name) === object.name.text)
      : undefined;
  const node = field ?? declarationOf(object, file)?.node;
  if (!node || !(ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isPropertyDeclaration(node))) return;
  const written = node.type ?? (node.initializer && ts.isNewExpression(node.initializer) ? node.initializer : undefined);
  if (!written) return;
  if (ts.isNewExpression(written)) {
    const index = ts.isIdentifier(written.expression) ? ELEMENT[written.expression.text] : undefined;
    const type = index === undefined ? undefined : written.typeArguments?.[index];
    if (type) yield type;
  } else if (ts.isArrayTypeNode(written)) yield written.elementType;
  else if (ts.isTypeLiteralNode(written)) {
    for (const member of written.members) if (ts.isIndexSignatureDeclaration(member)) yield member.type;
  } else if (ts.isTypeReferenceNode(written)) {
    const index = ELEMENT[nameOfType(written) ?? ''];
    const type = index === undefined ? undefined : written.typeArguments?.[index];
    if (type) yield type;
  }
}

/** Values put into a container: `map.set(id, value)`, `record[id] = value`, `list.push(value)`. */
export function* valuesPutInto(container: ts.Node, file: TypeScriptFile): Iterable<ts.Expression> {
  const declaration = declarationOf(unwrap(container), file);
  if (!declaration) return;
  for (const use of referencesOf(declaration, file)) {
    const { parent } = use;
    if (ts.isElementAccessExpression(parent) && parent.expression === use && ts.isBinaryExpression(parent.parent) && parent.parent.left === parent)
      yield parent.parent.right;
    if (!ts.isPropertyAccessExpression(parent) || parent.expression !== use || !ts.isCallExpression(parent.parent) || parent.parent.expression !== parent)
      continue;
    const last = parent.parent.arguments.at(-1);
    if (last && /^(set|push|add|unshift)$/.test(parent.name.text)) yield last;
  }
}
