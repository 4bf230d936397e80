import { keyOf, type FactSource, type SymbolRef } from '../../../../src/core/index.js';
import { calls, eachNode, functionRef } from '../../../../src/languages/typescript/index.js';
import { isFunctionNode } from '../nodes.js';

/**
 * `function` and `call`: extents of functions, and who refers to whom. Along these edges endpoints and lanes are computed. They are most of
 * what is known about a large repository, so one reference from a declaration to another stands for all of that file, and names are shared.
 */
export const functionsAndCalls: FactSource = {
  id: 'functions',
  literals: { strong: [], weak: [] },
  detect: {
    typescript: (file, report, around) => ({
      end() {
        const shared = new Map<string, SymbolRef>();
        const share = (ref: SymbolRef): SymbolRef => {
          const key = keyOf(ref);
          const known = shared.get(key);
          if (known === undefined) shared.set(key, ref);
          return known ?? ref;
        };
        eachNode(file.tree, (node) => {
          if (isFunctionNode(node) && node.body !== undefined) report.fact({ type: 'function', site: file.site(node), symbol: share(functionRef(node, file)) });
        });
        const seen = new Map<SymbolRef | undefined, Set<SymbolRef>>();
        for (const call of calls(file, (path) => around.has(path))) {
          const from = call.from && share(call.from);
          const to = share(call.to);
          const targets = seen.get(from) ?? new Set();
          if (targets.has(to)) continue;
          seen.set(from, targets.add(to));
          report.fact({ type: 'call', site: file.site(call.node), ...(from ? { from } : {}), to });
        }
      },
    }),
  },
};
