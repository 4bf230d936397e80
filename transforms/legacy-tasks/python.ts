import type { Detector } from '../../src/core/index.js';
import { calledName, importedNames } from '../../src/languages/python/index.js';
import { hasOwnPackage, nodesOf } from '../_mcp/python/nodes.js';
import { isSdkPath, relationOf } from '../_mcp/python/paths.js';

type Kind = 'task-surface' | 'task-message';

const MESSAGES = /^tasks\/(?:get|list|result|cancel)$/;

/** The experimental task interface of the Python SDK 1.x: `server.experimental`, `session.experimental`, its modules. */
export const python: Detector<'python', Kind> = (file, report, around) => ({
  end() {
    if (!relationOf(file).sdk || hasOwnPackage(file, around)) return;
    for (const { module, node } of importedNames(file))
      if (isSdkPath(module) && /\.experimental(?:\.|$)/.test(module)) report.finding('task-surface', node, { group: 'Python', data: { call: module } });
    for (const call of nodesOf(file, 'call')) {
      const callee = call.get('function');
      const owner = callee?.kind === 'attribute' ? callee.get('object') : undefined;
      if (owner?.kind === 'attribute' && file.textOf(owner.get('attribute') ?? owner) === 'experimental')
        report.finding('task-surface', callee ?? call, { group: 'Python', data: { call: `experimental.${calledName(call, file) ?? ''}` } });
    }
    for (const node of nodesOf(file, 'pair')) {
      const [key, value] = [node.get('key'), node.get('value')];
      const method = value && file.textOf(value).slice(1, -1);
      if (
        key &&
        method !== undefined &&
        /["']jsonrpc["']/.test(file.textOf(node.parent ?? node)) &&
        /^["']method["']$/.test(file.textOf(key)) &&
        MESSAGES.test(method)
      )
        report.finding('task-message', node, { group: 'Python', data: { call: method } });
    }
  },
});
