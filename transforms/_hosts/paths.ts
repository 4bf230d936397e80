import { ts } from 'ts-morph';
import { type TypeScriptFile, constantOf, declarationOf, eachNode } from '../../src/languages/typescript/index.js';
import { calledMember, isFunctionNode, receiverOf, unwrap } from '../_mcp/typescript/nodes.js';

/** A test of the path of a request. `holds` is false when the test is that of another path: `url !== '/mcp'`. */
export interface PathTest {
  readonly node: ts.Node;
  /** Literal paths, `undefined` for one that is no literal. */
  readonly paths: readonly (string | undefined)[];
  readonly holds: boolean;
}

const URL_NAME = /^(?:url|pathname|path|parsedUrl|requestUrl|requestPath|urlPath|reqPath|route)$/i;

/** Is an expression the URL of a request or a part of it? Names count only when their value says so too, or is not known. */
export function isUrlish(node: ts.Node, file: TypeScriptFile, depth = 0): boolean {
  const value = unwrap(node);
  if (depth > 6) return false;
  if (ts.isPropertyAccessExpression(value)) return /^(?:url|pathname|path|originalUrl)$/.test(value.name.text) || isUrlish(value.expression, file, depth + 1);
  if (ts.isElementAccessExpression(value)) return isUrlish(value.expression, file, depth + 1);
  if (ts.isBinaryExpression(value)) return isUrlish(value.left, file, depth + 1);
  if (ts.isNewExpression(value))
    return value.expression.getText(file.tree) === 'URL' && (value.arguments ?? []).some((argument) => isUrlish(argument, file, depth + 1));
  if (ts.isCallExpression(value)) {
    const receiver = receiverOf(value);
    return (receiver !== undefined && isUrlish(receiver, file, depth + 1)) || value.arguments.some((argument) => isUrlish(argument, file, depth + 1));
  }
  if (!ts.isIdentifier(value)) return false;
  const declared = declarationOf(value, file)?.node;
  const holder = declared !== undefined && ts.isBindingElement(declared) ? declared.parent.parent : declared;
  if (holder !== undefined && ts.isVariableDeclaration(holder) && holder.initializer !== undefined) return isUrlish(holder.initializer, file, depth + 1);
  return URL_NAME.test(value.text);
}

const EQUAL: ReadonlySet<ts.SyntaxKind> = new Set([ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.EqualsEqualsToken]);
const DIFFERENT: ReadonlySet<ts.SyntaxKind> = new Set([ts.SyntaxKind.ExclamationEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsToken]);

const text = (node: ts.Node, file: TypeScriptFile): string | undefined => {
  const constant = constantOf(node, file);
  return typeof constant === 'string' ? constant : undefined;
};

/** The test that a single expression is, `!` included; `undefined` for anything else. */
export function pathTest(node: ts.Node, file: TypeScriptFile): PathTest | undefined {
  const value = unwrap(node);
  if (ts.isPrefixUnaryExpression(value) && value.operator === ts.SyntaxKind.ExclamationToken) {
    const inner = pathTest(value.operand, file);
    return inner === undefined ? undefined : { ...inner, node: value, holds: !inner.holds };
  }
  if (ts.isBinaryExpression(value)) {
    const operator = value.operatorToken.kind;
    if (operator === ts.SyntaxKind.BarBarToken || operator === ts.SyntaxKind.AmpersandAmpersandToken) {
      const sides = [pathTest(value.left, file), pathTest(value.right, file)];
      const [left, right] = sides;
      // `url === '/' || url === '/mcp'`, `url !== '/' && url !== '/mcp'`
      if (left === undefined || left.holds !== right?.holds || left.holds !== (operator === ts.SyntaxKind.BarBarToken)) return undefined;
      return { node: value, paths: [...left.paths, ...right.paths], holds: left.holds };
    }
    if (!EQUAL.has(operator) && !DIFFERENT.has(operator)) return undefined;
    const [subject, other] = isUrlish(value.left, file) ? [value.left, value.right] : [value.right, value.left];
    const path = text(other, file);
    if (!isUrlish(subject, file) || (path !== undefined && !/^(?:\/|$)/.test(path))) return undefined;
    if (path === undefined && !/path|endpoint|route|prefix|mcp/i.test(other.getText(file.tree))) return undefined;
    return { node: value, paths: [path], holds: EQUAL.has(operator) };
  }
  if (!ts.isCallExpression(value)) return undefined;
  const method = calledMember(value);
  const receiver = receiverOf(value);
  const [first] = value.arguments;
  if (receiver === undefined || first === undefined) return undefined;
  if ((method === 'startsWith' || method === 'includes' || method === 'match' || method === 'endsWith') && isUrlish(receiver, file))
    return { node: value, paths: [text(first, file)], holds: true };
  if (method === 'test' && isUrlish(first, file)) return { node: value, paths: [undefined], holds: true };
  const list = unwrap(receiver);
  if ((method === 'includes' || method === 'has') && isUrlish(first, file)) {
    const elements = ts.isArrayLiteralExpression(list) ? list.elements.map((element) => text(element, file)) : [undefined];
    return { node: value, paths: elements, holds: true };
  }
  return undefined;
}

/** The path tests that must hold for a condition to hold: the parts of an `&&`. */
export function pathConjuncts(condition: ts.Node, file: TypeScriptFile): readonly PathTest[] {
  const value = unwrap(condition);
  const whole = pathTest(value, file);
  if (whole !== undefined) return [whole];
  if (ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
    return [...pathConjuncts(value.left, file), ...pathConjuncts(value.right, file)];
  return [];
}

/** Is the path of the request asked for anywhere below a node, nested functions left out? */
export function asksPath(node: ts.Node, file: TypeScriptFile): boolean {
  let found = false;
  eachNode(node, (inner) => {
    if (found || (inner !== node && isFunctionNode(inner))) return false;
    if (ts.isIfStatement(inner) && mentionsPath(inner.expression, file)) found = true;
    if (ts.isConditionalExpression(inner) && mentionsPath(inner.condition, file)) found = true;
    if (ts.isSwitchStatement(inner) && isUrlish(inner.expression, file)) found = true;
    return undefined;
  });
  return found;
}

/** Does a condition test the path in any of its parts? */
export function mentionsPath(condition: ts.Node, file: TypeScriptFile): boolean {
  const value = unwrap(condition);
  if (pathTest(value, file) !== undefined) return true;
  if (ts.isBinaryExpression(value)) return mentionsPath(value.left, file) || mentionsPath(value.right, file);
  return ts.isPrefixUnaryExpression(value) && mentionsPath(value.operand, file);
}
