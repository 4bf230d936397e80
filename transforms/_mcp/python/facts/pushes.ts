import type { FactSource } from '../../../../src/core/index.js';
import { enclosingFunction, functionRef } from '../../../../src/languages/python/index.js';
import { hasOwnPackage, nodesOf } from '../nodes.js';
import { pushOf } from '../pushes.js';

/** `push`: messages that Python servers send on their own initiative. */
export const pythonPushes: FactSource = {
  id: 'python-pushes',
  literals: { strong: ['mcp.server', 'fastmcp'], weak: [] },
  detect: {
    python: (file, report, around) => ({
      end() {
        if (hasOwnPackage(file, around)) return;
        for (const call of nodesOf(file, 'call')) {
          const push = pushOf(call, file);
          if (!push) continue;
          const fn = enclosingFunction(call);
          report.fact({ type: 'push', site: file.site(call), ...(fn ? { within: functionRef(fn, file) } : {}), what: push.what, through: push.through });
        }
      },
    }),
  },
};
