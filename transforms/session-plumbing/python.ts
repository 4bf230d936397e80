import type { Detector } from '../../src/core/index.js';
import { argumentsOf, calledName, type PyNode } from '../../src/languages/python/index.js';
import { hasOwnPackage, nodesOf, receiverOf } from '../_mcp/python/nodes.js';
import { relationOf, sdkPaths } from '../_mcp/python/paths.js';
import { familyOf, optionOf, startWays, switchOf } from '../_mcp/python/servers.js';

type Kind = 'sessions-by-default' | 'manager-never-run' | 'comment-contradicts';

const MANAGER = 'mcp.server.streamable_http_manager.StreamableHTTPSessionManager';

/** Sessions that Python servers keep because nobody said otherwise. */
export const python: Detector<'python', Kind> = (file, report, around) => ({
  end() {
    const relation = relationOf(file);
    if ((!relation.sdk && !relation.framework) || hasOwnPackage(file, around)) return;
    let sessions = false;
    const say = (call: PyNode, option: string): void => {
      sessions = true;
      report.finding('sessions-by-default', call.get('function') ?? call, { group: 'Python', data: { name: calledName(call, file) ?? '', option } });
    };
    for (const call of nodesOf(file, 'call')) {
      const callee = call.get('function');
      const receiver = receiverOf(call);
      const method = calledName(call, file);
      if (callee && sdkPaths(callee, file).includes(MANAGER)) {
        const args = argumentsOf(call, file);
        if (!args.splat && switchOf(args.keyword('stateless')?.value ?? args.positional[3], file, 'off') === 'off') say(call, 'stateless=True');
        const holder = call.parent?.kind === 'assignment' ? call.parent.get('left') : undefined;
        const name = holder && file.textOf(holder);
        const member = name?.slice(name.lastIndexOf('.') + 1);
        // Only when the manager cannot have been handed on: its requests are served in this file too.
        if (member !== undefined && file.text.includes(`${member}.handle_request`) && !file.text.includes(`${member}.run(`))
          report.finding('manager-never-run', callee, { group: 'Python', data: { name: name ?? '' } });
      } else if (receiver && method !== undefined) {
        const family = familyOf(receiver, file);
        if (!family || family === 'low-level' || !startWays(call, method, file).includes('streamable-http')) continue;
        if (switchOf(optionOf(call, ['stateless_http', 'stateless'], file), file, 'off') === 'off') say(call, 'stateless_http=True');
      }
    }
    if (!sessions) return;
    for (const comment of file.comments)
      if (/\bstateless(?:_http)?\s*=\s*True\b/.test(file.textOf(comment)))
        report.finding('comment-contradicts', comment, { group: 'Python', certainty: 'likely' });
  },
});
