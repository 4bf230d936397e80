import type { Assertion, RefereeReply, RefereeStep } from '../../../src/core/check-step.js';

export const common = { era: 'modern', transport: 'client', class: 'quick', needs: [], level: 'must' } as const;

export const result = (members: Record<string, unknown>): Record<string, unknown> => ({
  jsonrpc: '2.0',
  id: '{id}',
  result: { resultType: 'complete', ...members },
});
export const failure = (code: number, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  jsonrpc: '2.0',
  id: '{id}',
  error: { code, message: 'Refused by the referee', ...more },
});
export const hints = { ttlMs: 0, cacheScope: 'private' };
export const TOOL = { name: 'echo', description: 'Says it again.', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } };
export const discovered: RefereeReply = {
  to: 'server/discover',
  body: result({ supportedVersions: ['2026-07-28'], capabilities: { tools: { listChanged: true }, prompts: {}, resources: {} }, ...hints }),
};
export const tools = (list: readonly unknown[], more: Record<string, unknown> = {}): RefereeReply => ({
  to: 'tools/list',
  body: result({ tools: list, ...hints, ...more }),
});
export const called: RefereeReply = { to: 'tools/call', body: result({ content: [{ type: 'text', text: 'again' }] }) };

/** A server of the revision that has one of everything. */
export const server: readonly RefereeReply[] = [
  discovered,
  tools([TOOL]),
  called,
  { to: 'prompts/list', body: result({ prompts: [{ name: 'hello' }], ...hints }) },
  { to: 'prompts/get', body: result({ messages: [] }) },
  { to: 'resources/list', body: result({ resources: [{ uri: 'shop://terms', name: 'terms' }], ...hints }) },
  { to: 'resources/templates/list', body: result({ resourceTemplates: [], ...hints }) },
  { to: 'resources/read', body: result({ contents: [{ uri: 'shop://terms', text: 'Fair terms.' }], ...hints }) },
  {
    to: 'subscriptions/listen',
    type: 'text/event-stream',
    end: 'keep',
    body: 'data: {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":"{id}"}}}\n\n',
  },
];

/** A server of the handshake era that knows nothing newer. */
export const oldServer: readonly RefereeReply[] = [
  {
    to: 'initialize',
    body: { jsonrpc: '2.0', id: '{id}', result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } } },
  },
  { to: 'tools/list', body: { jsonrpc: '2.0', id: '{id}', result: { tools: [TOOL] } } },
  { to: 'tools/call', body: { jsonrpc: '2.0', id: '{id}', result: { content: [{ type: 'text', text: 'again' }] } } },
  { to: 'ping', body: { jsonrpc: '2.0', id: '{id}', result: {} } },
];

export const play = (referee: readonly RefereeReply[], expect: RefereeStep['expect'], more: Omit<RefereeStep, 'referee' | 'expect'> = {}): RefereeStep => ({
  ...more,
  referee,
  expect,
});
export const POSTS = 'requests[verb="POST"]';
export const none = (at: string): Assertion => ({ at, count: 0 });
export const noFallback: readonly Assertion[] = [none('requests[method="initialize"]'), none('requests[verb="GET"]'), none('requests[header.mcp-session-id]')];
export const fallsBack: RefereeStep['expect'] = [
  [
    { at: 'requests[method="initialize"]', present: true, level: 'should' },
    { at: 'requests[method="initialize"].body.params.protocolVersion', typeOf: 'string' },
  ],
];
/** Everything is refused like this, except that a handshake works. */
export const refusing = (reply: RefereeReply): readonly RefereeReply[] => [
  { ...reply, to: 'server/discover' },
  ...oldServer.slice(0, 1),
  { ...reply, to: 'tools/list', times: 1 },
  ...oldServer.slice(1),
];

export function annotated(name: string, property: Record<string, unknown>): Record<string, unknown> {
  return { name, description: 'Not to be shown.', inputSchema: { type: 'object', properties: { value: property } } };
}

/** Asks for a city once. */
export function asks(more: Record<string, unknown>): RefereeReply {
  const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
  return {
    to: 'tools/call',
    times: 1,
    body: {
      jsonrpc: '2.0',
      id: '{id}',
      result: {
        resultType: 'input_required',
        inputRequests: { city: { method: 'elicitation/create', params: { mode: 'form', message: 'Which city?', requestedSchema } } },
        ...more,
      },
    },
  };
}

/** A protected server with an authorization server at `/as` that names this issuer. */
export function authorization(issuer: string): readonly RefereeReply[] {
  const endpoints = {
    authorization_endpoint: '{base}/as/authorize',
    token_endpoint: '{base}/as/token',
    registration_endpoint: '{base}/as/register',
    code_challenge_methods_supported: ['S256'],
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
  };
  return [
    ...['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'].map((to) => ({
      to,
      body: { resource: '{base}/mcp', authorization_servers: ['{base}/as'] },
    })),
    ...['/.well-known/oauth-authorization-server/as', '/.well-known/openid-configuration/as', '/as/.well-known/openid-configuration'].map((to) => ({
      to,
      body: { issuer, ...endpoints },
    })),
    { to: '/as/register', status: 201, body: { client_id: 'referee-client', redirect_uris: ['http://localhost/callback'] } },
    { to: 'POST', status: 401, headers: { 'WWW-Authenticate': 'Bearer resource_metadata="{base}/.well-known/oauth-protected-resource"' } },
  ];
}
