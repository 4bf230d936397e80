import { ts } from 'ts-morph';
import { constantOf, declarationOf, eachNode, isFunctionNode, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { ancestor, calledMember, unwrap, unwrapAwait } from '../_mcp/typescript/nodes.js';
import { isNothing } from '../_mcp/typescript/options.js';
import { sessionCode } from '../_mcp/typescript/sessions.js';
import type { Say } from './typescript.js';

/** How a client finds out what it speaks to. */
export function handshakes(file: TypeScriptFile, say: Say): void {
  bySession(file, say);
  eachNode(file.tree, (node) => {
    if (isFunctionNode(node) && node.body !== undefined) {
      discovery(node, file, say);
      probe(node, file, say);
    }
    if (ts.isCatchClause(node)) repeat(node, file, say);
  });
}

/** Conditions on an id that was read from an answer. */
function bySession(file: TypeScriptFile, say: Say): void {
  const kept = sessionCode(file).headerReads.filter(({ fromResponse }) => fromResponse);
  const names = new Map<unknown, string>();
  for (const { node } of kept) {
    const holder = ancestor(node, ts.isVariableDeclaration);
    if (holder !== undefined && ts.isIdentifier(holder.name)) names.set(declarationOf(holder.name, file), holder.name.text);
  }
  if (names.size === 0) return;
  const isKept = (node: ts.Node): boolean => {
    const value = unwrap(node);
    return ts.isIdentifier(value) && names.has(declarationOf(value, file));
  };
  eachNode(file.tree, (node) => {
    if (ts.isIfStatement(node)) {
      const tested = absence(node.expression, isKept);
      if (tested !== undefined && /^\{?\s*(?:throw|return (?:null|undefined|false)|reject)/.test(node.thenStatement.getText(file.tree)))
        say('session-demanded', node.expression, { data: { name: tested } });
      return;
    }
    if (
      !ts.isVariableDeclaration(node) ||
      node.initializer === undefined ||
      !ts.isIdentifier(node.name) ||
      !/stateless|modern|legacy|era|hasSession|stateful/i.test(node.name.text)
    )
      return;
    let uses = false;
    eachNode(node.initializer, (inner) => {
      if (isKept(inner)) uses = true;
    });
    if (uses) say('era-by-session', node, { data: { name: node.name.text } });
  });
}

function absence(condition: ts.Node, isKept: (node: ts.Node) => boolean): string | undefined {
  const value = unwrap(condition);
  if (ts.isPrefixUnaryExpression(value) && value.operator === ts.SyntaxKind.ExclamationToken && isKept(value.operand)) return value.operand.getText();
  if (ts.isBinaryExpression(value) && /^={2,3}$/.test(value.operatorToken.getText()) && isKept(value.left) && isNothing(value.right))
    return value.left.getText();
  return undefined;
}

/** `server/discover` and, in the same run and no branch of its own, `initialize`. */
function discovery(fn: ts.FunctionLikeDeclaration, file: TypeScriptFile, say: Say): void {
  let discover: ts.Node | undefined;
  let initialize: ts.CallExpression | undefined;
  eachNode(fn.body as ts.Node, (node) => {
    if (isFunctionNode(node)) return false;
    if (!ts.isCallExpression(node)) return true;
    const methods = node.arguments.flatMap((argument) => [
      constantOf(argument, file),
      ...(ts.isObjectLiteralExpression(unwrap(argument)) ? methodProperty(unwrap(argument) as ts.ObjectLiteralExpression, file) : []),
    ]);
    if (methods.includes('server/discover')) discover ??= node;
    else if (methods.includes('initialize') && discover !== undefined) initialize ??= node;
    return true;
  });
  if (discover === undefined || initialize === undefined) return;
  for (let node: ts.Node = initialize; node !== fn.body; node = node.parent)
    if (ts.isCatchClause(node) || ts.isIfStatement(node) || ts.isConditionalExpression(node) || ts.isCaseOrDefaultClause(node)) return;
  // A guard that leaves the function for a modern server.
  const before = file.text.slice(discover.end, initialize.pos);
  if (/\bif\s*\([^]*(?:\breturn\b|\bthrow\b)/.test(before)) return;
  say('discover-ignored', discover, { related: [file.site(initialize, 'sent whatever was answered')] });
}

const methodProperty = (object: ts.ObjectLiteralExpression, file: TypeScriptFile): readonly unknown[] =>
  object.properties.flatMap((property) =>
    ts.isPropertyAssignment(property) && property.name.getText(file.tree) === 'method' ? [constantOf(property.initializer, file)] : [],
  );

/** A function whose answer is the era of a peer: `isModern`, `speaksLegacy`, `detectEra`. */
const ASKS_ERA = /^(?:is|speaks|knows|supports|detect|probe|sniff|guess)\w*(?:Modern|Legacy|Stateless|Era|Discover)/i;

const nameOf = (fn: ts.FunctionLikeDeclaration): string =>
  (fn.name ?? (ts.isVariableDeclaration(fn.parent) || ts.isPropertyAssignment(fn.parent) ? fn.parent.name : undefined))?.getText() ?? '';

/** A function that says `modern` or `legacy`, parses the answer without a net, and knows one error code. */
function probe(fn: ts.FunctionLikeDeclaration, file: TypeScriptFile, say: Say): void {
  const text = fn.getText(file.tree);
  const says = /['"`]legacy['"`]/.test(text) && /['"`]modern['"`]/.test(text);
  if (!(says || ASKS_ERA.test(nameOf(fn))) || !/discover/i.test(text) || text.length > 4_000) return;
  let parse: ts.Node | undefined;
  let code: ts.Node | undefined;
  let codes = 0;
  eachNode(fn.body as ts.Node, (node) => {
    if (ts.isCallExpression(node) && calledMember(node) === 'json' && node.arguments.length === 0) parse ??= node;
    if (ts.isPrefixUnaryExpression(node) && Number(constantOf(node, file)) <= -32000) {
      codes++;
      code ??= node;
    }
  });
  const guarded = parse !== undefined && ancestor(parse, ts.isTryStatement) !== undefined;
  if (parse !== undefined && !guarded && !text.includes('.catch(')) say('narrow-probe', parse, { evidence: ['an answer that is no JSON throws here'] });
  if (code !== undefined && codes === 1 && !/\b(?:40[045])\b/.test(text))
    say('narrow-probe', code.parent, { evidence: ['one error code stands for every legacy server, and no status is looked at'] });
}

/** `if (404 or session) { await reopen(); return run(); }` in a catch clause, or `continue` where a loop runs the call again. */
function repeat(clause: ts.CatchClause, file: TypeScriptFile, say: Say): void {
  eachNode(clause.block, (node) => {
    if (!ts.isIfStatement(node) || !/session|\b404\b/i.test(node.expression.getText(file.tree)) || /idempot|readOnly/i.test(node.getText(file.tree))) return;
    const then = ts.isBlock(node.thenStatement) ? node.thenStatement.statements : [node.thenStatement];
    const last = then.at(-1);
    if (last === undefined) return;
    const tried = clause.parent.tryBlock.getText(file.tree);
    const loops = ts.isContinueStatement(last) && /\.(?:callTool|request)\(/.test(tried) && ancestor(clause, isRepetition) !== undefined;
    const value = ts.isReturnStatement(last) && last.expression !== undefined ? unwrapAwait(last.expression) : undefined;
    const calls = value !== undefined && ts.isCallExpression(value) && tried.includes(`${value.expression.getText(file.tree)}(`);
    if (loops || calls) say('repeat-after-loss', last);
  });
  // `if (status is no 404) throw error;`, and the call again behind it.
  const guard = clause.block.statements.find(
    (statement): statement is ts.IfStatement =>
      ts.isIfStatement(statement) &&
      /^\{?\s*throw\b/.test(statement.thenStatement.getText(file.tree)) &&
      /session|\b404\b/i.test(statement.expression.getText(file.tree)),
  );
  const after = clause.block.statements.at(-1);
  if (guard === undefined || after === undefined || !ts.isReturnStatement(after) || after.expression === undefined) return;
  const again = unwrapAwait(after.expression);
  const method = ts.isCallExpression(again) ? (calledMember(again) ?? again.expression.getText(file.tree)) : undefined;
  if (method !== undefined && clause.parent.tryBlock.getText(file.tree).includes(`${method}(`) && !/idempot|readOnly/i.test(clause.getText(file.tree)))
    say('repeat-after-loss', after);
}

/** A loop that makes one call several times: `for (let i = 0; …)` and `while`; `for … of` makes another call each time. */
const isRepetition = (node: ts.Node): node is ts.IterationStatement =>
  ts.isIterationStatement(node, false) && !ts.isForOfStatement(node) && !ts.isForInStatement(node);
