import { ts } from 'ts-morph';
import { enclosingFunction } from '../expressions.js';
import type { TypeScriptFile } from '../file.js';
import { importSites, importStyleOf } from '../imports/sites.js';
import { parse } from '../parse.js';
import { eachNode } from '../walk.js';
import { isKnownGlobal } from './globals.js';

interface Fault {
  readonly node: ts.Node;
  readonly message: string;
}

const isAsync = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some((modifier) => modifier.kind === ts.SyntaxKind.AsyncKeyword);

/** A loop, or for `break` a switch, between a statement and its function. */
function hasTarget(statement: ts.BreakOrContinueStatement): boolean {
  for (let at: ts.Node | undefined = statement.parent; at; at = at.parent as ts.Node | undefined) {
    if (ts.isFunctionLike(at) || ts.isClassStaticBlockDeclaration(at)) return false;
    if (ts.isIterationStatement(at, false)) return true;
    if (ts.isSwitchStatement(at) && ts.isBreakStatement(statement)) return true;
    if (statement.label && ts.isLabeledStatement(at) && at.label.text === statement.label.text) return true;
  }
  return false;
}

/** What the parser lets pass and no runtime does: the faults that a wrong edit makes. */
function misplaced(file: TypeScriptFile): Fault | undefined {
  const isScript = importStyleOf(file, importSites(file)) === 'require';
  let fault: Fault | undefined;
  eachNode(file.tree, (node) => {
    if (fault) return false;
    if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier)) {
      const fn = enclosingFunction(node);
      if (fn ? !isAsync(fn) : isScript)
        fault = { node, message: fn ? '`await` outside of an async function.' : '`await` at the top level of a CommonJS file.' };
    } else if (ts.isReturnStatement(node)) {
      if (ts.isExternalModule(file.tree) && !enclosingFunction(node)) fault = { node, message: '`return` outside of a function.' };
    } else if (ts.isBreakOrContinueStatement(node) && !hasTarget(node))
      fault = { node, message: `\`${file.textOf(node).replace(/;$/, '')}\` outside of a loop.` };
    return undefined;
  });
  return fault;
}

const isTypeImport = (node: ts.Node): boolean =>
  (ts.isImportSpecifier(node) && (node.isTypeOnly || node.parent.parent.phaseModifier === ts.SyntaxKind.TypeKeyword)) ||
  (ts.isImportClause(node) && node.phaseModifier === ts.SyntaxKind.TypeKeyword);

function declaredTwice(file: TypeScriptFile): Fault | undefined {
  // Declaration files describe what others merge.
  if (/\.d\.[cm]?ts$/i.test(file.path)) return undefined;
  const clash = file.bindings.clashes.find(
    ({ identifier, first }) => !isTypeImport(identifier.parent) && !first.nodes.slice(0, first.identifiers.indexOf(identifier)).every(isTypeImport),
  );
  return (
    clash && {
      node: clash.identifier,
      message: `\`${clash.identifier.text}\` is declared twice; first in line ${file.site(clash.first.identifiers[0] ?? clash.first.node).line}.`,
    }
  );
}

/**
 * The first syntax fault of a text: what the parser reports, a name that is declared twice, `await`, `return`, `break` and `continue`
 * where they may not stand. `undefined` when there is none.
 */
export function syntaxProblem(path: string, text: string): { readonly line: number; readonly message: string } | undefined {
  const { file, problem } = parse(path, text);
  if (!file) return { line: problem.line ?? 1, message: problem.reason };
  const fault = declaredTwice(file) ?? misplaced(file);
  return fault && { line: file.site(fault.node).line, message: fault.message };
}

/**
 * Names that are used as a value or as a type, and that neither a scope of the file nor a known environment binds. What a file uses of
 * globals that we do not know is in the set before and after an edit; what an edit breaks is in the second only.
 */
export function unresolvedNames(path: string, text: string): ReadonlySet<string> {
  const { file } = parse(path, text);
  const names = file?.bindings.unresolved.map(({ identifier }) => identifier.text) ?? [];
  return new Set(names.filter((name) => !isKnownGlobal(name)));
}
