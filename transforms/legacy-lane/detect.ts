import type { Detector } from '../../src/core/index.js';
import { eraBranches, isShimWrap } from '../_mcp/typescript/eras.js';

export type Kinds = 'legacy-branch' | 'legacy-handler';

/** Code that already tells the eras apart; listed for the day on which the legacy lane goes. */
export const detectTypeScript: Detector<'typescript', Kinds> = (file, report) => ({
  CallExpression(call) {
    const argument = call.arguments[0];
    if (argument !== undefined && isShimWrap(call, file)) report.finding('legacy-handler', file.span(argument), { lane: 'legacy', group: 'retire' });
  },
  end() {
    for (const branch of eraBranches(file)) {
      const [first] = branch.legacy;
      const last = branch.legacy.at(-1);
      if (first === undefined || last === undefined) continue;
      report.finding(
        'legacy-branch',
        { start: first.getStart(file.tree), end: last.end },
        { lane: 'legacy', group: 'retire', related: [file.site(branch.node, 'the decision')] },
      );
    }
  },
});
