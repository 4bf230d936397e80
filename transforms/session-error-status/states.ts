import { ts } from 'ts-morph';
import { type TypeScriptFile, declarationOf, isWrite, referencesOf } from '../../src/languages/typescript/index.js';
import { isSessionId } from '../_mcp/typescript/ids.js';
import { calledMember, isFunctionNode, isWithin, receiverOf, unwrap, unwrapAwait } from '../_mcp/typescript/nodes.js';
import { exits } from '../_mcp/typescript/eras.js';
import { isNothing } from '../_mcp/typescript/options.js';
import { sessionCode } from '../_mcp/typescript/sessions.js';
import { sessionStores } from '../_mcp/typescript/stores.js';

/** What a request brings: a session id or none, one that this process knows or not, the opening request or another. */
export interface RequestState {
  readonly hasId: boolean;
  readonly known: boolean;
  readonly opens: boolean;
}

const STATES: readonly RequestState[] = [
  { hasId: false, known: false, opens: false },
  { hasId: false, known: false, opens: true },
  { hasId: true, known: false, opens: false },
  { hasId: true, known: false, opens: true },
  { hasId: true, known: true, opens: false },
  { hasId: true, known: true, opens: true },
];

/** Conditions that lead to a statement: each with the value that it must have. */
interface Step {
  readonly condition: ts.Expression;
  readonly holds: boolean;
}

/** Requests that may reach a statement, by the conditions on its way within its function. */
export function statesAt(
  node: ts.Node,
  file: TypeScriptFile,
  has: (path: string) => boolean,
): { readonly states: readonly RequestState[]; readonly decided: boolean } {
  const steps = stepsTo(node);
  const evaluate = evaluator(file, has);
  const states = STATES.filter((state) => steps.every(({ condition, holds }) => evaluate(condition, state) !== !holds));
  return { states, decided: states.length < STATES.length };
}

/** Enclosing branches, and branches in front that are left by `return` or `throw`. */
function stepsTo(node: ts.Node): readonly Step[] {
  const steps: Step[] = [];
  for (let child = node, parent = node.parent; parent !== undefined && !isFunctionNode(child); child = parent, parent = parent.parent) {
    if (ts.isIfStatement(parent)) {
      if (parent.thenStatement === child) steps.push({ condition: parent.expression, holds: true });
      if (parent.elseStatement === child) steps.push({ condition: parent.expression, holds: false });
    }
    if (ts.isConditionalExpression(parent)) {
      if (parent.whenTrue === child) steps.push({ condition: parent.condition, holds: true });
      if (parent.whenFalse === child) steps.push({ condition: parent.condition, holds: false });
    }
    if (ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isCaseOrDefaultClause(parent)) {
      for (const statement of parent.statements) {
        if (statement === child) break;
        if (!ts.isIfStatement(statement)) continue;
        // `if (a) return …; else if (b) return …;`: whoever is past it failed both.
        for (let branch: ts.Statement | undefined = statement; branch !== undefined && ts.isIfStatement(branch); branch = branch.elseStatement) {
          if (!exits(branch.thenStatement)) break;
          steps.push({ condition: branch.expression, holds: false });
        }
      }
    }
  }
  return steps;
}

/** An assignment that may have run when a later use is evaluated: not one in the other branch of the same `if`. */
function isWriteBefore(write: ts.Identifier, use: ts.Node): boolean {
  if (!isWrite(write) || write.pos >= use.pos) return false;
  for (let node: ts.Node = write; node.parent !== undefined; node = node.parent) {
    const { parent } = node;
    if (ts.isIfStatement(parent) && parent.thenStatement === node && parent.elseStatement !== undefined && isWithin(use, parent.elseStatement)) return false;
  }
  return true;
}

