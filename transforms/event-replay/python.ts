import type { Detector } from '../../src/core/index.js';
import { argumentsOf, stringValue } from '../../src/languages/python/index.js';
import { nodesOf } from '../_mcp/python/nodes.js';
import { sdkPaths } from '../_mcp/python/paths.js';

type Kind = 'event-store-option' | 'event-store' | 'last-event-id';

/** Event stores and resumed streams in Python. */
export const python: Detector<'python', Kind> = (file, report) => ({
  end() {
    for (const definition of nodesOf(file, 'class_definition'))
      for (const base of argumentsOf(definition, file).positional)
        if (sdkPaths(base, file).some((path) => path.endsWith('.EventStore')) || file.textOf(base).endsWith('EventStore'))
          report.finding('event-store', base, { group: 'Python', data: { call: file.textOf(definition.get('name') ?? base) } });
    for (const keyword of nodesOf(file, 'keyword_argument')) {
      const value = keyword.get('value');
      if (value && file.textOf(keyword.get('name') ?? keyword) === 'event_store' && value.kind !== 'none')
        report.finding('event-store-option', keyword, { group: 'Python' });
    }
    for (const node of nodesOf(file, 'string')) {
      if (node.parent?.kind === 'expression_statement' || stringValue(node, file)?.toLowerCase() !== 'last-event-id') continue;
      report.finding('last-event-id', node, { group: 'Python' });
    }
  },
});
