import type { Check } from '../../../src/core/check.js';
import { CAPABILITIES_KEY, CLIENT_INFO_KEY, code, noResult, refused4xx, rejects, serves, should, step, VERSION_KEY } from '../phrases.js';

const common = { era: 'modern', transport: 'http', class: 'quick', needs: ['modern'], level: 'must' } as const;
const SHARED = ['stateless', 'sessionful'] as const;
const OWN = ['none', 'separate'] as const;

/** Versions and `_meta`: CK-H18 to CK-H23. */
export const metadata: readonly Check[] = [
  {
    ...common,
    id: 'CK-H18',
    title: 'An unsupported version is refused with the supported ones, also by server/discover',
    spec: 'basic/versioning#protocol-version-negotiation',
    requirements: ['DISC-04', 'ERR-06', 'VER-01'],
    failure: 'A client of another revision cannot learn which one to speak.',
    steps: [
      step({ method: 'server/discover', keep: { versions: 'result.supportedVersions' } }, [[]]),
      step(
        { method: '{each}', meta: { [VERSION_KEY]: '1900-01-01' }, headers: { 'MCP-Protocol-Version': '1900-01-01' } },
        [
          [
            ...(rejects(400, -32022)[0] ?? []),
            { at: 'error.data.supported', typeOf: 'array' },
            { at: 'error.data.supported[*]', typeOf: 'string' },
            { at: 'error.data.supported[0]', present: true },
            { at: 'error.data.supported', within: '{kept.versions}', when: 'kept.versions' },
            { at: 'error.data.requested', is: '1900-01-01' },
          ],
        ],
        { each: 'harmless' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-H19',
    title: 'A handshake-era version in _meta is not served',
    spec: 'basic/versioning#protocol-version-negotiation',
    requirements: ['VER-05'],
    failure: 'A request that names a handshake revision in _meta is served as if it were modern.',
    steps: [
      step({ method: 'server/discover', meta: { [VERSION_KEY]: '{legacyRevision}' }, headers: { 'MCP-Protocol-Version': '{legacyRevision}' } }, [
        [
          { ...refused4xx, lanes: OWN },
          { ...should(refused4xx), lanes: SHARED },
          // Where an older lane shares the endpoint, a handshake version in _meta is undefined.
          { ...noResult, lanes: OWN },
          { ...should(noResult), lanes: SHARED },
          { ...code(-32022), lanes: OWN },
          { ...should(code(-32022)), lanes: SHARED },
          { at: 'error.data.requested', is: '{legacyRevision}', lanes: OWN },
        ],
      ]),
    ],
  },
  {
    ...common,
    id: 'CK-H20',
    title: 'A request without _meta is refused',
    spec: 'basic/index#meta',
    requirements: ['META-02'],
    failure: 'The server answers from something else than the request.',
    steps: [step({ method: '{each}', meta: 'none', params: {} }, rejects(400, -32602), { each: 'harmless' })],
  },
  {
    ...common,
    id: 'CK-H21',
    title: 'A request without a protocol version in _meta is refused',
    spec: 'basic/index#meta',
    requirements: ['META-02'],
    failure: 'A header repairs a missing body field.',
    steps: [step({ method: '{each}', meta: { [VERSION_KEY]: null } }, rejects(400, -32602), { each: 'harmless' })],
  },
  {
    ...common,
    id: 'CK-H22',
    title: 'A request without client capabilities in _meta is refused',
    spec: 'basic/index#meta',
    requirements: ['META-02', 'META-05'],
    failure: 'The server assumes capabilities that the request does not declare.',
    steps: [step({ method: '{each}', meta: { [CAPABILITIES_KEY]: null } }, rejects(400, -32602), { each: 'harmless' })],
  },
  {
    ...common,
    id: 'CK-H23',
    title: 'A request without clientInfo is served',
    spec: 'basic/index#meta',
    requirements: ['META-03'],
    failure: 'The server requires a field that is optional.',
    steps: [step({ method: '{each}', meta: { [CLIENT_INFO_KEY]: null } }, serves, { each: 'harmless' })],
  },
];
