import type { Detector } from '../../src/core/index.js';
import { above, calledName, isFunction, type PyNode } from '../../src/languages/python/index.js';
import { hasOwnPackage, nodesOf } from '../_mcp/python/nodes.js';
import { relationOf } from '../_mcp/python/paths.js';
import { sdkTypesOf } from '../_mcp/python/types.js';

type Kind = 'call-retry';

const LOOP = /^(?:for|while)_statement$/;

/** Tool calls that are made a second time after a failure: in the branch that handles the error, or by a loop around it. */
export const python: Detector<'python', Kind> = (file, report, around) => ({
  end() {
    const relation = relationOf(file);
    if ((!relation.sdk && !relation.framework) || hasOwnPackage(file, around)) return;
    const inside = (call: PyNode, kind: RegExp): PyNode | undefined => {
      const found = above(call, (node) => kind.test(node.kind) || isFunction(node));
      return found && kind.test(found.kind) ? found : undefined;
    };
    const calls = nodesOf(file, 'call').filter((call) => calledName(call, file) === 'call_tool' && call.get('function')?.kind === 'attribute');
    for (const call of calls) {
      const clause = inside(call, /^except_clause$/);
      const attempt = clause?.parent;
      const body = attempt?.get('body');
      // The same call stands in the body that failed.
      const repeats = body && calls.some((other) => other !== call && body.start <= other.start && other.end <= body.end);
      const loop = clause ? undefined : inside(call, LOOP);
      const tried = loop && inside(call, /^try_statement$/);
      const again = loop !== undefined && tried !== undefined && tried.start > loop.start && swallows(tried) && ends(tried) && isCounted(loop);
      if (repeats || again)
        report.finding('call-retry', call, {
          group: 'Python',
          certainty: sdkTypesOf(call, file).length > 0 ? 'certain' : 'likely',
          data: { call: file.textOf(call.get('function') ?? call) },
        });
    }
    /** The first success ends it: other loops make as many calls as they are told to. */
    function ends(attempt: PyNode): boolean {
      const body = attempt.get('body');
      return body !== undefined && /\b(?:return|break)\b/.test(file.textOf(body));
    }
    /** The error neither ends the function nor the loop. */
    function swallows(attempt: PyNode): boolean {
      return attempt.children.some((clause) => clause.kind === 'except_clause' && !/^\s*(?:raise|return|break)\b/m.test(lastLine(clause)));
    }
    function lastLine(clause: PyNode): string {
      return file.textOf(clause).trimEnd().split('\n').at(-1) ?? '';
    }
    /** `for attempt in range(3)`, `while True`: a loop over different tools repeats nothing. */
    function isCounted(loop: PyNode): boolean {
      if (loop.kind === 'while_statement') return true;
      const over = loop.get('right');
      return over !== undefined && /^range\(|retr|attempt/i.test(file.textOf(over));
    }
  },
});
