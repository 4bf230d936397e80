import { defineConcern } from '../../src/core/index.js';
import { assess } from './assess.js';
import { detectManifest } from './detect/manifest.js';
import { detectTypeScript } from './detect/typescript.js';
import { judge } from './judge.js';
import { kinds } from './kinds.js';
import { rewrite } from './rewrite/rewrite.js';

/**
 * Milestone M1 of TypeScript and JavaScript: from `@modelcontextprotocol/sdk` 1.x to the packages of SDK v2, with the wire as it was. One work item
 * for each set of packages that exchange SDK objects, tests included, whole or not at all.
 */
export const concern = defineConcern({
  id: 'sdk-v1-typescript',
  title: 'TypeScript SDK v1',
  spec: ['basic#statelessness'],
  category: 'sdk',
  milestone: 'sdk',
  effort: { base: 60, each: 4 },
  kinds,
  literals: {
    // A server that is injected is registered on by schemas whose names no other protocol has.
    strong: ['@modelcontextprotocol/', 'ListToolsRequestSchema', 'CallToolRequestSchema', 'ListResourcesRequestSchema', 'ReadResourceRequestSchema'],
    // A file that is handed its server names no SDK; a file with schemas may keep zod from being raised.
    weak: ['setRequestHandler', 'setNotificationHandler', 'registerTool', 'requestInfo', 'sendNotification', "'zod'", '"zod"', ' zod:'],
  },
  detect: { data: detectManifest, typescript: detectTypeScript },
  judge,
  assess,
  rewrite,
});
