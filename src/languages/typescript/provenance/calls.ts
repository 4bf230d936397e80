import { ts } from 'ts-morph';
import { unwrap } from '../expressions.js';
import type { TypeScriptFile } from '../file.js';
import { declarationOf } from '../scope/query.js';

/** Helpers that compilers wrap around `require`: TypeScript, tslib, Babel, esbuild, Rollup. Their result has the members of the module. */
const INTEROP: ReadonlySet<string> = new Set([
  '__importDefault',
  '__importStar',
  '_interopRequireDefault',
  '_interopRequireWildcard',
  '_interopDefault',
  '_interopNamespace',
  '_interopDefaultLegacy',
  '_interopDefaultCompat',
  '_interopNamespaceDefault',
  '__toESM',
  'interopDefault',
]);

/** A bare `require`, or one made by `createRequire`. A parameter of that name is somebody else's function. */
export function isRequire(callee: ts.Node, file: TypeScriptFile): boolean {
  if (!ts.isIdentifier(callee)) return false;
  const declaration = declarationOf(callee, file);
  if (!declaration) return callee.text === 'require';
  const { node } = declaration;
  if (!ts.isVariableDeclaration(node) || !node.initializer) return false;
  const call = unwrap(node.initializer);
  if (!ts.isCallExpression(call)) return false;
  const maker = unwrap(call.expression);
  const name = ts.isPropertyAccessExpression(maker) ? maker.name.text : ts.isIdentifier(maker) ? importedAs(maker, file) : undefined;
  return name === 'createRequire' || name === 'createRequireFromPath';
}

/** `import { createRequire as make }`: the name that the other module gave. */
function importedAs(identifier: ts.Identifier, file: TypeScriptFile): string {
  const node = declarationOf(identifier, file)?.node;
  return node && (ts.isImportSpecifier(node) || ts.isBindingElement(node)) && node.propertyName && ts.isIdentifier(node.propertyName)
    ? node.propertyName.text
    : identifier.text;
}

/** `require('…')`, whatever the argument. */
export const isRequireCall = (node: ts.Node, file: TypeScriptFile): boolean =>
  ts.isCallExpression(node) && node.arguments.length > 0 && isRequire(unwrap(node.expression), file);

/** `import('…')`. */
export const isImportCall = (node: ts.Node): boolean =>
  ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword && node.arguments.length > 0;

/** `__importStar(require('…'))` and its kin. */
export function isInteropCall(call: ts.CallExpression): boolean {
  if (call.arguments.length === 0) return false;
  const callee = unwrap(call.expression);
  const name = ts.isIdentifier(callee) ? callee.text : ts.isPropertyAccessExpression(callee) ? callee.name.text : '';
  // Bundlers number a helper when a chunk holds two of them.
  return INTEROP.has(name.replace(/\$?\d+$/, ''));
}
