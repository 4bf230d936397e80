import { ts } from 'ts-morph';
import { type TypeScriptFile, constantOf, declarationOf, eachNode, enclosingClass, originOf } from '../../../src/languages/typescript/index.js';
import { canonical } from '../canonical.js';
import { LEGACY_REVISIONS, MODERN_REVISION, PROTOCOL_VERSION_META, SHIM, SHIM_FILE } from '../vocabulary.js';
import { calledMember, memberName, nameText, receiverOf, unwrap, unwrapAwait, wrapped } from './nodes.js';
import { readOptions } from './options.js';
import { sdkName } from './sdk.js';

export type Era = 'legacy' | 'modern';

/** A place that serves both eras, or only the modern one. */
export interface EraEntry {
  readonly node: ts.CallExpression;
  readonly legacy: 'reject' | 'stateless' | 'handler' | 'unknown';
  readonly serves: 'http' | 'stdio';
}

/** A branch on the era: the node that decides, and the code that only the legacy side runs. */
export interface EraBranch {
  readonly node: ts.Node;
  readonly legacy: readonly ts.Node[];
}

/** Is a call `dualEra(…)` of the shim that this tool writes? Told by the file that it comes from. */
export function isShimEntry(call: ts.CallExpression, file: TypeScriptFile): boolean {
  const origin = originOf(unwrap(call.expression), file);
  return origin?.name === SHIM.exported && SHIM_FILE.test(origin.module);
}

/** Is a call `mcp(handler)`, with `const mcp = dualEra(…)`? Its argument is the legacy lane. */
export const isShimWrap = (call: ts.CallExpression, file: TypeScriptFile): boolean => !ts.isAwaitExpression(wrapped(call).parent) && callsShim(call, file);

/** Is a call `await mcp(req, res)`, with `const mcp = dualEra(…)`? Where it has answered, the request was not of the legacy lane. */
export const isShimQuestion = (call: ts.CallExpression, file: TypeScriptFile): boolean => ts.isAwaitExpression(wrapped(call).parent) && callsShim(call, file);

function callsShim(call: ts.CallExpression, file: TypeScriptFile): boolean {
  const node = heldIn(unwrap(call.expression), file);
  const value = node?.initializer === undefined ? undefined : unwrap(node.initializer);
  return value !== undefined && ts.isCallExpression(value) && isShimEntry(value, file);
}

/** The variable, or the field of the object itself, that an expression reads. */
function heldIn(node: ts.Node, file: TypeScriptFile): ts.VariableDeclaration | ts.PropertyDeclaration | undefined {
  if (ts.isPropertyAccessExpression(node) && node.expression.kind === ts.SyntaxKind.ThisKeyword)
    return enclosingClass(node)?.members.find((member) => ts.isPropertyDeclaration(member) && nameText(member.name) === node.name.text) as
      ts.PropertyDeclaration | undefined;
  const declared = ts.isIdentifier(node) ? declarationOf(node, file)?.node : undefined;
  return declared !== undefined && ts.isVariableDeclaration(declared) ? declared : undefined;
}

/** An entry of the SDK or of the shim. */
export function entryOf(call: ts.CallExpression, file: TypeScriptFile, depth = 0): EraEntry | undefined {
  if (isShimEntry(call, file)) return { node: call, legacy: 'handler', serves: 'http' };
  const name = sdkName(unwrap(call.expression), file);
  if (name === 'createMcpHandler') {
    const options = readOptions(call.arguments[1], file);
    const value = options.values.get('legacy');
    const constant = value === undefined ? undefined : constantOf(value, file);
    const legacy =
      value === undefined ? (options.complete ? 'stateless' : 'unknown') : constant === 'reject' || constant === 'stateless' ? constant : 'unknown';
    return { node: call, legacy, serves: 'http' };
  }
  if (name === 'serveStdio') return { node: call, legacy: 'stateless', serves: 'stdio' };
  if (name === 'toNodeHandler' && call.arguments[0] !== undefined && depth < 3) {
    const value = unwrap(call.arguments[0]);
    const node = ts.isIdentifier(value) ? declarationOf(value, file)?.node : undefined;
    const made = node !== undefined && ts.isVariableDeclaration(node) && node.initializer !== undefined ? unwrap(node.initializer) : value;
    const inner = ts.isCallExpression(made) ? entryOf(made, file, depth + 1) : undefined;
    return inner === undefined ? undefined : { ...inner, node: call };
  }
  return undefined;
}

