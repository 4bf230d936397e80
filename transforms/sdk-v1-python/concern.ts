import { defineConcern } from '../../src/core/index.js';
import { assess } from './assess.js';
import { FIELD_LITERALS } from '../_mcp/python/fields.js';
import { detectBots } from './detect/bots.js';
import { detectPython } from './detect/python.js';
import { detectRequirements } from './detect/requirements.js';
import { detectTexts } from './detect/texts.js';
import { judge } from './judge.js';
import { kinds } from './kinds.js';
import { rewrite } from './rewrite/rewrite.js';

/**
 * Milestone M1 of Python: from the SDK 1.x to 2.x, with the wire as it was. One work item for each package, tests included.
 */
export const concern = defineConcern({
  id: 'sdk-v1-python',
  title: 'Python SDK v1',
  spec: ['basic#statelessness'],
  category: 'sdk',
  milestone: 'sdk',
  effort: { base: 60, each: 4 },
  kinds,
  literals: {
    strong: [],
    weak: [],
    python: {
      strong: ['mcp.server', 'mcp.client', 'mcp.types', 'mcp.shared', 'from mcp import', 'import mcp\n', 'import mcp\r', 'fastmcp', '.session.client_params'],
      // A file that is handed SDK objects imports nothing of the SDK.
      weak: [
        ...FIELD_LITERALS.map((name) => `.${name}`),
        ...FIELD_LITERALS.map((name) => `${name}=`),
        ...FIELD_LITERALS.map((name) => `"${name}"`),
        ...FIELD_LITERALS.map((name) => `'${name}'`),
        ...['>', '=', '~', '<', '[', ' =', ' >'].map((next) => `mcp${next}`),
        '.root',
        'install mcp',
        'MCP Python SDK',
        'FASTMCP_',
        '_mcp_server',
        '.ClientSession',
        '.sse_client',
        '.tool()',
        'http_client',
        'package-ecosystem',
      ],
    },
  },
  detect: { data: detectBots, python: detectPython, requirements: detectRequirements, text: detectTexts },
  judge,
  assess,
  rewrite,
});
