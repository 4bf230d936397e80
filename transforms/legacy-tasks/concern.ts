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
      next: 'Move to the Tasks extension, which has to be negotiated, or return a handle and a tool that asks for the state; keep the old interface for the legacy lane only as long as SDK v1 serves it.',
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