const flip = (era: Era | undefined): Era | undefined => (era === undefined ? undefined : era === 'legacy' ? 'modern' : 'legacy');

/** The era that a condition proves when it holds, and when it does not. */
interface Proof {
  readonly holds: Era | undefined;
  readonly fails: Era | undefined;
}

const NOTHING: Proof = { holds: undefined, fails: undefined };
const both = (era: Era | undefined): Proof => ({ holds: era, fails: flip(era) });

/** What a condition says about the era of the request. */
export function eraProof(node: ts.Node, file: TypeScriptFile, depth = 0): Proof {
  const value = unwrapAwait(node);
  if (depth > 6) return NOTHING;
  const inner = (next: ts.Node): Proof => eraProof(next, file, depth + 1);
  if (ts.isPrefixUnaryExpression(value) && value.operator === ts.SyntaxKind.ExclamationToken) {
    const proof = inner(value.operand);
    return { holds: proof.fails, fails: proof.holds };
  }
  if (ts.isCallExpression(value)) {
    if (sdkName(unwrap(value.expression), file) === 'isLegacyRequest') return both('legacy');
    if (isShimQuestion(value, file)) return both('modern');
    const method = calledMember(value);
    const receiver = receiverOf(value);
    if ((method === 'has' || method === 'includes') && receiver !== undefined && value.arguments[0] !== undefined && isVersion(value.arguments[0], file))
      return both(eraOfList(receiver, file));
    return NOTHING;
  }
  if (ts.isIdentifier(value)) {
    const declared = declarationOf(value, file);
    const init = declared?.kind === 'const' && ts.isVariableDeclaration(declared.node) ? declared.node.initializer : undefined;
    return init === undefined ? NOTHING : inner(init);
  }
  if (ts.isBinaryExpression(value)) {
    const operator = value.operatorToken.kind;
    const right = unwrapAwait(value.right);
    // `path === '/mcp' && (await mcp(req, res))`: what is left of this path is the legacy lane's.
    if (operator === ts.SyntaxKind.AmpersandAmpersandToken && ts.isCallExpression(right) && isShimQuestion(right, file)) return both('modern');
    if (operator === ts.SyntaxKind.AmpersandAmpersandToken) return { holds: inner(value.left).holds ?? inner(value.right).holds, fails: undefined };
    if (operator === ts.SyntaxKind.BarBarToken) return { holds: undefined, fails: inner(value.left).fails ?? inner(value.right).fails };
    const answered = answerOf(value, file);
    return answered === undefined ? comparison(value, file) : inner(answered);
  }
  if (ts.isElementAccessExpression(value) || ts.isPropertyAccessExpression(value)) return namesModernMeta(value, file) ? both('modern') : NOTHING;
  return NOTHING;
}

/** `answer !== undefined`, with `const answer = await mcp(request)`: the answer. */
function answerOf(node: ts.BinaryExpression, file: TypeScriptFile): ts.Node | undefined {
  const { kind } = node.operatorToken;
  if (kind !== ts.SyntaxKind.ExclamationEqualsEqualsToken && kind !== ts.SyntaxKind.ExclamationEqualsToken) return undefined;
  const [left, right] = [unwrap(node.left), unwrap(node.right)];
  const declared = ts.isIdentifier(left) && ts.isIdentifier(right) && right.text === 'undefined' ? declarationOf(left, file)?.node : undefined;
  const value = declared !== undefined && ts.isVariableDeclaration(declared) && declared.initializer !== undefined ? unwrap(declared.initializer) : undefined;
  const asked = value !== undefined && ts.isConditionalExpression(value) ? unwrapAwait(value.whenTrue) : value === undefined ? undefined : unwrapAwait(value);
  return asked !== undefined && ts.isCallExpression(asked) && isShimQuestion(asked, file) ? asked : undefined;
}

