import type { Check, CheckRequest } from '../../../src/core/check.js';
import { answered, code, echoesId, handlerErr, HTTP, noResult, refused4xx, rejects, SERVER_INFO, should, status, step } from '../phrases.js';

const common = { era: 'modern', transport: 'http', class: 'quick', needs: ['modern'], level: 'must' } as const;

/** A call of the header tool with this value of the annotated parameter and these header lines. */
const param = (value: unknown, headers: Record<string, string>): CheckRequest => ({
  method: 'tools/call',
  params: { name: '{header.name}', arguments: { '...': '{header.rest}', ...(value === undefined ? {} : { '{header.parameter.name}': value }) } },
  headers,
});
const integer = (value: unknown, header: string): CheckRequest => ({
  method: 'tools/call',
  params: { name: '{header.name}', arguments: { '...': '{header.rest}', '{header.integer.name}': value } },
  headers: { 'Mcp-Param-{header.integer.header}': header },
});
const own = (value: string): Record<string, string> => ({ 'Mcp-Param-{header.parameter.header}': value });
const call = (role: string, more: CheckRequest = {}): CheckRequest => ({
  method: 'tools/call',
  ...more,
  params: { name: `{${role}.name}`, arguments: `{${role}.args}`, ...(typeof more.params === 'object' ? more.params : {}) },
});

