import type { Check } from '../../../src/core/check.js';
import { HTTP, should } from '../phrases.js';
import { authorization, common, none, play } from './scripts.js';

/** Redirects and authorization: CK-C22 to CK-C25. */
export const clientAuthorization: readonly Check[] = [
  {
    ...common,
    id: 'CK-C22',
    title: 'Redirects of a POST are not followed',
    level: 'rfc',
    spec: HTTP,
    requirements: ['HTTP-20'],
    failure: 'Headers and credentials reach another origin.',
    steps: [307, 302].map((status) =>
      play(
        [
          { to: '/elsewhere', status: 200, body: {} },
          { to: 'POST', status, headers: { Location: '{other}/elsewhere' } },
        ],
        [[none('requests[path="/elsewhere"].header.authorization'), should(none('requests[path="/elsewhere"]'))]],
      ),
    ),
  },
  {
    ...common,
    id: 'CK-C23',
    title: 'Metadata of another issuer is not used',
    spec: 'basic/authorization/authorization-server-discovery#authorization-server-metadata-discovery',
    requirements: ['AUTH-02', 'AUTH-03'],
    failure: 'A client can be led to the wrong authorization server.',
    steps: [
      play(
        authorization('https://wrong.example/'),
        [[none('requests[path="/as/register"]'), none('requests[path="/as/token"]'), none('requests[path="/as/authorize"]')]],
        { given: 'requests[path="/.well-known/oauth-authorization-server/as"]' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C24',
    title: 'Credentials belong to one issuer, scopes add up',
    class: 'attest',
    spec: 'basic/authorization/client-registration#authorization-server-binding',
    requirements: ['AUTH-08', 'AUTH-09'],
    failure: 'Credentials of one issuer reach another.',
    steps: [],
  },
  {
    ...common,
    id: 'CK-C25',
    title: 'A registration states its application type',
    spec: 'basic/authorization/client-registration#application-type-and-redirect-uri-constraints',
    requirements: ['AUTH-05', 'AUTH-06', 'AUTH-07'],
    failure: 'The authorization server refuses local redirect addresses.',
    steps: [
      play(authorization('{base}/as'), [[{ at: 'requests[path="/as/register"]', has: 'body.application_type' }]], { given: 'requests[path="/as/register"]' }),
    ],
  },
];
