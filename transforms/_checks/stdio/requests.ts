import type { Check } from '../../../src/core/check.js';
import type { Assertion } from '../../../src/core/check-step.js';
import { CAPABILITIES_KEY, code, echoesId, noError, noResult, SERVER_INFO, should, STDIO, step, VERSION_KEY, call, resultLine } from '../phrases.js';

const common = { era: 'modern', transport: 'stdio', class: 'quick', needs: ['modern'], level: 'must' } as const;
const rejects = (rpc: number): readonly (readonly Assertion[])[] => [[code(rpc), echoesId, noResult]];
const complete: readonly Assertion[] = [...resultLine, { at: 'result.resultType', is: 'complete' }];

/** What a request over standard input must carry and gets back. */
export const requests: readonly Check[] = [
  {
    ...common,
    id: 'CK-S01',
    shares: 'modern',
    title: 'server/discover answers without a handshake',
    spec: 'server/discover#response',
    requirements: ['MSG-02', 'DISC-01', 'DISC-03'],
    failure: 'Clients of the modern revision cannot find out what the server supports.',
    steps: [
      step({ method: 'server/discover' }, [
        [
          ...complete,
          { at: 'messages[result]', count: 1, because: 'a request has one answer' },
          noError,
          { at: 'foreign', is: [] },
          { at: 'result.supportedVersions', typeOf: 'array' },
          { at: 'result.supportedVersions', includes: '{revision}' },
          { at: 'result.capabilities', typeOf: 'object' },
          { at: 'result.ttlMs', typeOf: 'integer', atLeast: 0 },
          { at: 'result.cacheScope', oneOf: ['public', 'private'] },
          { at: 'result.serverInfo', absent: true, because: 'identity lives in _meta', level: 'should' },
          { at: SERVER_INFO, typeOf: 'string', level: 'should' },
        ],
      ]),
      // An id is a number or a text.
      step({ method: 'server/discover', id: 'discover-01' }, [resultLine]),
    ],
  },
  {
    ...common,
    id: 'CK-S02',
    shares: 'modern',
    title: 'A request with incomplete _meta is refused',
    spec: 'basic/index#meta',
    requirements: ['META-02', 'STDIO-02'],
    failure: 'The server assumes capabilities that the request does not declare.',
    steps: [
      step(
        { method: '{each}', meta: { [CAPABILITIES_KEY]: null } },
        [[...(rejects(-32602)[0] ?? []), { at: 'error', includes: CAPABILITIES_KEY, level: 'should' }]],
        {
          each: 'harmless',
        },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-S03',
    shares: 'modern',
    title: 'An unsupported version is refused with the supported ones',
    spec: 'basic/versioning#protocol-version-negotiation',
    requirements: ['ERR-06', 'DISC-04', 'STATE-01'],
    failure: 'A client of another revision cannot learn which one to speak.',
    steps: [
      step(
        { method: '{each}', meta: { [VERSION_KEY]: '1900-01-01' } },
        [[...(rejects(-32022)[0] ?? []), { at: 'error.data.supported', includes: '{revision}' }, { at: 'error.data.requested', is: '1900-01-01' }]],
        { each: 'harmless' },
      ),
      // Every request is judged on its own, whatever the process served before. A process apart: others must not find it changed.
      step({ method: '{each}', connection: 'served' }, [[]], { each: 'harmless' }),
      step({ method: 'server/discover', connection: 'served', meta: { [VERSION_KEY]: '1900-01-01' } }, rejects(-32022)),
    ],
  },
  {
    ...common,
    id: 'CK-S04',
    shares: 'modern',
    title: 'Removed and unknown methods are unknown, and do not end the process',
    spec: 'changelog',
    requirements: ['REM-01', 'ERR-07'],
    failure: 'A method of the handshake era is still served, or the process does not survive an unknown one.',
    steps: [
      step({ method: '{each}' }, rejects(-32601), { each: ['ping', 'logging/setLevel', 'resources/subscribe', 'no/such'] }),
      step({ method: 'server/discover' }, [resultLine]),
    ],
  },
  {
    ...common,
    id: 'CK-S05',
    shares: 'modern',
    title: 'No handshake is needed',
    spec: 'basic/versioning#protocol-version-negotiation',
    requirements: ['VER-01'],
    failure: 'The first request is refused because no initialize came before.',
    steps: [
      step({ method: '{each}' }, [[...complete, { at: 'messages[result]', count: 1, because: 'a request has one answer' }]], { each: 'lists' }),
      // A list never asks for input, whatever the client could give.
      step({ method: '{each}', capabilities: '{everything}' }, [complete], { each: 'lists' }),
    ],
  },
  {
    ...common,
    id: 'CK-S06',
    title: 'A bare request without a handshake is refused',
    spec: 'basic/versioning#backward-compatibility-with-initialization-based-versions',
    requirements: ['VER-03', 'META-02'],
    failure: 'A request that names no revision is executed.',
    steps: [
      step(
        { era: 'legacy', method: 'tools/list', params: {} },
        [[noResult, { at: 'error.code', is: -32602, level: 'should' }, { at: 'error', typeOf: 'object' }, echoesId]],
        { lanes: ['none'] },
      ),
      step({ era: 'legacy', method: 'tools/list', params: {} }, [[should(noResult), should(code(-32602))]], { lanes: ['stateless', 'sessionful', 'separate'] }),
    ],
  },
  {
    ...common,
    id: 'CK-S09',
    shares: 'modern',
    title: 'Input is returned, never requested',
    spec: `${STDIO}#receiving-messages`,
    requirements: ['STDIO-03', 'MSG-01', 'CANC-03'],
    failure: 'The server writes a request of its own to stdout.',
    steps: [
      step(
        call('eliciting', { capabilities: '{everything}' }),
        [[echoesId, { at: 'asked', is: [] }, { at: 'result.resultType', is: 'input_required' }, { at: 'result.inputRequests[*].id', count: 0 }]],
        { when: ['eliciting'] },
      ),
      { observe: 'modern', expect: [[{ at: 'asked', is: [], because: 'a server never originates a request' }]] },
    ],
  },
  {
    ...common,
    id: 'CK-S13',
    shares: 'modern',
    title: 'Input that this request did not declare is never asked for, whatever an earlier one declared',
    spec: 'basic/index#statelessness',
    requirements: ['META-05', 'STDIO-05'],
    failure: 'The client is asked for what it cannot give: its capabilities are not looked at, or remembered from another request.',
    needs: ['modern', 'eliciting-tool'],
    steps: [
      step(call('eliciting', { capabilities: '{everything}' }), [[echoesId, { at: 'result.resultType', is: 'input_required' }]]),
      step(call('eliciting'), [
        [code(-32021), echoesId],
        [...resultLine, { at: 'result.inputRequests[*]', count: 0 }],
      ]),
    ],
  },
];
