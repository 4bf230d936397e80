import { defineConcern } from '../../src/core/index.js';
import { judge } from './judge.js';
import { python } from './python.js';
import { typescript } from './typescript.js';

/** Session code around a transport that is not followed to its entry: options of frameworks and helpers, routes of any host, ids, replies, tests. */
export const concern = defineConcern({
  id: 'session-plumbing',
  title: 'Session code around the transport',
  spec: ['basic#statelessness', 'basic/transports/streamable-http#sending-messages', 'basic/transports/streamable-http#earlier-streamable-http-revisions'],
  category: 'transport',
  milestone: 'entry',
  effort: { base: 15, each: 5 },
  kinds: {
    'sessions-by-default': {
      what: 'The HTTP endpoint keeps a session for each client: `{name}` is not told otherwise.',
      why: 'Sessions live in the memory of this process until they are deleted: clients of the old revisions need it again and again, so more than one instance needs sticky routing, and clients that vanish leave theirs behind.',
      next: 'Pass `{option}` where no message goes from server to client; else name an idle time-out if the installed release has one, and plan the legacy lane with sessions.',
      impact: 'degrades',
    },
    'manager-never-run': {
      what: 'Requests are handed to `{name}`, whose `run()` is never entered.',
      why: 'The session manager has no task group outside of `run()`: the first request raises `RuntimeError`.',
      next: 'Enter `async with {name}.run():` in the lifespan of the application.',
      impact: 'breaks',
    },
    'comment-contradicts': {
      what: 'A comment says that there are no sessions; the code does not.',
      why: 'Whoever reads it plans without sticky routing, and clients lose their session at the next release.',
      next: 'Pass the option, or correct the comment.',
      impact: 'none',
    },
    'generator-option': {
      what: 'Session ids are switched on here (`{name}`).',
      why: 'What takes this option issues session ids; modern clients never send one back, and a server that demands one shuts them out.',
      next: 'Set it in the legacy lane only, and serve modern requests without sessions.',
      impact: 'degrades',
    },
    'lifecycle-option': {
      what: 'The callback `{name}` runs when a session begins or ends.',
      why: 'Modern requests open and end no session, so it never runs for them.',
      next: 'Move what must happen for every client to the request, to a handle, or to the process.',
      impact: 'degrades',
      category: 'lifecycle',
    },
    'transport-id': {
      what: 'The session id of a transport is used (`{name}`).',
      why: 'For modern requests it is `undefined`, and code that tests, logs or keys by it takes the wrong branch.',
      next: 'Use the request id, the principal or an explicit handle; in tests, keep the line for the legacy lane.',
      impact: 'tidies',
    },
    'handler-session-id': {
      what: 'A handler reads the id of the session (`{name}`).',
      why: 'It is `undefined` for modern requests: what is keyed, counted or addressed by it falls into one bucket or is not found.',
      next: 'Say what it is for: a log wants the request id, state wants a handle, a decision wants the principal.',
      impact: 'degrades',
      category: 'state',
    },
    'keyed-access': {
      what: '`{name}` is read or written by session id.',
      why: 'A modern request has no key for it.',
      next: 'It goes with the session, or it needs a handle or the principal as key: see what it holds.',
      impact: 'tidies',
      category: 'state',
    },
    'session-error-text': {
      what: 'A text says that a session is missing, unknown or invalid.',
      why: 'No modern request has a session: where this text decides or is expected, modern callers are refused, or the test no longer says anything.',
      next: 'Keep it for the legacy lane; add the modern expectation beside it in tests.',
      impact: 'tidies',
    },
    'session-error-code': {
      what: 'An error of the old transport is expected by its code ({name}).',
      why: 'The modern revision answers other codes (-32020, -32021, -32022, -32602), or answers the request.',
      next: 'Keep it for the legacy lane and add what a modern request is answered.',
      impact: 'tidies',
    },
    'stream-route': {
      what: '{name} serves streams or the end of a session.',
      why: 'The modern revision has neither: both methods must be answered 405.',
      next: 'Answer GET and DELETE with 405 unless they name a live legacy session.',
      impact: 'degrades',
    },
    'method-branch': {
      what: 'HTTP {name} is told apart beside MCP messages.',
      why: 'GET opened a stream and DELETE ended a session; the modern revision has neither.',
      next: 'Answer 405 for modern peers; in a test double, add one that is modern.',
      impact: 'tidies',
    },
    'transport-variable': {
      what: '`{name}` holds the only transport.',
      why: 'What is served through one transport serves one client: the second is refused, and modern requests never initialize it.',
      next: 'Build one for each legacy session, and serve modern requests with a server built per request.',
      impact: 'degrades',
    },
    'initialize-test': {
      what: 'A request is told apart by being `initialize` (`{name}`).',
      why: 'Modern clients never send `initialize`; code that waits for it never runs for them.',
      next: 'Decide the era of the request from `_meta` first; keep this for the legacy side.',
      impact: 'tidies',
    },
  },
  literals: {
    strong: [
      'mcp-session-id',
      '@modelcontextprotocol/',
      "'/mcp'",
      '"/mcp"',
      ".method !== 'initialize'",
      ".method === 'initialize'",
      '.method === "initialize"',
      '.method !== "initialize"',
    ],
    weak: [
      'sessionIdGenerator',
      'onsessioninitialized',
      'onsessionclosed',
      'sessionId',
      'session_id',
      'isInitializeRequest',
      'No session',
      'Session not',
      'session not',
      'ession ID',
      'ServerTransport',
      'streamable_http_app',
      'StreamableHTTPSessionManager',
      'streamable-http',
      'http_app(',
    ],
  },
  detect: { python, typescript },
  judge,
});
