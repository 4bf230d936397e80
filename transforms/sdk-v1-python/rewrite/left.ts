import type { Finding, MessageData } from '../../../src/core/index.js';

/** Kinds of findings whose cure is a choice: a marker stays, with what is to be decided. Of kinds that are rewritten, what a test expects. */
const LEFT: Readonly<Record<string, (data: MessageData) => string | undefined>> = {
  'session-subclass': (data) =>
    `\`${String(data['name'] ?? 'the base class')}\` has other hooks in SDK 2.x: use a middleware of the server, or wrap the session.`,
  'http-error': (data) =>
    `\`${String(data['name'] ?? 'this exception')}\` no longer comes from the SDK: catch \`MCPError\` at the call, and the classes of \`httpx2\` for the connection.`,
  'version-constant': (data) =>
    `\`${String(data['name'] ?? 'this constant')}\` speaks of both eras now; use the one for handshakes where a handshake is meant.`,
  'redeclared-field': () => 'The field has another name in SDK 2.x: declare that one.',
  'changed-behaviour': (data) => `${String(data['form'] ?? 'This')} ${String(data['detail'] ?? 'changes')}. ${String(data['advice'] ?? '')}`,
  'timeout-value': (data) =>
    data['expected'] === true ? `\`${String(data['form'])}\` is what SDK 1.x was given: the limit is a number of seconds now, so expect that.` : undefined,
  'client-transport': (data) =>
    data['expected'] === true ? 'The transport gives two streams now; the third value, which told the session id, is gone: expect two.' : undefined,
  'server-method': () => 'The answer is a result object now: read its fields.',
};

/** What the marker of a finding says; `undefined` where none is left. */
export const leftText = ({ id, impact, data }: Finding): string | undefined => (impact === 'none' ? undefined : LEFT[id.slice(id.indexOf('/') + 1)]?.(data));
