import type { Check } from '../../../src/core/check.js';
import { code, echoesId, handlerErr, HTTP, noResult, refused4xx, rejects, should, status, step, call } from '../phrases.js';

const common = { era: 'modern', transport: 'http', class: 'quick', needs: ['modern'], level: 'must' } as const;

/** Missing capabilities, unknown and removed methods, error codes: CK-H42 to CK-H48. */
export const errors: readonly Check[] = [
  {
    ...common,
    id: 'CK-H42',
    title: 'A missing client capability is an error that names it',
    spec: 'basic/index#meta',
    requirements: ['ERR-05', 'HTTP-23'],
    failure: 'A client cannot learn which capability a tool needs.',
    needs: ['modern', 'capability-tool'],
    steps: [
      step(call('capability'), [
        [
          ...(rejects(400, -32021)[0] ?? []),
          { at: 'error.data.requiredCapabilities', typeOf: 'object' },
          { at: 'error.data.requiredCapabilities[*]', typeOf: 'object' },
          { at: 'type', not: 'text/event-stream' },
        ],
      ]),
    ],
  },
  {
    ...common,
    id: 'CK-H43',
    title: 'A capability is not remembered from an earlier request',
    spec: 'basic/index#statelessness',
    requirements: ['META-05'],
    failure: 'Capabilities leak from one request into another.',
    needs: ['modern', 'capability-tool'],
    steps: [
      step(call('capability', { capabilities: '{capability.capability}', connection: 'one' }), [
        [status(200), { at: 'error.code', not: -32021 }],
        [status(200), { at: 'error', absent: true }],
      ]),
      step(call('capability', { connection: 'one' }), rejects(400, -32021)),
      step(call('capability'), rejects(400, -32021)),
    ],
  },
  {
    ...common,
    id: 'CK-H44',
    title: 'An unknown method is 404 with -32601',
    spec: `${HTTP}#protocol-version-header`,
    requirements: ['ERR-07'],
    failure: 'Clients, balancers and probes cannot tell an unknown method from success.',
    steps: [step({ method: 'unknown/method' }, rejects(404, -32601))],
  },
  {
    ...common,
    id: 'CK-H45',
    title: 'Removed methods are unknown',
    spec: 'changelog',
    requirements: ['REM-01'],
    failure: 'A method of the handshake era is still served to modern requests.',
    steps: [
      step({ method: '{each}' }, rejects(404, -32601), {
        each: ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe', 'tasks/result', 'tasks/list', 'roots/list'],
      }),
    ],
  },
  {
    ...common,
    id: 'CK-H46',
    title: 'A refused initialize tells the supported versions',
    level: 'should',
    spec: 'basic/versioning#backward-compatibility-with-initialization-based-versions',
    requirements: ['REM-02'],
    failure: 'An old client has no other way to learn the versions.',
    lanes: ['none', 'separate'],
    steps: [
      step({ method: 'initialize' }, [[...(rejects(404, -32601)[0] ?? []), { at: 'error', includes: '{revision}', level: 'should' }]]),
      step(
        {
          era: 'raw',
          headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
          body: '{"jsonrpc":"2.0","id":461,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"old","version":"1"}}}',
        },
        [
          [
            refused4xx,
            noResult,
            { at: 'error', typeOf: 'object' },
            { at: 'id', is: 461 },
            { at: 'error', includes: '{revision}', level: 'should' },
            should(status(400)),
          ],
        ],
      ),
    ],
  },
  {
    ...common,
    id: 'CK-H47',
    title: 'A missing resource is -32602',
    spec: 'server/resources#error-handling',
    requirements: ['RSRC-01', 'ERR-03'],
    failure: 'A missing resource is reported by a retired code or as an empty success.',
    needs: ['modern', 'resources'],
    steps: [
      step({ method: 'resources/read', params: { uri: 'test://does-not-exist' } }, [
        [...handlerErr(-32602), { at: 'error.data.uri', is: 'test://does-not-exist', level: 'should' }],
      ]),
    ],
  },
  {
    ...common,
    id: 'CK-H48',
    title: 'Unknown tools and prompts are errors, and error codes keep to the registry',
    spec: 'server/tools#error-handling',
    requirements: ['TOOL-03', 'ERR-01', 'ERR-02', 'ERR-03'],
    failure: 'An error is reported in a way that clients cannot read.',
    steps: [
      step(
        { method: 'tools/call', params: { name: 'no_such_tool', arguments: {} } },
        [handlerErr(-32602), [status(200), echoesId, { at: 'result.isError', is: true }, { at: 'error.code', is: -32602, level: 'should' }]],
        { when: ['capabilities.tools'] },
      ),
      step(
        { method: 'prompts/get', params: { name: 'no_such_prompt' } },
        [[{ at: 'error.code', typeOf: 'integer' }, echoesId, noResult, should(code(-32602))]],
        { when: ['capabilities.prompts'] },
      ),
      {
        observe: 'modern',
        expect: [
          [{ at: 'error', absent: true }],
          [{ at: 'sent.verb', not: 'POST' }],
          [{ at: 'status', oneOf: [405, 406, 413, 415, 421, 431], because: 'errors of HTTP itself' }],
          [
            { at: 'status', is: 404 },
            { at: 'message.jsonrpc', absent: true, because: 'a router answers for another path in its own words' },
          ],
          [
            { at: 'error.code', typeOf: 'integer', unlike: '^-320(02|42|2[3-9]|[3-9]\\d)$', because: 'reserved or retired' },
            { at: 'error.code', unlike: '^-320(0[013-9]|1\\d)$', because: 'the old implementation range has no meaning', level: 'should' },
            { at: 'error.message', typeOf: 'string' },
            { at: 'message.jsonrpc', is: '2.0' },
            { at: 'type', oneOf: ['application/json', 'text/event-stream'], level: 'should' },
          ],
        ],
      },
    ],
  },
];
