import type { Check } from '../../../src/core/check.js';
import type { Expectation } from '../../../src/core/check-step.js';
import { answered, HTTP, noResult, status, step } from '../phrases.js';

const common = { era: 'modern', transport: 'http', class: 'quick', needs: ['modern'], level: 'must' } as const;

/** Authorization and CORS: CK-H61 and CK-H62. */
export const protection: readonly Check[] = [
  {
    ...common,
    id: 'CK-H61',
    title: 'Every request is authorized on its own',
    spec: 'basic/authorization/index#token-requirements',
    requirements: ['AUTH-01', 'AUTH-09', 'AUTH-11', 'AUTH-12'],
    failure: 'A request without a valid token is served, or a client cannot find out how to get one.',
    needs: ['protected'],
    steps: [
      step({ to: '{protectedResource}', era: 'raw', verb: 'GET', headers: { Authorization: null }, keep: { metadata: 'message.authorization_servers' } }, [[]]),
      step({ method: 'server/discover', connection: 'one' }, [answered], { when: ['token'] }),
      step({ method: 'server/discover', connection: 'one', headers: { Authorization: null } }, [
        [
          status(401),
          noResult,
          { at: 'header.www-authenticate', matches: '^Bearer', when: '!kept.metadata' },
          { at: 'header.www-authenticate', matches: 'resource_metadata=', level: 'should', when: '!kept.metadata' },
        ],
      ]),
      step({ method: 'server/discover', headers: { Authorization: 'Bearer invalid' } }, [[status(401), noResult]]),
      step(
        { to: '{protectedResource}', era: 'raw', verb: 'GET', headers: { Authorization: null } },
        [[status(200), { at: 'message.resource', typeOf: 'string' }, { at: 'message.authorization_servers[0]', typeOf: 'string' }]],
        { when: ['kept.metadata'] },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-H62',
    title: 'The CORS preflight admits the headers of the revision',
    level: 'local',
    spec: `${HTTP}#server-behavior-for-custom-headers`,
    requirements: ['HTTP-22'],
    failure: 'Browser clients cannot send the headers that the revision demands.',
    steps: [
      step(
        {
          era: 'raw',
          verb: 'OPTIONS',
          headers: {
            Origin: '{origin}',
            'Access-Control-Request-Method': 'POST',
            'Access-Control-Request-Headers': 'content-type,mcp-protocol-version,mcp-method,mcp-name',
          },
        },
        preflight(true),
        { when: ['origin'] },
      ),
      step(
        {
          era: 'raw',
          verb: 'OPTIONS',
          headers: {
            Origin: '{ownOrigin}',
            'Access-Control-Request-Method': 'POST',
            'Access-Control-Request-Headers': 'content-type,mcp-protocol-version,mcp-method,mcp-name',
          },
        },
        preflight(false),
        { when: ['!origin'] },
      ),
    ],
  },
];

/** With a stated origin browsers are meant to work; without one a refusal is as good. */
function preflight(stated: boolean): Expectation {
  const admits = [
    { at: 'status', atLeast: 200, below: 300, level: 'should' },
    { at: 'header.access-control-allow-headers', matches: 'mcp-protocol-version', level: 'should' },
    { at: 'header.access-control-allow-headers', matches: 'mcp-method', level: 'should' },
    { at: 'header.access-control-allow-headers', matches: 'mcp-name', level: 'should' },
    { at: 'header.access-control-expose-headers', unlike: 'mcp-session-id', level: 'should', lanes: ['none', 'separate', 'stateless'] },
  ] as const;
  return stated
    ? [admits]
    : [
        admits,
        [{ at: 'status', oneOf: [400, 401, 403, 404, 405, 501] }],
        [
          { at: 'status', present: true },
          { at: 'header.access-control-allow-origin', absent: true },
        ],
      ];
}
