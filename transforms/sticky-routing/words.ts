/** The kinds that settings of servers and clouds can have. */
export type Kind =
  | 'client-affinity'
  | 'address-hash'
  | 'session-header-hash'
  | 'single-instance'
  | 'instances-beside-sessions'
  | 'probe-on-endpoint'
  | 'probe-by-ping'
  | 'response-buffering'
  | 'redirect';

/** The word `mcp`, also joined by hyphens, dots, slashes and underscores; not as a part of another word. */
export const saysMcp = (text: string): boolean => /(?:^|[^a-z])mcp(?:$|[^a-z])/i.test(text);

/** A path that MCP clients use, by its last segments; a wildcard at its end does not matter. */
export function isMcpPath(written: string): boolean {
  const path = written.replace(/\*+$/, '');
  return /^\/(?:[\w.-]+\/)*(?:mcp|sse|messages?)\/?$/i.test(path) && (saysMcp(path) || /^\/(?:sse|messages?)\/?$/i.test(path));
}

/** A text that names MCP or a path of it: `path_beg /sse`, `mcp.example.org`. */
export const leadsToMcp = (text: string): boolean => saysMcp(text) || text.split(/[\s"'`(){},]+/).some(isMcpPath);

/** A key made of the session header, in the spellings of proxies. */
export const namesSessionHeader = (text: string): boolean => /mcp[-_]?session/i.test(text);

/** A key made of the session id in the query, which clients of HTTP+SSE send: `$arg_sessionId`, `url_param sessionId`. */
export const namesSessionQuery = (text: string): boolean => /(?:\$arg_|\burl_param\W+|\burlp\(|\bquery\s+)session_?id\b/i.test(text);

/**
 * How a balancer routes by the session id: `one` hashes the empty key when there is none; `spread` then chooses as if there was no such
 * line; `learned` does the same, and has the instance of an id from the answer that issued it.
 */
export type ByKey = 'one' | 'spread' | 'learned';

/** The rest of the message of `session-header-hash`, and when it is changed. `initialize` has no id yet, so a hash of the id knows nothing of the instance that made the session. */
export const byKey = (way: ByKey): Readonly<Record<string, string>> => {
  switch (way) {
    case 'one':
      return {
        fate: 'the empty key sends all of them to the same instance. This is worse than a setting that is no longer needed',
        remedy: 'Route requests without the header round robin (a `map` on the header that chooses the upstream) before modern clients come',
        stage: 'dual',
      };
    case 'spread':
      return {
        fate: 'this balancer spreads them as if there was no such line. Old clients fare worse: `initialize` has no id yet, so its session is made on any instance, and the hash of the new id often names another, which answers 404',
        remedy: 'Pin old clients by what an answer gave them (a cookie, a table learned from answers) or serve them without sessions',
        stage: 'clean',
      };
    case 'learned':
      return {
        fate: 'this balancer spreads them as if there was no such line, so the line serves the legacy lane only',
        remedy: 'Keep it until the legacy lane is empty',
        stage: 'clean',
      };
  }
};

/** Stages of the rollout in which the kinds are changed. */
const STAGE: Readonly<Record<Kind, string>> = {
  'client-affinity': 'clean',
  'address-hash': 'clean',
  'session-header-hash': 'dual',
  'single-instance': 'clean',
  'instances-beside-sessions': 'observe',
  'probe-on-endpoint': 'observe',
  'probe-by-ping': 'observe',
  'response-buffering': 'dual',
  redirect: 'dual',
};

/** Values that every finding of a kind carries for runbook and rules. */
export const hints = (kind: Kind): Readonly<Record<string, string | boolean>> => ({
  stage: STAGE[kind],
  ...(kind === 'client-affinity' || kind === 'address-hash' || kind === 'session-header-hash' ? { affinity: true } : {}),
  ...(kind === 'redirect' ? { reject: 'post-redirect' } : {}),
});
