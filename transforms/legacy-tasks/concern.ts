import { defineConcern } from '../../src/core/index.js';
import { settle } from '../_mcp/settle.js';
import { python } from './python.js';
import { typescript } from './typescript.js';

/** The experimental tasks of 2025-11-25: another protocol than the Tasks extension of today. */
export const concern = defineConcern({
  id: 'legacy-tasks',
  title: 'Experimental tasks of 2025-11-25',
  spec: ['changelog', 'basic/versioning#extension-negotiation'],
  category: 'lifecycle',
  milestone: 'entry',
  effort: { base: 60, each: 15 },
  kinds: {
    'task-surface': {
      what: 'The experimental task interface is used (`{call}`).',
      why: 'It left the core of the protocol: SDK v2 has no such server interface, and modern peers know tasks only as an extension with other messages.',
      next: 'Decide for each tool. Where clients only come back for the result, return an id at once and add a second tool that takes the id and returns the state. Where they show tasks themselves, use the Tasks extension, which each request has to declare. Old clients keep this interface as long as SDK v1 serves them.',
      impact: 'breaks',
    },
    'task-message': {
      what: '`{call}` is built, answered or told apart by hand.',
      why: '`tasks/list` and `tasks/result` are gone, `tasks/get` and `tasks/cancel` belong to an extension with other results.',
      next: 'Follow the Tasks extension for modern peers; keep this for the legacy lane.',
      impact: 'breaks',
    },
  },
  literals: {
    strong: ['@modelcontextprotocol/'],
    weak: [
      'tasks/',
      'experimental.tasks',
      'TaskStore',
      'registerToolTask',
      'callToolStream',
      'TaskRequestSchema',
      'TaskPayload',
      'taskSupport',
      '.experimental',
    ],
  },
  detect: { python, typescript },
  judge: settle,
});