function comparison(node: ts.BinaryExpression, file: TypeScriptFile): Proof {
  const operator = node.operatorToken.kind;
  const equal = operator === ts.SyntaxKind.EqualsEqualsEqualsToken || operator === ts.SyntaxKind.EqualsEqualsToken;
  const differs = operator === ts.SyntaxKind.ExclamationEqualsEqualsToken || operator === ts.SyntaxKind.ExclamationEqualsToken;
  const [left, right] = [unwrap(node.left), unwrap(node.right)];
  const constant = constantOf(right, file);
  const other = constant === undefined ? constantOf(left, file) : constant;
  const subject = constant === undefined ? right : left;
  if (equal || differs) {
    if (memberName(subject) === 'kind' && (other === 'legacy' || other === 'modern')) {
      const proof = both(isClassification(subject, file) ? other : undefined);
      return differs ? { holds: proof.fails, fails: proof.holds } : proof;
    }
    if (typeof other === 'string' && isVersion(subject, file)) {
      // One revision of several: being another one proves nothing, except that nothing but the modern one is modern today.
      const era = eraOfRevision(other);
      const proof: Proof = era === 'modern' ? both('modern') : { holds: era, fails: undefined };
      return differs ? { holds: proof.fails, fails: proof.holds } : proof;
    }
    const nothing = ts.isIdentifier(right) && right.text === 'undefined' ? left : undefined;
    if (nothing !== undefined && namesModernMeta(nothing, file)) return differs ? both('modern') : both('legacy');
    return NOTHING;
  }
  if (typeof other !== 'string' || !isVersion(subject, file) || other < '2026') return NOTHING;
  const greater = operator === ts.SyntaxKind.GreaterThanEqualsToken || operator === ts.SyntaxKind.GreaterThanToken;
  const less = operator === ts.SyntaxKind.LessThanToken || operator === ts.SyntaxKind.LessThanEqualsToken;
  if (!greater && !less) return operator === ts.SyntaxKind.InKeyword ? NOTHING : NOTHING;
  return both(greater === (subject === left) ? 'modern' : 'legacy');
}

const eraOfRevision = (text: string): Era | undefined =>
  text >= MODERN_REVISION && /^2\d{3}-\d\d-\d\d$/.test(text) ? 'modern' : (LEGACY_REVISIONS as readonly string[]).includes(text) ? 'legacy' : undefined;

/** The era of a list of revisions: an array, or a set of one. */
function eraOfList(node: ts.Node, file: TypeScriptFile): Era | undefined {
  let value = unwrap(node);
  if (ts.isIdentifier(value)) {
    const declared = declarationOf(value, file)?.node;
    if (declared === undefined || !ts.isVariableDeclaration(declared) || declared.initializer === undefined) return undefined;
    value = unwrap(declared.initializer);
  }
  if (ts.isNewExpression(value) && value.arguments?.[0] !== undefined) value = unwrap(value.arguments[0]);
  if (!ts.isArrayLiteralExpression(value) || value.elements.length === 0) return undefined;
  const eras = value.elements.map((element) => {
    const text = constantOf(element, file);
    return typeof text === 'string' ? eraOfRevision(text) : undefined;
  });
  const [first] = eras;
  return first !== undefined && eras.every((era) => era === first) ? first : undefined;
}

/** A bare `version` may be that of a recipe; it counts when it is read from the protocol, which is asked first. */
const VERSION_NAME = /protocol.?version|revision|mcp.?version/i;

/** Is an expression the protocol version of a request: read from the header or `_meta`, or named so? */
function isVersion(node: ts.Node, file: TypeScriptFile): boolean {
  const value = unwrapAwait(node);
  if (/mcp-protocol-version|protocolVersion/i.test(value.getText(file.tree))) return true;
  if (!ts.isIdentifier(value)) return false;
  const declared = declarationOf(value, file)?.node;
  const init = declared !== undefined && ts.isVariableDeclaration(declared) ? declared.initializer : undefined;
  if (init !== undefined && /mcp-protocol-version|protocolVersion|PROTOCOL_VERSION/i.test(init.getText(file.tree))) return true;
  return VERSION_NAME.test(value.text);
}

