import type { FactSource } from '../../../../src/core/index.js';
import { calls, eachNode, functionRef } from '../../../../src/languages/typescript/index.js';
import { isFunctionNode } from '../nodes.js';

/** `function` and `call`: extents of functions, and who refers to whom. Along these edges endpoints and lanes are computed. */
export const functionsAndCalls: FactSource = {
  id: 'functions',
  literals: { strong: [], weak: [] },
  detect: {
    typescript: (file, report, around) => ({
      end() {
        eachNode(file.tree, (node) => {
          if (isFunctionNode(node) && node.body !== undefined) report.fact({ type: 'function', site: file.site(node), symbol: functionRef(node, file) });
        });
        for (const call of calls(file, (path) => around.has(path))) {
          report.fact({ type: 'call', site: file.site(call.node), ...(call.from ? { from: call.from } : {}), to: call.to });
        }
      },
    }),
  },
};
