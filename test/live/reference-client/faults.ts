/** One deviation of the reference client, and the checks that it must turn red. */
export interface ClientFault {
  readonly what: string;
  readonly level: 'must' | 'should';
  readonly stdio?: true;
  readonly fails: readonly string[];
  readonly warns?: readonly string[];
}

/** Deviations of a client under test. */
export const clientFaults: Readonly<Record<string, ClientFault>> = {
  'no-version-header': { what: 'MCP-Protocol-Version is not sent', level: 'must', fails: ['CK-C01'] },
  'header-differs': { what: 'header and body name different versions', level: 'must', fails: ['CK-C01'] },
  'no-capabilities': { what: 'client capabilities are not sent', level: 'must', fails: ['CK-C01'] },
  'capabilities-as-booleans': { what: 'capabilities are booleans', level: 'must', fails: ['CK-C01'] },
  'no-meta': { what: '_meta is not sent', level: 'must', fails: ['CK-C01'] },
  'no-client-info': { what: 'clientInfo is not sent', level: 'should', fails: [], warns: ['CK-C01'] },
  'accepts-json-only': { what: 'Accept lists only JSON', level: 'must', fails: ['CK-C01'] },
  'no-method-header': { what: 'Mcp-Method is not sent', level: 'must', fails: ['CK-C02'] },
  'no-name-header': { what: 'Mcp-Name is not sent', level: 'must', fails: ['CK-C02'] },
  'name-everywhere': { what: 'Mcp-Name is sent where it does not belong', level: 'must', fails: ['CK-C02'] },
  'reads-json-only': { what: 'a stream is not read', level: 'must', fails: ['CK-C03'] },
  'chokes-on-comments': { what: 'a comment of a stream is an error', level: 'must', fails: ['CK-C03'] },
  'gives-up-on-version': { what: 'a version error is final', level: 'should', fails: [], warns: ['CK-C04'] },
  'legacy-version-in-meta': { what: 'a handshake version is put into _meta', level: 'must', fails: ['CK-C04'] },
  'falls-back-on-modern-error': { what: 'a modern error leads to a handshake', level: 'must', fails: ['CK-C05'] },
  'never-falls-back': { what: 'servers of the handshake era are given up', level: 'should', fails: [], warns: ['CK-C06', 'CK-C07'] },
  'posts-to-stream-address': { what: 'HTTP+SSE messages go to the stream address', level: 'should', fails: [], warns: ['CK-C08'] },
  'falls-back-on-401': { what: '401 leads to a handshake', level: 'must', fails: ['CK-C09'] },
  'falls-back-on-5xx': { what: '503 leads to a handshake', level: 'must', fails: ['CK-C10'] },
  'falls-back-on-silence': { what: 'silence leads to a handshake', level: 'must', fails: ['CK-C10'] },
  'percent-encodes': { what: 'header values are percent-encoded', level: 'must', fails: ['CK-C11'] },
  'mirrors-nothing': { what: 'annotated arguments are not mirrored', level: 'must', fails: ['CK-C11'] },
  'keeps-bad-tools': { what: 'tools with illegal annotations are kept', level: 'must', fails: ['CK-C12'] },
  'no-recovery': { what: 'a header mismatch is final', level: 'should', fails: [], warns: ['CK-C13'] },
  'rewrites-state': { what: 'requestState is parsed and written again', level: 'must', fails: ['CK-C14'] },
  'drops-state': { what: 'requestState is not repeated', level: 'must', fails: ['CK-C14'] },
  'answers-with-value': { what: 'an answer is a bare value', level: 'must', fails: ['CK-C14'] },
  'invents-state': { what: 'a requestState is sent that was not given', level: 'must', fails: ['CK-C15'] },
  'reuses-ids': { what: 'a retry has the id of the first request', level: 'must', fails: ['CK-C16'] },
  'reads-any-result': { what: 'an unknown resultType is read as a result', level: 'must', fails: ['CK-C17'] },
  'resumes-subscriptions': { what: 'a broken subscription is resumed by GET', level: 'must', fails: ['CK-C19'] },
  'posts-cancelled': { what: 'a cancellation is posted', level: 'must', fails: ['CK-C20'] },
  'resumes-streams': { what: 'a broken stream is resumed by GET', level: 'must', fails: ['CK-C21'] },
  'follows-redirects': { what: 'a redirect of a POST is followed', level: 'should', fails: [], warns: ['CK-C22'] },
  'takes-any-issuer': { what: 'metadata of another issuer is used', level: 'must', fails: ['CK-C23'] },
  'registers-without-type': { what: 'a registration has no application_type', level: 'must', fails: ['CK-C25'] },
  'stops-at-empty-cursor': { what: 'an empty cursor ends the list', level: 'should', fails: [], warns: ['CK-C26'] },
  'answers-server-requests': { what: 'a request of the server is answered', level: 'must', fails: ['CK-C27'] },
  'opens-get-stream': { what: 'a GET stream is opened', level: 'must', fails: ['CK-C30'] },
  'sends-session': { what: 'a session header is sent', level: 'must', fails: ['CK-C30'] },
  'handshake-first': { what: 'the handshake comes before the probe', level: 'must', fails: ['CK-C30'] },
  'stdio/handshake-first': { what: 'the handshake comes before the probe over stdio', level: 'must', stdio: true, fails: ['CK-C29'] },
  'stdio/no-capabilities': { what: 'client capabilities are not sent over stdio', level: 'must', stdio: true, fails: ['CK-C29'] },
  'stdio/falls-back-on-modern-error': { what: 'a modern error leads to a handshake over stdio', level: 'must', stdio: true, fails: ['CK-C29'] },
  'stdio/falls-back-on-one-code': { what: 'only one error code leads to a handshake', level: 'should', stdio: true, fails: [], warns: ['CK-C29'] },
};
