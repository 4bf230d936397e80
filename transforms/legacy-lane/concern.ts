import { defineConcern } from '../../src/core/index.js';
import { detectTypeScript } from './detect.js';
import { judge } from './judge.js';

export const concern = defineConcern({
  id: 'legacy-lane',
  title: 'Lane for clients of earlier revisions',
  spec: ['basic/transports/streamable-http#backward-compatibility', 'basic/versioning#backward-compatibility-with-initialization-based-versions'],
  category: 'lifecycle',
  milestone: 'entry',
  effort: { base: 20, each: 5 },
  kinds: {
    'legacy-branch': {
      what: 'Only requests of earlier revisions get here.',
      why: 'It keeps installed clients working, and no modern request depends on it: nothing is wrong.',
      next: 'Remove it when the legacy routes go; until then leave it as it is.',
      impact: 'none',
    },
    'legacy-handler': {
      what: 'The handler behind the dual-era entry serves earlier revisions only.',
      why: 'Modern requests are answered in front of it: nothing is wrong.',
      next: 'Remove it when the legacy routes go: `unsession migrate --retire` prints the patch.',
      impact: 'none',
    },
    'unreached-lane': {
      what: 'The sessions of line {line} are never reached: the entry in front of them {answers}.',
      why: 'Clients of earlier revisions begin with `initialize`. It gets an answer here, so nobody ever opens a session behind, and what needs one (messages of the server, state) is silently gone for them.',
      next: 'Ask `isLegacyRequest(request)` in front of the entry and send what it says yes to behind, with `legacy: "reject"` on the entry; or remove the routes behind when nobody needs their sessions.',
      impact: 'breaks',
    },
  },
  literals: { strong: ['@modelcontextprotocol/', 'mcp-protocol-version', 'mcp-session-id'], weak: ['2026-07-28'] },
  detect: { typescript: detectTypeScript },
  judge,
});
