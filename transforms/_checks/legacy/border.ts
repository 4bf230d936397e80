import type { Check } from '../../../src/core/check.js';
import { code, HTTP, noResult, noSession, refused4xx, rejects, should, status, step, VERSION_KEY } from '../phrases.js';

const common = { era: 'legacy', transport: 'http', class: 'quick', needs: ['legacy'], level: 'must' } as const;
const REDIRECTS = [301, 302, 303, 307, 308];

/** Neither era reaches into the other. */
export const border: readonly Check[] = [
  {
    ...common,
    id: 'CK-L02',
    title: 'The modern route issues no session while the legacy lane is open',
    spec: `${HTTP}#earlier-streamable-http-revisions`,
    requirements: ['HTTP-16'],
    failure: 'Modern requests fall into the session path.',
    needs: ['modern', 'legacy'],
    steps: [
      step({ method: 'server/discover' }, [[noSession]]),
      step({ method: 'tools/list' }, [[noSession]]),
      step({ method: 'server/discover', headers: { 'MCP-Protocol-Version': null } }, [[noSession]]),
      step({ method: 'server/discover', headers: { 'MCP-Protocol-Version': '{legacyRevision}' } }, [[noSession]]),
    ],
  },
  {
    ...common,
    era: 'both',
    id: 'CK-L07',
    title: 'A request without version header and without _meta is not served',
    spec: `${HTTP}#protocol-version-header`,
    requirements: ['HDR-03'],
    failure: 'A request that names no revision is executed.',
    needs: ['modern'],
    steps: [
      step(
        { era: 'legacy', method: 'tools/list', headers: { 'MCP-Protocol-Version': null } },
        [
          [
            status(400),
            { at: 'error', typeOf: 'object', lanes: ['none', 'separate'] },
            { at: 'error', typeOf: 'object', lanes: ['sessionful'], level: 'should' },
            noResult,
          ],
        ],
        {
          lanes: ['none', 'separate', 'sessionful'],
        },
      ),
      step({ era: 'legacy', method: 'tools/list', headers: { 'MCP-Protocol-Version': null } }, [[should(refused4xx), should(noResult)]], {
        lanes: ['stateless'],
      }),
    ],
  },
  {
    ...common,
    era: 'both',
    id: 'CK-L08',
    title: 'No redirect leads from old routes to new ones',
    level: 'rfc',
    spec: HTTP,
    requirements: ['HTTP-20'],
    failure: 'A redirect of a POST can drop its body or leak its headers.',
    needs: [],
    steps: [
      step({ era: 'legacy', to: '{each}', method: 'ping' }, [[{ at: 'status', noneOf: REDIRECTS }], [{ at: 'silent', is: true }]], {
        each: 'addresses',
      }),
      step(
        { era: 'legacy', to: '{each}', verb: 'GET', headers: { Accept: 'text/event-stream' }, headersOnly: true },
        [[{ at: 'status', noneOf: REDIRECTS }], [{ at: 'silent', is: true }]],
        { each: 'addresses' },
      ),
    ],
  },
  {
    ...common,
    era: 'both',
    id: 'CK-L10',
    title: 'A bare initialize under the modern version header is refused',
    spec: 'basic/versioning#backward-compatibility-with-initialization-based-versions',
    requirements: ['VER-03'],
    failure: 'A handshake is executed although the header names the modern revision.',
    needs: ['modern'],
    steps: [
      step(
        {
          era: 'raw',
          headers: {
            'Content-Type': 'application/json',
            Accept: 'application/json, text/event-stream',
            'MCP-Protocol-Version': '{revision}',
            'Mcp-Method': 'initialize',
          },
          body: '{"jsonrpc":"2.0","id":10,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}',
        },
        [[{ at: 'result', absent: true }, status(400), should(code(-32602, -32020, -32022))]],
      ),
    ],
  },
  {
    ...common,
    era: 'both',
    id: 'CK-L12',
    title: 'A modern body under a legacy header is never executed',
    spec: `${HTTP}#server-validation`,
    requirements: ['HDR-02', 'VER-03'],
    failure: 'The era is decided by the header alone.',
    needs: ['modern', 'legacy'],
    steps: [
      step({ method: 'tools/list', headers: { 'MCP-Protocol-Version': '{legacyRevision}' } }, rejects(400, -32020)),
      step({ method: 'tools/list', to: 'legacy', headers: { 'MCP-Protocol-Version': '{legacyRevision}' } }, [[should(noResult), should(refused4xx)]], {
        lanes: ['separate'],
      }),
    ],
  },
  {
    ...common,
    era: 'modern',
    id: 'CK-L13',
    title: 'One list of versions',
    level: 'should',
    spec: 'server/discover#response',
    requirements: ['DISC-06'],
    failure: 'Discovery and the version error name different versions.',
    needs: ['modern'],
    steps: [
      step({ method: 'server/discover', keep: { versions: 'result.supportedVersions' } }, [[]]),
      step(
        { method: 'server/discover', meta: { [VERSION_KEY]: '1900-01-01' }, headers: { 'MCP-Protocol-Version': '1900-01-01' } },
        [[{ at: 'error.data.supported', sameSet: '{kept.versions}', level: 'should' }]],
        { when: ['kept.versions'] },
      ),
    ],
  },
];
