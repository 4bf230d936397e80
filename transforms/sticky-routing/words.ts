/** The kinds of this concern. */
export type Kind =
  'client-affinity' | 'address-hash' | 'session-header-hash' | 'single-instance' | 'probe-on-endpoint' | 'probe-by-ping' | 'response-buffering' | 'redirect';

/** The word `mcp`, also joined by hyphens, dots, slashes and underscores; not as a part of another word. */
export const saysMcp = (text: string): boolean => /(?:^|[^a-z])mcp(?:$|[^a-z])/i.test(text);

/** A path that MCP clients use, by its last segments. */
export const isMcpPath = (path: string): boolean =>
  /^\/(?:[\w.-]+\/)*(?:mcp|sse|messages?)\/?$/i.test(path) && (saysMcp(path) || /^\/(?:sse|messages?)\/?$/i.test(path));

/** A key made of the session header, in the spellings of proxies. */
export const namesSessionHeader = (text: string): boolean => /mcp[-_]session[-_]id/i.test(text);

/** Stages of the rollout in which the kinds are changed. */
export const STAGE: Readonly<Record<Kind, string>> = {
  'client-affinity': 'clean',
  'address-hash': 'clean',
  'session-header-hash': 'dual',
  'single-instance': 'clean',
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
