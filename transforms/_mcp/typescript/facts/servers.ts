import { ts } from 'ts-morph';
import { type FactSource, type SymbolRef, keyOf } from '../../../../src/core/index.js';
import {
  classRef,
  type TypeScriptFile,
  declarationOf,
  enclosingFunction,
  functionRef,
  symbolOfDeclaration,
} from '../../../../src/languages/typescript/index.js';
import { ancestor, isModuleLevel, nameText, receiverOf, wrapped } from '../nodes.js';
import { keptByOverride, keptServers } from '../factory/kept.js';
import { serverOwners } from '../factory/owners.js';
import { effectsOf } from '../effects.js';
import { factories, forwarders, serverSource } from '../servers.js';
import { sessionCode } from '../sessions.js';

/** The function around a node, as the `within` part of a fact. */
export function within(node: ts.Node, file: TypeScriptFile): { readonly within?: SymbolRef } {
  const fn = enclosingFunction(node);
  return fn === undefined ? {} : { within: functionRef(fn, file) };
}

/** The variable or field that a constructed value is assigned to. */
export function holderOf(node: ts.Node, file: TypeScriptFile): SymbolRef | undefined {
  let value = wrapped(node);
  if (ts.isAwaitExpression(value.parent)) value = wrapped(value.parent);
  const parent = value.parent;
  if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) {
    const declaration = declarationOf(parent.name, file);
    return declaration === undefined ? undefined : symbolOfDeclaration(declaration, file);
  }
  const owner = ancestor(node, ts.isClassLike);
  if (ts.isPropertyDeclaration(parent))
    return { file: file.path, name: `${owner === undefined ? '@class' : classRef(owner, file).name}.${nameText(parent.name) ?? ''}` };
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken && parent.right === value) {
    const left = parent.left;
    if (ts.isPropertyAccessExpression(left) && left.expression.kind === ts.SyntaxKind.ThisKeyword)
      return { file: file.path, name: `${owner === undefined ? '@class' : classRef(owner, file).name}.${left.name.text}` };
    if (ts.isIdentifier(left)) {
      const declaration = declarationOf(left, file);
      return declaration === undefined ? undefined : symbolOfDeclaration(declaration, file);
    }
  }
  return undefined;
}

/** `server`, `factory` and `connect`. */
export const serversAndFactories: FactSource = {
  id: 'servers',
  literals: { strong: ['@modelcontextprotocol/'], weak: [] },
  detect: {
    typescript: (file, report, around) => ({
      end() {
        const has = (path: string): boolean => around.has(path);
        const code = sessionCode(file);
        for (const { node, className } of code.servers) {
          const symbol = holderOf(node, file);
          const outer = wrapped(node).parent;
          const field = ts.isPropertyDeclaration(outer) || (ts.isBinaryExpression(outer) && ts.isPropertyAccessExpression(outer.left));
          report.fact({
            type: 'server',
            site: file.site(node),
            ...within(node, file),
            className,
            ...(symbol ? { symbol } : {}),
            scope: isModuleLevel(node) ? 'module' : field ? 'class' : 'function',
          });
        }
        const kept = [...keptServers(file), ...keptByOverride(file, has)];
        for (const { symbol, node } of kept)
          report.fact({ type: 'factory', site: file.site(node), symbol, parameters: 0, async: false, returns: 'kept', effects: [] });
        for (const owner of serverOwners(file))
          report.fact({
            type: 'factory',
            site: file.site(owner.node.name ?? owner.node),
            symbol: owner.symbol,
            parameters: owner.parameters,
            async: false,
            returns: 'wrapped',
            members: owner.members,
            steps: owner.steps,
            effects: owner.effects.map((effect) => file.site(effect)),
          });
        for (const { symbol, node, through } of forwarders(file, has))
          report.fact({
            type: 'factory',
            site: file.site(node),
            symbol,
            parameters: node.parameters.length,
            async: false,
            returns: 'unknown',
            through,
            effects: effectsOf(node, file).map((effect) => file.site(effect)),
          });
        for (const factory of factories(file)) {
          if (kept.some(({ symbol }) => keyOf(symbol) === keyOf(factory.symbol))) continue;
          report.fact({
            type: 'factory',
            site: file.site(factory.fn),
            symbol: factory.symbol,
            parameters: factory.fn.parameters.length,
            async: (ts.getCombinedModifierFlags(factory.fn) & ts.ModifierFlags.Async) !== 0,
            returns: factory.returns,
            ...(factory.member === undefined ? {} : { member: factory.member }),
            effects: factory.effects.map((effect) => file.site(effect)),
            ...(factory.release === undefined ? {} : { release: factory.release }),
            ...(factory.starts ? { starts: true } : {}),
          });
        }
        for (const call of code.connects) {
          const receiver = receiverOf(call);
          if (receiver === undefined) continue;
          const source = serverSource(receiver, file, has);
          report.fact({
            type: 'connect',
            site: file.site(call),
            ...within(call, file),
            ...(source.factory ? { factory: source.factory } : {}),
            ...(source.member === undefined ? {} : { member: source.member }),
            ...(source.server ? { server: source.server } : {}),
            origin: source.origin,
          });
        }
      },
    }),
  },
};
