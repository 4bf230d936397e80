import { ts } from 'ts-morph';
import type { FactSource, SymbolRef } from '../../../../src/core/index.js';
import { type TypeScriptFile, declarationOf, eachNode, functionRef, referencesOf, symbolOf } from '../../../../src/languages/typescript/index.js';
import { entryOf, eraBranches, isShimWrap } from '../eras.js';
import { isFunctionNode, unwrap, wrapped } from '../nodes.js';
import { isShimFile } from '../sessions.js';
import { holderOf, within } from './servers.js';

/** `era`: code that already tells the eras apart, and what only its legacy side runs. */
export const eras: FactSource = {
  id: 'eras',
  literals: { strong: ['@modelcontextprotocol/', 'mcp-protocol-version'], weak: ['2026-07-28'] },
  detect: {
    typescript: (file, report, around) => {
      const has = (path: string): boolean => around.has(path);
      if (isShimFile(file)) return {};
      return {
        CallExpression(call) {
          if (isShimWrap(call, file)) {
            const argument = call.arguments[0];
            if (argument === undefined) return;
            const inline = unwrap(argument);
            const ref = isFunctionNode(inline) ? functionRef(inline, file) : symbolOf(inline, file, has);
            // The route runs the entry, and the entry runs the lane: without this edge the handler would belong to no endpoint.
            const entry = symbolOf(unwrap(call.expression), file, has);
            if (ref !== undefined && entry !== undefined) report.fact({ type: 'call', site: file.site(call), from: entry, to: ref });
            report.fact({
              type: 'era',
              site: file.site(call),
              ...(entry ? { within: entry } : within(call, file)),
              what: 'lane',
              legacy: 'handler',
              lane: ref === undefined ? [] : [ref],
              spans: [file.span(argument)],
            });
            return;
          }
          const entry = entryOf(call, file);
          // `toNodeHandler(createMcpHandler(…))` is one entry.
          const outer = wrapped(call).parent;
          if (entry === undefined || (ts.isCallExpression(outer) && entryOf(outer, file) !== undefined)) return;
          const symbol = holderOf(outermostCall(call), file);
          // The walk over references passes by what a function or a block keeps in a variable of its own: who runs the entry is told here.
          const holder = wrapped(outermostCall(call)).parent;
          const declared = ts.isVariableDeclaration(holder) && ts.isIdentifier(holder.name) ? declarationOf(holder.name, file) : undefined;
          if (symbol !== undefined && declared !== undefined && declared.scope !== file.bindings.root)
            for (const use of referencesOf(declared, file)) {
              const around = within(use, file).within;
              if (around !== undefined) report.fact({ type: 'call', site: file.site(use), from: around, to: symbol });
            }
          report.fact({
            type: 'era',
            site: file.site(call),
            ...within(call, file),
            what: 'entry',
            legacy: entry.legacy,
            lane: [],
            spans: [],
            ...(symbol ? { symbol } : {}),
            serves: entry.serves,
          });
        },
        end() {
          for (const branch of eraBranches(file)) {
            report.fact({
              type: 'era',
              site: file.site(branch.node),
              ...within(branch.node, file),
              what: 'branch',
              legacy: 'handler',
              lane: branch.legacy.flatMap((node) => referredIn(node, file, has)),
              spans: branch.legacy.map((node) => file.span(node)),
            });
          }
        },
      };
    },
  },
};

/** `toNodeHandler(createMcpHandler(…))` is held as a whole. */
function outermostCall(call: ts.CallExpression): ts.Node {
  let current: ts.Node = call;
  for (
    let parent = wrapped(current).parent;
    ts.isCallExpression(parent) && parent.arguments.includes(wrapped(current) as ts.Expression);
    parent = wrapped(current).parent
  )
    current = parent;
  return current;
}

/** Declarations that code names: what it calls and what it hands on. */
function referredIn(node: ts.Node, file: TypeScriptFile, has: (path: string) => boolean): readonly SymbolRef[] {
  const refs = new Map<string, SymbolRef>();
  eachNode(node, (inner) => {
    if (isFunctionNode(inner)) {
      const ref = functionRef(inner, file);
      refs.set(`${ref.file}#${ref.name}`, ref);
    }
    if (!ts.isIdentifier(inner) || (ts.isPropertyAccessExpression(inner.parent) && inner.parent.name === inner)) return;
    if (declarationOf(inner, file)?.kind === 'parameter') return;
    const ref = symbolOf(inner, file, has);
    if (ref !== undefined) refs.set(`${ref.file}#${ref.name}`, ref);
  });
  return [...refs.values()];
}
