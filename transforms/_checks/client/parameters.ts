import type { Check } from '../../../src/core/check.js';
import { HTTP } from '../phrases.js';
import { TOOL, annotated, common, failure, none, play, server, tools } from './scripts.js';

/** Arguments that a client mirrors into headers: CK-C11 to CK-C13. */
export const clientParameters: readonly Check[] = [
  {
    ...common,
    id: 'CK-C11',
    title: 'Annotated arguments are mirrored, encoded where needed',
    spec: `${HTTP}#custom-headers-from-tool-parameters`,
    requirements: ['ENC-02', 'HDR-12'],
    failure: 'Servers that validate the headers refuse the call.',
    steps: [
      play(
        [tools([{ ...TOOL, inputSchema: { type: 'object', properties: { text: { type: 'string', 'x-mcp-header': 'Text' } } } }]), ...server],
        [
          [
            { at: 'requests[method="tools/call"]', agree: ['decoded.mcp-param-text', 'body.params.arguments.text'] },
            { at: 'requests[method="tools/call"].header.mcp-param-text', matches: '^[\\x20-\\x7e]*$' },
          ],
        ],
        { given: 'requests[method="tools/call"].body.params.arguments.text' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C12',
    title: 'Tools with an illegal annotation are dropped, the others stay',
    spec: `${HTTP}#schema-extension`,
    requirements: ['HDR-11', 'HDR-13'],
    failure: 'One bad tool spoils the list, or a header is built from a bad name.',
    steps: [
      play(
        [
          tools([
            TOOL,
            ...['', 'My Region', 'Region:Primary', 'Région'].map((header, index) =>
              annotated(`bad-tool-${String(index)}`, { type: 'string', 'x-mcp-header': header }),
            ),
            annotated('bad-tool-number', { type: 'number', 'x-mcp-header': 'Weight' }),
            annotated('bad-tool-object', { type: 'object', 'x-mcp-header': 'Place' }),
          ]),
          ...server,
        ],
        [[{ at: 'stdout', unlike: 'bad-tool' }]],
        { given: 'requests[method="tools/list"]', printed: 'echo' },
      ),
    ],
  },
  {
    ...common,
    id: 'CK-C13',
    title: 'After a header mismatch the tool list is read again, and the call repeated once',
    spec: `${HTTP}#client-behavior`,
    requirements: ['HDR-15'],
    failure: 'A changed annotation breaks the tool for this client.',
    level: 'should',
    steps: [
      play(
        [{ to: 'tools/call', times: 1, status: 400, body: failure(-32020) }, ...server],
        [
          [
            { at: 'requests[method="tools/call"]', count: 2, level: 'should' },
            none('requests[method="initialize"]'),
            { at: 'requests[method="tools/call"].id', distinct: true },
          ],
        ],
        { given: 'requests[method="tools/call"]' },
      ),
    ],
  },
];
