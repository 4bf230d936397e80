import { defineConcern } from '../../src/core/index.js';
import { assess } from './assess.js';
import { detectTypeScript } from './detect.js';
import { judge } from './judge.js';
import { rewrite } from './rewrite/index.js';
import { retire } from './rewrite/retire.js';

export const concern = defineConcern({
  id: 'session-transport',
  title: 'Sessions of the HTTP transport',
  spec: ['basic#statelessness', 'basic/transports/streamable-http#sending-messages', 'basic/transports/streamable-http#earlier-streamable-http-revisions'],
  category: 'transport',
  milestone: 'entry',
  effort: { base: 60, each: 5 },
  kinds: {
    'initialize-gate': {
      what: 'A request is told apart by being `initialize`.',
      why: 'Modern clients never send `initialize`: a gate that only lets it open a session answers them with an error.',
      next: 'Serve every request on its own with `createMcpHandler`; keep the gate for the legacy lane only.',
      impact: 'breaks',
    },
    'initialize-gated-auth': {
      what: 'Only `initialize` is authenticated; every other method is passed on.',
      why: 'Modern clients never send `initialize`, so nothing they send is ever authenticated.',
      next: 'Check the credentials of every request, whatever its method.',
      impact: 'breaks',
      category: 'auth',
    },
    'session-callback': {
      what: 'The callback `{option}` runs when a session begins or ends.',
      why: 'Requests of the modern revision open and end no session, so it never runs for them.',
      next: 'Move what must happen for every client to the request, to a handle, or to the process.',
      impact: 'breaks',
    },
    'session-error-reply': {
      what: 'A request without a usable session is answered with an error.',
      why: 'Modern requests have no session, so they all end here.',
      next: 'Answer them through `createMcpHandler`; keep this reply for the legacy lane only.',
      impact: 'degrades',
    },
    'session-header-kept': {
      what: 'The session id is taken from an answer, to be sent again.',
      why: 'Modern servers issue no session id, so nothing is found and later requests lack it.',
      next: 'Send the request metadata of the revision instead, or let the SDK client negotiate.',
      impact: 'degrades',
    },
    'session-header-read': {
      what: 'The header `Mcp-Session-Id` decides how a request is served.',
      why: 'The modern revision has no such header: the value is always missing, and whatever depends on it fails.',
      next: 'Let `createMcpHandler` of SDK v2 answer requests that carry their protocol version in `_meta`, before this line runs. What is left here serves old clients only, and keeps the header until they are gone.',
      impact: 'breaks',
    },
    'session-id-generator': {
      what: 'The transport mints session ids.',
      why: 'Modern clients never send one back, and a server that demands one shuts them out.',
      next: 'Build a server per request with `createMcpHandler`; leave the generator to the legacy lane.',
      impact: 'breaks',
    },
    'session-map': {
      what: '`{store}` keeps one {holds} per session in the memory of this process.',
      why: 'A modern request names no session, and the next one may reach another replica.',
      next: 'Build a server per request with `createMcpHandler`; keep the map for the legacy lane only.',
      impact: 'breaks',
    },
    'session-map-access': {
      what: 'An entry of `{store}` is used.',
      why: 'A modern request has no session id to look it up by, so for modern callers this place finds nothing.',
      next: 'Nothing is done here alone: `migrate` removes it together with the map, or keeps both in the legacy lane; do the same by hand.',
      impact: 'degrades',
    },
    'session-map-leak': {
      what: 'Entries of `{store}` are never removed.',
      why: 'Every client that went away leaves a {holds} behind until the process restarts.',
      next: 'It goes together with the map; as long as the legacy lane lives, remove entries in `onclose` and sweep idle ones.',
      impact: 'degrades',
    },
    'session-route': {
      what: '{method} {path} serves streams or the end of a session.',
      why: 'The modern revision has neither: both methods must be answered 405.',
      next: 'Answer GET and DELETE with 405 unless they name a live legacy session.',
      impact: 'breaks',
    },
    'sessionless-lane': {
      what: '`createMcpHandler` answers clients of earlier revisions here too, without a session.',
      why: 'It keeps installed clients working, and no modern request depends on it: nothing is wrong.',
      next: 'Leave it until the removal date; then `unsession migrate --retire` writes `legacy: "reject"`.',
      impact: 'none',
    },
    'shared-transport': {
      what: '`{store}` is the only transport, made once for all clients.',
      why: 'The second client is refused ("Server already initialized"), and modern requests never initialize it.',
      next: 'Turn the server into a factory and build one per request with `createMcpHandler`; a map of transports would be a step back.',
      impact: 'breaks',
    },
    'stateless-entry': {
      what: 'A transport without sessions is built for each request.',
      why: 'It needs no session, but it speaks the earlier revisions only: no `server/discover`, no request metadata, no `_meta` validation.',
      next: 'Replace the handler by `createMcpHandler`, which serves both eras per request.',
      impact: 'degrades',
    },
    'transport-session-id': {
      what: 'The session id of the transport is used.',
      why: 'Without sessions it is `undefined` for every modern request.',
      next: 'In a log, write the request id. As the key of the transport itself, it goes with the map. Where it finds data of a user, take the authenticated principal, or an id that a tool returns and later calls bring back (a handle).',
      impact: 'degrades',
    },
  },
  literals: { strong: ['@modelcontextprotocol/', 'mcp-session-id'], weak: ['initialize', 'sessionId'] },
  detect: { typescript: detectTypeScript },
  judge,
  assess,
  rewrite,
  retire,
  hub: true,
  closes: ['CK-H01', 'CK-H02', 'CK-H04', 'CK-H05', 'CK-H06'],
});
