import { ts } from 'ts-morph';
import { constantOf, declarationOf, eachNode, enclosingFunction, referencesOf, type TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { isSessionId } from '../../_mcp/typescript/ids.js';
import { calledMember, nameText, unwrap, wrapped } from '../../_mcp/typescript/nodes.js';
import { isTelemetry } from '../../_mcp/typescript/telemetry.js';
import { LIMITS } from '../words.js';

/** A refusal of callers without a session id. */
export interface Refused {
  readonly node: ts.Node;
  readonly id: string;
  readonly certain: boolean;
  readonly evidence: string;
}

const MCP_SESSION = /mcp[-_ ]?session[-_ ]?id/i;
/** Words of an answer that keeps a caller out. */
const DENIES =
  /\ballow(?:ed)?\s*:\s*false\b|\b(?:permitted|ok|granted|authorized)\s*:\s*false\b|\bdeny\w*\(|\bforbid\w*\(|\b(?:401|403)\b|\b(?:Forbidden|Unauthorized|AccessDenied|NotAllowed)\w*/;
/** A function whose answer says who may do something. */
const DECIDES =
  /^(?:allow|can|permit|may|authori[sz]e|is(?:Allowed|Permitted|Authori[sz]ed)|check(?:Access|Quota|Limit|Rate|Permission|Policy)|enforce|within(?:Quota|Limit))/i;

/**
 * `if (!sessionId) return { allow: false }`: decisions, not the session protocol itself. An answer in the words of the transport
 * (status 400 or 404 from the request handler) is the matter of another concern.
 */
export function refusals(file: TypeScriptFile): readonly Refused[] {
  const found: Refused[] = [];
  eachNode(file.tree, (node) => {
    // Who opens a session has none yet: that branch lets in.
    if (!ts.isIfStatement(node) || /initiali[sz]e/i.test(node.expression.getText(file.tree))) return;
    const missing = missingId(node.expression, file);
    if (missing === undefined) return;
    const then = node.thenStatement.getText(file.tree);
    const fn = enclosingFunction(node);
    const denies = DENIES.exec(then) ?? (fn !== undefined && DECIDES.test(functionName(fn)) ? /\breturn false\b/.exec(then) : null);
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
  // A record or a parameter that the same file fills from the header carries the id under its own name.
  const bare = unwrap(tested);
  const member = ts.isPropertyAccessExpression(bare) ? bare.name.text : ts.isIdentifier(bare) ? bare.text : undefined;
  return member !== undefined && /^(?:mcp_?)?session_?id$/i.test(member) && MCP_SESSION.test(file.text) ? { text, certain: false } : undefined;
}

/** A check that lets callers without a session id through. */
export interface Pass {
  readonly node: ts.Node;
  readonly id: string;
  readonly certain: boolean;
  readonly evidence: string;
}

/** `if (!sessionId) return true` in a function that refuses or limits callers who have one: it fails open. */
export function passes(file: TypeScriptFile): readonly Pass[] {
  const found: Pass[] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isIfStatement(node)) return;
    const missing = missingId(node.expression, file);
    const fn = enclosingFunction(node);
    if (missing === undefined || fn === undefined) return;
    const through = /^\{?\s*(?:return true\b|return (?:await )?next\(\)|next\(\);\s*return\b|return \{ ?allow(?:ed)?: true\b)/.exec(
      node.thenStatement.getText(file.tree),
    );
    const rest = file.text.slice(node.end, fn.end);
    const strict = DENIES.exec(rest) ?? LIMITS.exec(rest) ?? (DECIDES.test(functionName(fn)) ? /\breturn\b/.exec(rest) : null);
    if (through === null || strict === null) return;
    found.push({ node: node.expression, id: missing.text, certain: missing.certain, evidence: `without \`${missing.text}\` nothing behind is checked` });
  });
  return found;
}

/** A key that all callers without a session id have in common. */
export interface SharedKey {
  readonly node: ts.Node;
  readonly value: string;
  /** It decides how often or whether something may be done. */
  readonly limits: boolean;
}

/** `sessionId ?? 'unknown'` where entries are found by it. */
export function sharedKeys(file: TypeScriptFile): readonly SharedKey[] {
  const found: SharedKey[] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isBinaryExpression(node) || !isFallback(node.operatorToken.kind) || isFallback(operatorAbove(node))) return;
    const value = constantOf(unwrap(node.right), file);
    if (typeof value !== 'string' || value === '' || !isSessionId(node.left, file) || isTelemetry(node, file)) return;
    const holder = wrapped(node).parent;
    const declared = ts.isVariableDeclaration(holder) && ts.isIdentifier(holder.name) ? declarationOf(holder.name, file) : undefined;
    const uses: readonly ts.Node[] = declared === undefined ? [node] : referencesOf(declared, file);
    if (!uses.some((use) => isKey(use))) return;
    const fn = enclosingFunction(node);
    const around = fn === undefined ? '' : `${functionName(fn)} ${fn.getText(file.tree)}`;
    found.push({ node, value, limits: LIMITS.test(around) || DENIES.test(around) || (fn !== undefined && /^key(?:Generator|By)$/.test(functionName(fn))) });
  });
  return found;
}

const isFallback = (kind: ts.SyntaxKind | undefined): boolean => kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken;

const operatorAbove = (node: ts.Node): ts.SyntaxKind | undefined => {
  const { parent } = wrapped(node);
  return ts.isBinaryExpression(parent) && parent.left === wrapped(node) ? parent.operatorToken.kind : undefined;
};

const FINDS: ReadonlySet<string> = new Set(['get', 'set', 'has', 'delete', 'incr', 'increment', 'consume', 'limit', 'check', 'hit', 'take', 'add', 'acquire']);

/** Is a value what entries are found by: an index, the first argument of a lookup, what a `keyGenerator` returns? */
function isKey(node: ts.Node): boolean {
  let value = wrapped(node);
  if (ts.isTemplateSpan(value.parent)) value = wrapped(value.parent.parent);
  const { parent } = value;
  if (ts.isElementAccessExpression(parent)) return parent.argumentExpression === value;
  if (ts.isCallExpression(parent)) return parent.arguments[0] === value && FINDS.has(calledMember(parent) ?? '');
  if (ts.isPropertyAssignment(parent)) return /^(?:key|bucket|identifier)$/i.test(nameText(parent.name) ?? '');
  if (ts.isReturnStatement(parent) || ts.isArrowFunction(parent)) {
    const fn = ts.isArrowFunction(parent) ? parent : enclosingFunction(parent);
    return fn !== undefined && /key|bucket|identifier/i.test(functionName(fn));
  }
  return false;
}

/** The name of a function, or of the variable or property that holds it; empty when it has none. */
function functionName(fn: ts.Node): string {
  if ((ts.isFunctionDeclaration(fn) || ts.isMethodDeclaration(fn) || ts.isFunctionExpression(fn)) && fn.name !== undefined) return nameText(fn.name) ?? '';
  const { parent } = wrapped(fn);
  return (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent) ? nameText(parent.name) : undefined) ?? '';
}