/** Three-valued evaluation: `undefined` when a condition says nothing about the session. */
function evaluator(file: TypeScriptFile, has: (path: string) => boolean): (node: ts.Node, state: RequestState) => boolean | undefined {
  const code = sessionCode(file);
  const accesses = new Set<ts.Node>(sessionStores(file, has).flatMap((store) => store.accesses));
  const gates = new Set<ts.Node>(code.gates.map(({ node }) => node));
  const not = (value: boolean | undefined): boolean | undefined => (value === undefined ? undefined : !value);

  const evaluate = (node: ts.Node, state: RequestState, depth = 0): boolean | undefined => {
    const value = unwrapAwait(node);
    if (depth > 20) return undefined;
    const inner = (next: ts.Node): boolean | undefined => evaluate(next, state, depth + 1);
    if (gates.has(value)) return ts.isBinaryExpression(value) && value.operatorToken.getText(file.tree).startsWith('!') ? !state.opens : state.opens;
    if (accesses.has(value)) return state.known;
    if (ts.isPrefixUnaryExpression(value) && value.operator === ts.SyntaxKind.ExclamationToken) return not(inner(value.operand));
    if (!ts.isBinaryExpression(value) && !ts.isConditionalExpression(value) && isSessionId(value, file)) return state.hasId;
    if (isNothing(value) || value.kind === ts.SyntaxKind.FalseKeyword) return false;
    if (value.kind === ts.SyntaxKind.TrueKeyword) return true;
    if (ts.isConditionalExpression(value)) {
      const condition = inner(value.condition);
      if (condition !== undefined) return inner(condition ? value.whenTrue : value.whenFalse);
      const [yes, no] = [inner(value.whenTrue), inner(value.whenFalse)];
      return yes === no ? yes : undefined;
    }
    if (ts.isBinaryExpression(value)) return ofBinary(value, inner);
    if (ts.isTypeOfExpression(value)) return undefined;
    if (ts.isCallExpression(value)) {
      const callee = unwrap(value.expression);
      if (ts.isIdentifier(callee) && callee.text === 'Boolean' && value.arguments[0] !== undefined) return inner(value.arguments[0]);
      const receiver = receiverOf(value);
      const lookup =
        receiver !== undefined &&
        value.arguments.length > 0 &&
        value.arguments.some((argument) => isSessionId(argument, file)) &&
        /^(?:get|has|find|lookup|resolve|fetch|load|exists|is)/i.test(calledMember(value) ?? '');
      return lookup ? state.known : undefined;
    }
    if (ts.isIdentifier(value)) {
      const declaration = declarationOf(value, file);
      const init = declaration !== undefined && ts.isVariableDeclaration(declaration.node) ? declaration.node.initializer : undefined;
      if (declaration === undefined || init === undefined) return undefined;
      // An assignment on the way counts when this request gets to it: then it may hold a session that has just been opened.
      const assigned = referencesOf(declaration, file).some(
        (use) => isWriteBefore(use, value) && stepsTo(use).every(({ condition, holds }) => evaluate(condition, state, depth + 1) !== !holds),
      );
      if (assigned) return undefined;
      return inner(init);
    }
    return undefined;
  };

  const ofBinary = (node: ts.BinaryExpression, inner: (next: ts.Node) => boolean | undefined): boolean | undefined => {
    const operator = node.operatorToken.kind;
    if (operator === ts.SyntaxKind.AmpersandAmpersandToken) {
      const [left, right] = [inner(node.left), inner(node.right)];
      return left === false || right === false ? false : left === true && right === true ? true : undefined;
    }
    if (operator === ts.SyntaxKind.BarBarToken || operator === ts.SyntaxKind.QuestionQuestionToken) {
      const [left, right] = [inner(node.left), inner(node.right)];
      return left === true || right === true ? true : left === false && right === false ? false : undefined;
    }
    const equal = operator === ts.SyntaxKind.EqualsEqualsEqualsToken || operator === ts.SyntaxKind.EqualsEqualsToken;
    const differs = operator === ts.SyntaxKind.ExclamationEqualsEqualsToken || operator === ts.SyntaxKind.ExclamationEqualsToken;
    if (!equal && !differs) return undefined;
    const [left, right] = [unwrap(node.left), unwrap(node.right)];
    if (ts.isTypeOfExpression(left) && ts.isStringLiteralLike(right) && right.text === 'string')
      return equal ? inner(left.expression) : not(inner(left.expression));
    const subject = isNothing(right) ? left : isNothing(left) ? right : undefined;
    if (subject === undefined) return undefined;
    const there = inner(subject);
    return equal ? not(there) : there;
  };
  return (node, state) => evaluate(node, state);
}
