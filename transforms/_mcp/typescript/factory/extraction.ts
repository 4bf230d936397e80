import { ts } from 'ts-morph';
import { type Declaration, type TypeScriptFile, declarationOf, eachNode, referencesOf, enclosingClass } from '../../../../src/languages/typescript/index.js';
import { calledMember, isWithin, receiverOf, statementOf, unwrapAwait } from '../nodes.js';
import type { ServerSource } from '../servers.js';
import { type ServerPlan, type NoServerPlan, type Place, isOwner, isVisible, memberText, ownerFor, refuse, unreachable } from './plan.js';
import { freeName } from '../emit/names.js';

const LIFECYCLE: ReadonlySet<string> = new Set(['connect', 'close']);

/** A use of the server after `connect` that is more than closing it. */
export function changedAfter(variable: Declaration, connect: ts.CallExpression, file: TypeScriptFile): ts.Node | undefined {
  return referencesOf(variable, file).find((use) => {
    if (use.pos < connect.end || !isWithin(use, variable.scope.node)) return false;
    return !isLifecycle(use);
  });
}

/** `owner.method(…)`: the name of the method. */
function stepOf(statement: ts.ExpressionStatement, variable: Declaration, file: TypeScriptFile): string | undefined {
  const call = unwrapAwait(statement.expression);
  const receiver = ts.isCallExpression(call) ? receiverOf(call) : undefined;
  return receiver !== undefined && declarationOf(receiver, file) === variable ? calledMember(call as ts.CallExpression) : undefined;
}

/** Turns construction and registrations that stand in line into a function. */
export function extract(
  made: ts.NewExpression,
  source: ServerSource,
  connect: ts.CallExpression,
  file: TypeScriptFile,
  place: Place,
  steps?: readonly string[],
): ServerPlan | NoServerPlan {
  const next = 'Move construction and registrations of the server into a function without parameters.';
  const variable = source.variable;
  if (variable === undefined) {
    const foreign = unreachable(made, file, place);
    if (foreign !== undefined)
      return refuse(`the server is built from \`${file.textOf(foreign)}\`, which exists only inside of the handler`, next, file, foreign);
    return {
      ok: true,
      expression: file.textOf(made) + memberText(source.member),
      async: false,
      declaration: [],
      moved: [],
      replacement: '',
      owner: ownerFor([made], place),
      shared: undefined,
      imports: [],
      notes: [],
    };
  }
  const first = statementOf(variable.node);
  if (file.path !== place.file.path || first === undefined || !ts.isVariableStatement(first) || first.declarationList.declarations.length !== 1)
    return refuse('the server is not built by a function and not in statements of its own', next, file, made);
  const list = (first.parent as ts.Block | ts.SourceFile).statements;
  const start = list.indexOf(first);
  const moved: ts.Statement[] = [first];
  for (const statement of list.slice(start + 1)) {
    if (!referencesOf(variable, file).some((use) => isWithin(use, statement)) || isWithin(connect, statement)) break;
    if (!ts.isExpressionStatement(statement))
      return refuse('a statement that is no plain registration takes part in building the server', next, file, statement);
    const step = steps === undefined ? undefined : stepOf(statement, variable, file);
    if (steps !== undefined && (step === undefined || !steps.includes(step)))
      return refuse('a statement that registers nothing takes part in building the server', next, file, statement);
    moved.push(statement);
  }
  const stray = referencesOf(variable, file).find((use) => !moved.some((statement) => isWithin(use, statement)) && !isLifecycle(use));
  if (stray !== undefined) return refuse(`\`${variable.name}\` is also used outside of its construction`, next, file, stray);
  for (const statement of moved) {
    const foreign = outsideOf(statement, moved, file, place);
    if (foreign !== undefined)
      return refuse(`building the server needs \`${file.textOf(foreign)}\`, which exists only inside of the handler`, next, file, foreign);
    if (containsAwait(statement)) return refuse('building the server waits for something', next, file, statement);
  }
  const name = freeName('createMcpServer', file);
  const owner = ownerFor(moved, place);
  const head = owner === undefined ? 'function ' : file.isJavaScript ? '' : 'private ';
  const lines = [`${head}${name}() {`, ...moved.flatMap((statement) => indented(file, statement)), `${file.indentUnit}return ${variable.name};`, '}'];
  const self = owner === undefined ? '' : 'this.';
  const keyword = file.text.slice(first.declarationList.getStart(file.tree), first.declarationList.getStart(file.tree) + 5).trim();
  return {
    ok: true,
    expression: `${self}${name}()${memberText(source.member)}`,
    async: false,
    declaration: lines,
    moved,
    replacement: `${keyword === 'let' || keyword === 'var' ? keyword : 'const'} ${variable.name} = ${self}${name}();`,
    owner,
    shared: undefined,
    imports: [],
    notes: [`Construction of the server is now \`${name}\`.`],
  };
}

/** `server.close()`, `owner.server.close()`, `owner.getServer().connect(…)`: connecting or closing what was built, and nothing else. */
function isLifecycle(use: ts.Identifier): boolean {
  let at: ts.Node = use;
  while (ts.isPropertyAccessExpression(at.parent) || (ts.isCallExpression(at.parent) && at.parent.arguments.length === 0)) {
    at = at.parent;
    if (ts.isPropertyAccessExpression(at) && LIFECYCLE.has(at.name.text)) return ts.isCallExpression(at.parent);
  }
  return false;
}

function outsideOf(statement: ts.Statement, moved: readonly ts.Statement[], file: TypeScriptFile, place: Place): ts.Node | undefined {
  let found: ts.Node | undefined;
  eachNode(statement, (inner) => {
    if (found !== undefined) return false;
    const self = inner.kind === ts.SyntaxKind.ThisKeyword ? enclosingClass(inner) : undefined;
    if (self !== undefined && !isWithin(self, statement) && !isOwner(inner, place)) found = inner;
    if (!ts.isIdentifier(inner)) return undefined;
    const declaration = declarationOf(inner, file);
    if (declaration === undefined || moved.some((candidate) => isWithin(declaration.node, candidate)) || isVisible(declaration, place)) return undefined;
    found = inner;
    return undefined;
  });
  return found;
}

const containsAwait = (statement: ts.Statement): boolean => {
  let found = false;
  eachNode(statement, (node) => {
    if (ts.isAwaitExpression(node)) found = true;
    return !ts.isFunctionLike(node);
  });
  return found;
};

/** Lines of a statement with its comments, one indentation deep; lines inside of template literals stay as they are. */
function indented(file: TypeScriptFile, statement: ts.Statement): readonly string[] {
  const from = ts.getLeadingCommentRanges(file.text, statement.pos)?.[0]?.pos ?? statement.getStart(file.tree);
  const lineStart = file.text.lastIndexOf('\n', from - 1) + 1;
  const old = /^[ \t]*/.exec(file.text.slice(lineStart, from))?.[0] ?? '';
  const fixed = new Set<number>();
  eachNode(statement, (node) => {
    if (ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      for (let at = file.text.indexOf('\n', node.getStart(file.tree)); at >= 0 && at < node.end; at = file.text.indexOf('\n', at + 1)) fixed.add(at + 1);
    }
  });
  let offset = from;
  return file.text
    .slice(from, statement.end)
    .split('\n')
    .map((line, index) => {
      const start = offset;
      offset += line.length + 1;
      const text = line.replace(/\r$/, '');
      if (fixed.has(start)) return text;
      const bare = index > 0 && text.startsWith(old) ? text.slice(old.length) : text;
      return bare === '' ? '' : file.indentUnit + bare;
    });
}
