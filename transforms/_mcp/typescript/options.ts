import { ts } from 'ts-morph';
import { type TypeScriptFile, declarationOf } from '../../../src/languages/typescript/index.js';
import { nameText, unwrap } from './nodes.js';

/** Named options of a call, whether written in place, held in a constant, or spread from one. */
export interface Options {
  /** Value expression by name; a method is its own value. Later properties win. */
  readonly values: ReadonlyMap<string, ts.Node>;
  /** Property node by name, for reporting. */
  readonly properties: ReadonlyMap<string, ts.ObjectLiteralElementLike>;
  /** False when a part could not be followed: an imported object, a call. */
  readonly complete: boolean;
}

const NONE: Options = { values: new Map(), properties: new Map(), complete: true };

/** Reads an option object. An absent argument has no options and is complete. */
export function readOptions(node: ts.Node | undefined, file: TypeScriptFile, depth = 0): Options {
  if (node === undefined) return NONE;
  const value = unwrap(node);
  if (ts.isIdentifier(value)) {
    if (value.text === 'undefined') return NONE;
    const declaration = declarationOf(value, file)?.node;
    if (depth < 5 && declaration !== undefined && ts.isVariableDeclaration(declaration) && declaration.initializer !== undefined)
      return readOptions(declaration.initializer, file, depth + 1);
    return { ...NONE, complete: false };
  }
  if (!ts.isObjectLiteralExpression(value)) return { ...NONE, complete: false };
  const values = new Map<string, ts.Node>();
  const properties = new Map<string, ts.ObjectLiteralElementLike>();
  let complete = true;
  for (const property of value.properties) {
    if (ts.isSpreadAssignment(property)) {
      const inner = unwrap(property.expression);
      const branches = ts.isConditionalExpression(inner) ? [inner.whenTrue, inner.whenFalse] : ts.isBinaryExpression(inner) ? [inner.right] : [inner];
      for (const branch of branches) {
        const spread = readOptions(branch, file, depth + 1);
        for (const [name, node] of spread.values) values.set(name, node);
        for (const [name, node] of spread.properties) properties.set(name, node);
        complete &&= spread.complete;
      }
      continue;
    }
    const name = nameText(property.name);
    if (name === undefined) {
      complete = false;
      continue;
    }
    values.set(name, ts.isPropertyAssignment(property) ? property.initializer : ts.isShorthandPropertyAssignment(property) ? property.name : property);
    properties.set(name, property);
  }
  return { values, properties, complete };
}

/** True for `undefined`, `null` and `void 0`. */
export function isNothing(node: ts.Node): boolean {
  const value = unwrap(node);
  return (ts.isIdentifier(value) && value.text === 'undefined') || value.kind === ts.SyntaxKind.NullKeyword || ts.isVoidExpression(value);
}
