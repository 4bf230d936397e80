import { ts } from 'ts-morph';
import type { Category, FactOf, FactSource, SymbolRef } from '../../../../src/core/index.js';
import { type TypeScriptFile, declarationOf, eachNode, isWrite, referencesOf, symbolOfDeclaration } from '../../../../src/languages/typescript/index.js';
import { isSessionId } from '../ids.js';
import { isFunctionNode, memberName, wrapped } from '../nodes.js';
import { factories } from '../servers.js';
import { sessionCode } from '../sessions.js';
import { isTelemetry } from '../telemetry.js';
import { type SessionStore, sessionStores } from '../stores.js';
import { reportKeptObjects } from './objects.js';
import { within } from './servers.js';

/** The store that an id is the key of, and what the id is used for. */
function purpose(node: ts.Node, file: TypeScriptFile, stores: readonly SessionStore[]): { readonly category: Category; readonly store?: SymbolRef } {
  if (isTelemetry(node, file)) return { category: 'telemetry' };
  const outer = wrapped(node);
  const parent = outer.parent;
  const access =
    ts.isElementAccessExpression(parent) && parent.argumentExpression === outer
      ? parent
      : ts.isCallExpression(parent) && parent.arguments[0] === outer
        ? parent
        : undefined;
  const store = access && stores.find(({ accesses }) => accesses.includes(access));
  if (store === undefined) return { category: 'transport' };
  return { category: store.holds === 'state' ? 'state' : store.holds === 'resource' ? 'resource' : 'transport', store: store.symbol };
}

/** `store`, `key-use` and `state`. */
export const sessionsAndState: FactSource = {
  id: 'sessions',
  literals: { strong: ['@modelcontextprotocol/', 'mcp-session-id'], weak: ['sessionId'] },
  detect: {
    typescript: (file, report, around) => ({
      end() {
        const stores = sessionStores(file, (path) => around.has(path));
        for (const store of stores) {
          const at = store.declared ?? store.accesses[0];
          if (at === undefined || (store.holds === 'unknown' && !store.keyed)) continue;
          report.fact({
            type: 'store',
            site: file.site(at),
            symbol: store.symbol,
            form: store.form,
            holds: store.holds,
            written: store.written,
            cleaned: store.cleaned,
          });
        }
        reportKeyUses(file, stores, (fact) => report.fact(fact));
        for (const { node, declaration } of closureState(file)) {
          report.fact({ type: 'state', site: file.site(node), ...within(node, file), form: 'closure', category: 'state', symbol: declaration });
        }
        reportKeptObjects(file, (path) => around.has(path), report);
        for (const store of stores) {
          if (!store.keyed || (store.holds !== 'state' && store.holds !== 'resource')) continue;
          const at = store.declared ?? store.accesses[0];
          if (at !== undefined)
            report.fact({
              type: 'state',
              site: file.site(at),
              ...within(at, file),
              form: store.form === 'weak' ? 'weak' : 'keyed',
              category: store.holds === 'resource' ? 'resource' : 'state',
              symbol: store.symbol,
            });
        }
      },
    }),
  },
};

function reportKeyUses(file: TypeScriptFile, stores: readonly SessionStore[], report: (fact: FactOf<'key-use'>) => void): void {
  const code = sessionCode(file);
  for (const read of code.headerReads) {
    if (!read.fromResponse)
      report({ type: 'key-use', site: file.site(read.node), ...within(read.node, file), source: 'header', ...purpose(read.node, file, stores) });
  }
  for (const { node, of } of code.idAccesses)
    report({ type: 'key-use', site: file.site(node), ...within(node, file), source: of, ...purpose(node, file, stores) });
  eachNode(file.tree, (node) => {
    if (!ts.isIdentifier(node) || isWrite(node)) return;
    const parent = wrapped(node).parent;
    const isKey =
      (ts.isElementAccessExpression(parent) && parent.argumentExpression === wrapped(node)) ||
      (ts.isCallExpression(parent) && parent.arguments.includes(wrapped(node) as ts.Expression));
    if (!isKey || !isSessionId(node, file)) return;
    const found = purpose(node, file, stores);
    if (found.store !== undefined || found.category === 'telemetry')
      report({ type: 'key-use', site: file.site(node), ...within(node, file), source: 'variable', ...found });
  });
}

const MUTATORS: ReadonlySet<string> = new Set(['set', 'add', 'push', 'unshift', 'pop', 'shift', 'splice', 'delete', 'clear']);

/** Variables of a server factory that its handlers change: with one server per session they live as long as the session. */
export function closureState(file: TypeScriptFile): readonly { readonly node: ts.Node; readonly declaration: SymbolRef }[] {
  const found: { node: ts.Node; declaration: SymbolRef }[] = [];
  for (const factory of factories(file)) {
    const visit = (node: ts.Node): void => {
      if (isFunctionNode(node) || ts.isClassLike(node)) return;
      if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) {
        const declaration = declarationOf(node.name, file);
        if (declaration !== undefined && referencesOf(declaration, file).some((use) => changesInside(use, factory.fn)))
          found.push({ node, declaration: symbolOfDeclaration(declaration, file) });
      }
      ts.forEachChild(node, visit);
    };
    if (factory.fn.body !== undefined) ts.forEachChild(factory.fn.body, visit);
  }
  return found;
}

/** Is a variable changed by a function inside of `factory`, not by the factory itself? */
function changesInside(use: ts.Identifier, factory: ts.Node): boolean {
  let fn: ts.Node | undefined = use.parent;
  while (fn !== undefined && !isFunctionNode(fn)) fn = fn.parent;
  if (fn === undefined || fn === factory) return false;
  if (isWrite(use)) return true;
  const outer = wrapped(use);
  const parent = outer.parent;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === outer) {
    const call = parent.parent;
    if (ts.isCallExpression(call) && call.expression === parent && MUTATORS.has(parent.name.text)) return true;
  }
  // `state.count++`, `cart.items[0] = …`, `delete cache[key]`
  let target: ts.Node = outer;
  while ((ts.isPropertyAccessExpression(target.parent) || ts.isElementAccessExpression(target.parent)) && target.parent.expression === target)
    target = wrapped(target.parent);
  if (target === outer) return false;
  const above = target.parent;
  if (ts.isBinaryExpression(above))
    return above.left === target && above.operatorToken.kind >= ts.SyntaxKind.FirstAssignment && above.operatorToken.kind <= ts.SyntaxKind.LastAssignment;
  if (ts.isCallExpression(above) && above.expression === target)
    return MUTATORS.has(memberName(target) ?? '') && (ts.isPropertyAccessExpression(target) || ts.isElementAccessExpression(target));
  return (
    ts.isDeleteExpression(above) ||
    ts.isPostfixUnaryExpression(above) ||
    (ts.isPrefixUnaryExpression(above) && (above.operator === ts.SyntaxKind.PlusPlusToken || above.operator === ts.SyntaxKind.MinusMinusToken))
  );
}
