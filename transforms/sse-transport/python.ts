import type { Detector } from '../../src/core/index.js';
import { argumentsOf, calledName, constantOf, type PyNode } from '../../src/languages/python/index.js';
import { hasOwnPackage, nodesOf } from '../_mcp/python/nodes.js';
import { relationOf, sdkPaths } from '../_mcp/python/paths.js';

type Kind = 'stream-route' | 'message-url' | 'stream-url' | 'message-dispatch';

const APPS: ReadonlySet<string> = new Set(['sse_app', 'run_sse_async', 'create_sse_app']);

/** The HTTP+SSE transport in Python: built by hand, or asked of the server. */
export const python: Detector<'python', Kind> = (file, report, around) => ({
  end() {
    const relation = relationOf(file);
    if ((!relation.sdk && !relation.framework) || hasOwnPackage(file, around)) return;
    const text = (node: PyNode | undefined, otherwise: string): string => {
      const value = node && constantOf(node, file);
      return typeof value === 'string' ? value : otherwise;
    };
    for (const call of nodesOf(file, 'call')) {
      const callee = call.get('function');
      const args = argumentsOf(call, file);
      const called = calledName(call, file) ?? '';
      if (!callee) continue;
      if (sdkPaths(callee, file).some((path) => path.endsWith('.SseServerTransport')))
        report.finding('message-url', call, { group: 'Python', data: { path: text(args.positional[0], 'a path') } });
      else if (called === 'connect_sse') report.finding('stream-route', call, { group: 'Python', data: { path: 'its message path' } });
      else if (APPS.has(called)) report.finding('stream-url', call, { group: 'Python', data: { path: '/sse' } });
      else if (called === 'run' && (text(args.keyword('transport')?.value, '') === 'sse' || text(args.positional[0], '') === 'sse'))
        report.finding('stream-url', call, { group: 'Python', data: { path: text(args.keyword('mount_path')?.value, '/sse') } });
    }
    for (const node of nodesOf(file, 'attribute'))
      if (file.textOf(node.get('attribute') ?? node) === 'handle_post_message')
        report.finding('message-dispatch', node, { group: 'Python', data: { call: 'handle_post_message' } });
  },
});
