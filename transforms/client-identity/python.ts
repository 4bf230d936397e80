import type { Detector } from '../../src/core/index.js';
import { calledName, type PyNode } from '../../src/languages/python/index.js';
import { hasOwnPackage, nodesOf } from '../_mcp/python/nodes.js';
import { relationOf } from '../_mcp/python/paths.js';
import { isInstance } from '../_mcp/python/types.js';

/** Helpers that are handed the context import nothing; no other product has this chain. */
const CHAIN = /\.session\.client_params\b/;

type Kind = 'initialize-hook' | 'client-data-read';

/** What Python servers learn from the handshake. */
export const python: Detector<'python', Kind> = (file, report, around) => ({
  end() {
    const relation = relationOf(file);
    if ((!relation.sdk && !relation.framework && !CHAIN.test(file.text)) || hasOwnPackage(file, around)) return;
    const say = (kind: Kind, node: PyNode, call: string): void => {
      report.finding(kind, node, { group: 'Python', data: { call } });
    };
    for (const node of nodesOf(file, 'attribute')) {
      const name = file.textOf(node.get('attribute') ?? node);
      const object = node.get('object');
      if (name === 'client_params' && object && (isInstance(object, file, 'mcp.server.session.ServerSession') || file.textOf(object).endsWith('session')))
        say('client-data-read', node, 'client_params');
    }
    for (const node of nodesOf(file, 'attribute')) {
      const name = file.textOf(node.get('attribute') ?? node);
      if ((name === 'clientInfo' || name === 'client_info') && /(?:message|request)\.params$/.test(file.textOf(node.get('object') ?? node)))
        say('client-data-read', node, name);
    }
    for (const call of nodesOf(file, 'call'))
      if (calledName(call, file) === 'check_client_capability') say('client-data-read', call, 'check_client_capability');
    for (const definition of nodesOf(file, 'function_definition')) {
      const name = definition.get('name');
      if (name && file.textOf(name) === 'on_initialize') say('initialize-hook', name, 'on_initialize');
    }
  },
});
