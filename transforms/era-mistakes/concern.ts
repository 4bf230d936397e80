import { defineConcern } from '../../src/core/index.js';
import { judge } from './judge.js';
import { python } from './python.js';
import { typescript } from './typescript.js';

/** Code that already knows the modern revision, or stands between peers that do, and gets it wrong. */
export const concern = defineConcern({
  id: 'era-mistakes',
  title: 'Requests, probes and answers that do not fit the revision',
  spec: [
    'basic/transports/streamable-http#standard-request-headers',
    'basic/transports/streamable-http#server-validation',
    'basic#error-codes',
    'basic/patterns/mrtr#basic-workflow',
    'basic/versioning#backward-compatibility-with-initialization-based-versions',
    'server/discover#discoverresult',
  ],
  category: 'gateway',
  milestone: 'entry',
  effort: { base: 20, each: 10 },
  kinds: {
    'request-without-metadata': {
      what: 'A request is sent by hand without {missing}.',
      why: 'A modern server refuses a request whose headers or `_meta` are missing, or serves it as one of the old revision.',
      next: 'Send `MCP-Protocol-Version`, `Mcp-Method`, `Mcp-Name` and `_meta` with each request, or use the SDK client.',
      impact: 'breaks',
    },
    'stream-read-as-json': {
      what: 'The answer may be a stream, and is read as JSON.',
      why: 'The request accepts `text/event-stream`; a server may answer with it, and then the parse fails.',
      next: 'Look at the content type of the answer and read events from a stream, or accept JSON only where the server allows it.',
      impact: 'degrades',
    },
    'era-by-session': {
      what: 'Whether a session id came back decides how the server is spoken to (`{name}`).',
      why: 'Legacy servers without sessions and modern servers both send none: one of them is then spoken to in the wrong way.',
      next: 'Decide the era by the answer to `server/discover`; the header says nothing about it.',
      impact: 'breaks',
    },
    'session-demanded': {
      what: 'The client gives up when no session id comes back (`{name}`).',
      why: 'Modern servers never send one, and legacy ones do not have to.',
      next: 'Go on without it; send the header only when a legacy server gave one.',
      impact: 'breaks',
    },
    'discover-ignored': {
      what: '`initialize` follows `server/discover` whatever it answered.',
      why: 'A server that answers discovery is modern, and `initialize` opens a session of the old revision with it or fails.',
      next: 'Send `initialize` only in the branch where discovery failed as it does at a legacy server.',
      impact: 'breaks',
    },
    'narrow-probe': {
      what: 'A probe for the era takes one answer for all legacy servers.',
      why: 'Legacy servers answer discovery with 400, 404 or 405, with text, with -32000, -32600 or -32601, and with other ids; here all but one of these is taken for no server at all.',
      next: 'Read the body as text first; take recognised modern errors for modern, and 400, 404 and 405 without one for legacy.',
      impact: 'degrades',
    },
    'mismatch-code': {
      what: 'A header that differs from the body is not answered with -32020 and 400.',
      why: 'Modern clients know a mismatch by its code; another code or status looks like a fault of the request itself.',
      next: 'Answer status 400 with code -32020; compare header names without case and decode Base64 values first.',
      impact: 'breaks',
    },
    'version-code': {
      what: 'An unsupported revision is not answered with -32022 and the list of supported ones.',
      why: 'Clients choose another revision from `supported` in the error; without it they cannot.',
      next: 'Answer status 400 with code -32022 and `data: { supported, requested }`, and let requests without the header be legacy.',
      impact: 'breaks',
    },
    'name-field': {
      what: '`Mcp-Name` is compared with `params.name` for every method.',
      why: '`resources/read` names its target in `params.uri`, so a right request is refused or a wrong one passes.',
      next: 'Compare with `params.uri` for `resources/read`, and ask for no name where the method has none.',
      impact: 'degrades',
    },
    'call-fields-dropped': {
      what: 'A call is passed on with some of its fields only.',
      why: '`inputResponses`, `requestState` and `_meta` are lost: an answered question is asked again for ever, and the next server does not know the client.',
      next: 'Pass the whole of `params` on, and change only what the gateway is there for.',
      impact: 'breaks',
    },
    'result-fields-dropped': {
      what: 'A result is passed on with some of its fields only.',
      why: '`resultType`, `inputRequests`, `requestState`, `structuredContent` and `_meta` are lost: a question looks like an empty answer.',
      next: 'Pass the whole result on.',
      impact: 'breaks',
    },
    'cancel-not-passed-on': {
      what: 'A call is passed on without the signal that cancels it.',
      why: 'When the client goes away or cancels, the next server works on: what it does then has nobody who waits for it.',
      next: 'Hand the signal of the request to the call (`{ signal }` of its options); the SDK client tells the next server.',
      impact: 'none',
    },
    'no-legacy-exemption': {
      what: 'Requests without the standard headers are refused (`{name}`).',
      why: 'Clients of earlier revisions send neither `Mcp-Method` nor `Mcp-Name`: each of their requests is answered with an error.',
      next: 'Decide the era first, from the body or from the version header, and check the headers of modern requests only.',
      impact: 'degrades',
    },
    'gate-cannot-fail': {
      what: 'A check of the new revision passes against a server that does not speak it.',
      why: 'The client is content with an older revision, so the check stays green when the modern side is broken or missing, and nobody notices.',
      next: "Pin the client (`versionNegotiation: { mode: { pin: '2026-07-28' } }`) or assert `getProtocolEra()`, and write a second check for the legacy side.",
      impact: 'degrades',
    },
    'process-key': {
      what: 'The key that protects `requestState` is made when the process starts.',
      why: 'The second round of a call may reach another instance, or the same one after a restart, and is refused there.',
      next: 'Take the key from the secret store that all instances share, and accept the previous one while it is rotated.',
      impact: 'degrades',
    },
    'repeat-after-loss': {
      what: 'What was running is run again when the session is lost.',
      why: 'Nobody knows whether the first run had its effect: it may happen twice. On the modern revision there is no session to lose.',
      next: 'Repeat only what is idempotent; ask the user or send an idempotency key for the rest.',
      impact: 'degrades',
    },
    'discover-shape': {
      what: 'An answer to `server/discover` {faults}.',
      why: 'Strict clients reject an answer that the schema does not allow, and take the server for one of the old revisions.',
      next: 'Answer with `supportedVersions` (a list), `capabilities`, `resultType: "complete"`, `ttlMs` and `cacheScope`; name and version of the server go into `_meta`. Who may share a cached answer is for you to say.',
      impact: 'breaks',
    },
    'listen-promise': {
      what: 'Changes of lists are promised, and nothing here serves `subscriptions/listen`.',
      why: 'A client that opens the subscription gets an error, or waits for changes that never come.',
      next: 'Serve `subscriptions/listen`, or leave `listChanged` out.',
      impact: 'degrades',
    },
    'name-always': {
      what: '`Mcp-Name` is demanded of every request.',
      why: 'Only `tools/call`, `prompts/get` (the name) and `resources/read` (the URI) carry it: lists and discovery are refused here, and so is every request of an older client.',
      next: 'Demand `Mcp-Method` of modern requests, `Mcp-Name` of these three methods only, and neither of requests without a modern `MCP-Protocol-Version`.',
      impact: 'breaks',
    },
    'unsafe-repeat': {
      what: '`{name}` writes, and nothing says whether it may be repeated.',
      why: 'Answers that are lost are not replayed on the modern revision, so clients have to decide about a second call; a gateway may decide for them.',
      next: 'Add `idempotentHint` or `readOnlyHint`, or an idempotency key among the arguments; the runbook asks for the decision.',
      impact: 'none',
    },
  },
  literals: {
    strong: [
      "'tools/call'",
      '"tools/call"',
      'server/discover',
      'mcp-method',
      'mcp-name',
      'Mcp-Method',
      'mcp-protocol-version',
      'createRequestStateCodec',
      '.callTool(',
      'discoverBody',
      'versionNegotiation',
    ],
    weak: ['mcp-session-id', 'Mcp-Session-Id', 'registerTool', 'StreamableHTTPError', 'SdkHttpError', 'session'],
  },
  detect: { python, typescript },
  judge,
});
