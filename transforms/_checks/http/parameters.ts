import type { Check } from '../../../src/core/check.js';
import type { CheckRequest } from '../../../src/core/check-step.js';
import { answered, HTTP, rejects, should, status, step } from '../phrases.js';

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

/** Parameters that are mirrored into headers: CK-H38 to CK-H41. */
export const parameters: readonly Check[] = [
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
];
