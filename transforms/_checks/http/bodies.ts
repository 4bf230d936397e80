import type { Check } from '../../../src/core/check.js';
import { code, HTTP, namelessId, noResult, refused4xx, should, status, step } from '../phrases.js';

const common = { era: 'modern', transport: 'http', class: 'quick', needs: ['modern'] } as const;

/** Media types, bodies that are no single request, notifications: CK-H11 to CK-H17. */
export const bodies: readonly Check[] = [
  {
    ...common,
    id: 'CK-H11',
    title: 'A client that accepts only JSON gets no stream',
    level: 'local',
    spec: `${HTTP}#sending-messages`,
    requirements: ['HTTP-04', 'HTTP-05'],
    failure: 'The server sends a media type that the client did not accept.',
    steps: [
      step(
        { method: '{each}', headers: { Accept: 'application/json' } },
        [
          [status(200), { at: 'type', is: 'application/json', level: 'should' }, { at: 'result', typeOf: 'object' }],
          [refused4xx, noResult, should(status(406))],
        ],
        { each: 'harmless' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-H12',
    title: 'A subscription without an accepted stream type is refused',
    level: 'local',
    spec: `${HTTP}#sending-messages`,
    requirements: ['HTTP-05'],
    failure: 'subscriptions/listen is streamed to a client that accepts only JSON.',
    needs: ['modern', 'subscriptions'],
    steps: [
      step({ method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } }, headers: { Accept: 'application/json' }, readFor: 500 }, [
        [should(status(406)), { at: 'result', absent: true, level: 'should' }],
      ]),
    ],
  },
  {
    ...common,
    id: 'CK-H13',
    title: 'An unparsable body is refused cleanly',
    level: 'must',
    spec: 'basic/index#error-responses',
    requirements: ['MSG-03', 'HTTP-06'],
    failure: 'The server does not survive or does not refuse broken input.',
    steps: [
      step({ method: 'tools/list', body: '{"jsonrpc":"2.0",' }, [
        // The specification fixes no status for this row; 400 is what clients and the reference servers know.
        [
          refused4xx,
          should(status(400)),
          code(-32700),
          namelessId,
          noResult,
          { at: 'body', unlike: '\\bat .+\\(?(/|file:|node:)[^\\s]*:\\d+', because: 'no stack trace' },
        ],
        [
          refused4xx,
          should(status(400)),
          { at: 'error', absent: true },
          noResult,
          { at: 'body', unlike: '\\bat .+\\(?(/|file:|node:)[^\\s]*:\\d+', because: 'no stack trace' },
        ],
      ]),
      step({ method: 'tools/list', body: '[', fill: 200_000 }, [[refused4xx, noResult]]),
      step({ method: 'server/discover', headers: { 'Content-Type': 'text/plain' } }, [[should(refused4xx), should(noResult)]]),
    ],
  },
  {
    ...common,
    id: 'CK-H14',
    title: 'A batch is refused',
    level: 'must',
    spec: `${HTTP}#sending-messages`,
    requirements: ['MSG-05', 'HTTP-02'],
    failure: 'JSON-RPC batches are gone since 2025-06-18.',
    steps: [
      step(
        {
          method: 'tools/list',
          body: '[{"jsonrpc":"2.0","id":14,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}]',
        },
        [[refused4xx, noResult, should(status(400)), should(code(-32600))]],
      ),
    ],
  },
  {
    ...common,
    id: 'CK-H15',
    title: 'A posted response is refused',
    level: 'must',
    spec: `${HTTP}#sending-messages`,
    requirements: ['HTTP-02'],
    failure: 'The server still takes answers to requests of its own.',
    steps: [
      step({ body: '{"jsonrpc":"2.0","id":15,"result":{}}' }, [
        [{ at: 'status', not: 202 }, refused4xx, { ...should(status(400)), lanes: ['none', 'separate', 'stateless'] }],
      ]),
    ],
  },
  {
    ...common,
    id: 'CK-H16',
    title: 'A notification is answered 202 without a body, or refused',
    level: 'must',
    spec: `${HTTP}#sending-messages`,
    requirements: ['HTTP-07', 'HTTP-09', 'MSG-04'],
    failure: 'Notifications get an answer of their own.',
    steps: [
      step({ method: 'notifications/cancelled', notification: true, params: { requestId: 1 } }, [
        [status(202), { at: 'body', is: '' }],
        [refused4xx, { at: 'id', oneOf: [null] }],
        [refused4xx, { at: 'id', absent: true }],
      ]),
    ],
  },
  {
    ...common,
    id: 'CK-H17',
    title: 'An unknown notification is accepted silently or refused without an id',
    level: 'must',
    spec: `${HTTP}#sending-messages`,
    requirements: ['HTTP-08', 'MSG-04'],
    failure: 'Notifications get an answer of their own.',
    steps: [
      step({ method: 'notifications/unknown', notification: true, headers: { 'Mcp-Method': null } }, [
        [status(202), { at: 'body', is: '' }],
        [refused4xx, { at: 'id', absent: true }],
        [refused4xx, { at: 'id', oneOf: [null] }],
      ]),
    ],
  },
];
