import { ts } from 'ts-morph';
import type { Detector } from '../../src/core/index.js';
import type { TypeScriptFile } from '../../src/languages/typescript/index.js';
import { entryOf, eraBranches, isShimWrap } from '../_mcp/typescript/eras.js';

export type Kinds = 'legacy-branch' | 'legacy-handler' | 'unreached-lane';

/** Code that already tells the eras apart; listed for the day on which the legacy lane goes. */
export const detectTypeScript: Detector<'typescript', Kinds> = (file, report) => ({
  CallExpression(call) {
    const argument = call.arguments[0];
    if (argument !== undefined && isShimWrap(call, file)) report.finding('legacy-handler', file.span(argument), { lane: 'legacy', group: 'retire' });
    const answers = answersOf(call, file);
    // Whether routes lie behind it is known when all files are.
    if (answers !== undefined) report.finding('unreached-lane', file.span(call), { group: 'unreached', certainty: 'likely', data: { answers } });
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

/** What an entry of HTTP does with an `initialize` that nobody took before it. */
function answersOf(call: ts.CallExpression, file: TypeScriptFile): string | undefined {
  const entry = entryOf(call, file);
  const outer = call.parent;
  if (entry?.serves !== 'http' || (ts.isCallExpression(outer) && entryOf(outer, file) !== undefined)) return undefined;
  if (entry.legacy === 'stateless') return 'answers `initialize` itself, without a session';
  return entry.legacy === 'reject' ? 'refuses `initialize`' : undefined;
}