const namesModernMeta = (node: ts.Node, file: TypeScriptFile): boolean => {
  const value = unwrap(node);
  if (!ts.isElementAccessExpression(value)) return false;
  const key = unwrap(value.argumentExpression);
  return constantOf(key, file) === PROTOCOL_VERSION_META || canonical(originOf(key, file))?.name === 'PROTOCOL_VERSION_META_KEY';
};

function isClassification(node: ts.Node, file: TypeScriptFile): boolean {
  const owner = ts.isPropertyAccessExpression(node) ? unwrap(node.expression) : node;
  const made = ts.isIdentifier(owner) ? declarationOf(owner, file)?.node : owner;
  const value = made !== undefined && ts.isVariableDeclaration(made) && made.initializer !== undefined ? unwrapAwait(made.initializer) : made;
  return value !== undefined && ts.isCallExpression(value) && sdkName(unwrap(value.expression), file) === 'classifyInboundRequest';
}

/** Does control never run past a statement? */
export function exits(statement: ts.Statement): boolean {
  if (ts.isReturnStatement(statement) || ts.isThrowStatement(statement)) return true;
  if (ts.isBlock(statement)) return statement.statements.some(exits);
  if (ts.isIfStatement(statement)) return statement.elseStatement !== undefined && exits(statement.thenStatement) && exits(statement.elseStatement);
  return false;
}

const cache = new WeakMap<TypeScriptFile, readonly EraBranch[]>();

/** `if (version !== MODERN) return { status: 400, error: { code: … } }` serves nobody: it is no lane. */
const refuses = (then: ts.Statement): boolean => {
  const only = ts.isBlock(then) ? (then.statements.length === 1 ? then.statements[0] : undefined) : then;
  if (only === undefined) return false;
  if (ts.isThrowStatement(only)) return true;
  if (!ts.isReturnStatement(only) || only.expression === undefined) return false;
  const answer = only.expression.getText();
  if (ts.isObjectLiteralExpression(unwrap(only.expression))) return /-3\d{4}|\bstatus: ?4\d\d\b/.test(answer);
  return /\b4\d\d\b/.test(answer) && /-3\d{4}\b/.test(answer) && !answer.includes('handleRequest');
};

/** Branches of a file that tell the eras apart, by SDK predicate or by hand. */
export function eraBranches(file: TypeScriptFile): readonly EraBranch[] {
  const known = cache.get(file);
  if (known !== undefined) return known;
  const found: EraBranch[] = [];
  if (/isLegacyRequest|classifyInboundRequest|dualEra|2026-|PROTOCOL_VERSION_META_KEY|modelcontextprotocol\/protocolVersion/.test(file.text)) {
    eachNode(file.tree, (node) => {
      if (ts.isIfStatement(node)) {
        const proof = eraProof(node.expression, file);
        const legacy: ts.Node[] = [];
        if (proof.holds === 'legacy' && !refuses(node.thenStatement)) legacy.push(node.thenStatement);
        if (proof.fails === 'legacy') {
          if (node.elseStatement !== undefined) legacy.push(node.elseStatement);
          else if (exits(node.thenStatement)) legacy.push(...following(node));
        }
        if (proof.holds !== undefined || proof.fails !== undefined) found.push({ node, legacy });
      } else if (ts.isConditionalExpression(node)) {
        const proof = eraProof(node.condition, file);
        const legacy = [...(proof.holds === 'legacy' ? [node.whenTrue] : []), ...(proof.fails === 'legacy' ? [node.whenFalse] : [])];
        if (legacy.length > 0) found.push({ node, legacy });
      }
    });
  }
  cache.set(file, found);
  return found;
}

/** Statements after one in its list. */
function following(statement: ts.Statement): readonly ts.Statement[] {
  const parent = statement.parent;
  const list = ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isCaseOrDefaultClause(parent) ? parent.statements : undefined;
  return list === undefined ? [] : list.slice(list.indexOf(statement) + 1);
}