/** Parameter headers, capabilities, methods, errors, results: CK-H38 to CK-H53. */
export const calls: readonly Check[] = [
  {
    ...common,
    id: 'CK-H38',
    title: 'Mcp-Param-* must equal the argument',
    spec: `${HTTP}#server-behavior-for-custom-headers`,
    requirements: ['HDR-14', 'ENC-05'],
    failure: 'Gateways that route on a mirrored parameter can be deceived.',
    needs: ['modern', 'header-tool'],
    steps: [
      step(param('us-west1', own('us-west1')), [answered]),
      step(param('us-west1', own('eu-central1')), rejects(400, -32020)),
      step(integer(42, '42.0'), [[should(status(200))]], { when: ['header.integer'] }),
      step(integer(42, '0x2a'), rejects(400, -32020), { when: ['header.integer'] }),
    ],
  },
  {
    ...common,
    id: 'CK-H39',
    title: 'A mirrored argument needs its header, a missing one does not',
    spec: `${HTTP}#server-behavior-for-custom-headers`,
    requirements: ['HDR-14'],
    failure: 'The presence rule of mirrored parameters is wrong.',
    needs: ['modern', 'header-tool'],
    steps: [
      step(param('us-west1', {}), rejects(400, -32020)),
      step(param(null, {}), [[{ at: 'error.code', not: -32020 }], [{ at: 'error', absent: true }]]),
      step(param(undefined, {}), [[{ at: 'error.code', not: -32020 }], [{ at: 'error', absent: true }]]),
    ],
  },
  {
    ...common,
    id: 'CK-H40',
    title: 'An encoded parameter header is decoded, a half-marked one is a literal',
    spec: `${HTTP}#value-encoding`,
    requirements: ['ENC-03'],
    failure: 'Arguments outside ASCII cannot be mirrored.',
    needs: ['modern', 'header-tool'],
    steps: [
      step(param('Hello, 世界', own('=?base64?SGVsbG8sIOS4lueVjA==?=')), [answered]),
      step(param('=?base64?SGVsbG8=', own('=?base64?SGVsbG8=')), [answered]),
    ],
  },
  {
    ...common,
    id: 'CK-H41',
    title: 'A malformed parameter header is refused',
    spec: `${HTTP}#value-encoding`,
    requirements: ['ENC-03', 'HDR-14'],
    failure: 'A lenient decoder lets two readers disagree about one value.',
    needs: ['modern', 'header-tool'],
    steps: [step(param('Hello', own('=?base64?SGVsbG8?=')), rejects(400, -32020)), step(param('Hello', own('=?base64?SGVs!!!bG8=?=')), rejects(400, -32020))],
  },
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
            { at: 'error.code', typeOf: 'integer', unlike: '^-320(02|42|2[3-9]|[3-9]\\d)$', because: 'reserved or retired' },
            { at: 'error.code', unlike: '^-320(0[013-9]|1\\d)$', because: 'the old implementation range has no meaning', level: 'should' },
            { at: 'error.message', typeOf: 'string' },
          ],
        ],
      },
    ],
  },
  {
    ...common,
    id: 'CK-H49',
    title: 'Progress travels on the stream of its request',
    spec: 'basic/patterns/progress#progress-flow',
    requirements: ['HTTP-10', 'HTTP-12', 'HTTP-14', 'PROG-01', 'PROG-02', 'PROG-03'],
    failure: 'Progress is lost, misplaced or unordered.',
    needs: ['modern', 'progress-tool'],
    steps: [
      step(call('progress', { meta: { progressToken: 'pt-49' } }), [
        [
          ...answered,
          { at: 'type', is: 'text/event-stream' },
          { at: 'header.x-accel-buffering', is: 'no', level: 'should' },
          { at: 'messages[method="notifications/progress"]', present: true },
          { at: 'messages[method="notifications/progress"].params.progressToken', is: 'pt-49' },
          { at: 'messages[method="notifications/progress"].params.progress', increasing: true },
          { at: 'messages[method="notifications/progress"].params._meta["io.modelcontextprotocol/subscriptionId"]', count: 0 },
          { at: 'last.id', is: '{id}', because: 'nothing follows the response' },
          { at: 'ended', is: true, level: 'should' },
          { at: 'events[id]', count: 0, level: 'should' },
          { at: 'retries', is: [], level: 'should' },
        ],
      ]),
      step(call('progress'), [[echoesId, { at: 'messages[method="notifications/progress"]', count: 0 }]]),
    ],
  },
  {
    ...common,
    id: 'CK-H50',
    title: 'Input is returned, never requested',
    spec: 'basic/patterns/mrtr#inputrequiredresult',
    requirements: ['MSG-01', 'HTTP-11', 'MRTR-02', 'CACHE-03'],
    failure: 'The server tries to ask the client by a request of its own, which never arrives.',
    needs: ['modern'],
    steps: [
      step(
        call('eliciting', { capabilities: '{everything}' }),
        [
          [
            ...answered,
            { at: 'result.resultType', is: 'input_required' },
            { at: 'result.inputRequests[*]', present: true },
            { at: 'result.inputRequests[*].method', oneOf: ['elicitation/create', 'sampling/createMessage', 'roots/list'] },
            { at: 'result.inputRequests[*].id', count: 0 },
            { at: 'result.inputRequests[*].jsonrpc', count: 0 },
            { at: 'asked', is: [] },
            { at: 'result.ttlMs', absent: true },
            { at: 'result.cacheScope', absent: true },
          ],
        ],
        { when: ['eliciting'] },
      ),
      { observe: 'modern', expect: [[{ at: 'asked', is: [], because: 'a server never originates a request' }]] },
    ],
  },
  {
    ...common,
    id: 'CK-H51',
    title: 'Every result carries resultType, and the lists are served',
    spec: 'basic/index#resulttype',
    requirements: ['RT-01', 'SI-01'],
    failure: 'Clients cannot tell a complete result from an interim one.',
    steps: [
      step({ method: '{each}' }, [[...answered, { at: 'result.resultType', is: 'complete' }, { at: SERVER_INFO, typeOf: 'string', level: 'should' }]], {
        each: 'lists',
      }),
      step(call('tool'), [[...answered, { at: 'result.resultType', typeOf: 'string' }, { at: SERVER_INFO, typeOf: 'string', level: 'should' }]], {
        when: ['tool'],
      }),
      {
        observe: 'modern',
        expect: [
          [{ at: 'result', absent: true }],
          [{ at: 'result.resultType', typeOf: 'string' }],
          [{ at: 'sent.headers.MCP-Protocol-Version', not: '{revision}' }],
        ],
      },
    ],
  },
  {
    ...common,
    id: 'CK-H52',
    title: 'Cacheable results carry ttlMs and cacheScope',
    spec: 'server/utilities/caching#cacheable-results',
    requirements: ['CACHE-01', 'CACHE-02', 'CACHE-07'],
    failure: 'Clients cannot decide how long a list is valid and for whom.',
    steps: [
      step({ method: 'server/discover' }, [
        [
          { at: 'result.ttlMs', typeOf: 'integer', atLeast: 0 },
          { at: 'result.cacheScope', oneOf: ['public', 'private'] },
        ],
      ]),
      step(
        { method: '{each}' },
        [
          [
            { at: 'result.ttlMs', typeOf: 'integer', atLeast: 0 },
            { at: 'result.cacheScope', oneOf: ['public', 'private'] },
          ],
        ],
        { each: 'lists' },
      ),
      step(
        { method: 'resources/read', params: { uri: '{resource}' } },
        [
          [
            { at: 'result.ttlMs', typeOf: 'integer', atLeast: 0 },
            { at: 'result.cacheScope', oneOf: ['public', 'private'] },
          ],
          [{ at: 'result', absent: true }],
        ],
        { when: ['resource'] },
      ),
      { probe: 'pages', each: 'lists', with: { method: '{each}' } },
    ],
  },
  {
    ...common,
    id: 'CK-H53',
    title: 'Lists do not depend on order, connection, instance or earlier calls',
    spec: 'server/tools#capabilities',
    requirements: ['TOOL-01', 'TOOL-02', 'STATE-01'],
    failure: 'Two clients, or one client twice, see different lists, or requests at the same time disturb each other.',
    needs: ['modern', 'tools'],
    alone: true,
    steps: [
      step({ method: 'tools/list', keep: { names: 'result.tools[*].name' } }, [answered]),
      step({ method: 'tools/list', connection: 'other' }, [[...answered, { at: 'result.tools[*].name', sameList: '{kept.names}' }]]),
      step({ method: 'tools/list', parallel: 8 }, [[...answered, { at: 'result.tools[*].name', sameList: '{kept.names}' }]]),
      step(call('tool', { parallel: 4 }), [answered], { when: ['tool'] }),
      step({ method: 'tools/list', connection: 'other' }, [[...answered, { at: 'result.tools[*].name', sameList: '{kept.names}' }]], { when: ['tool'] }),
      step({ method: 'tools/list', to: 'replica' }, [[...answered, { at: 'result.tools[*].name', sameList: '{kept.names}' }]], { when: ['replica'] }),
    ],
  },
];
