import { ts } from 'ts-morph';
import type { FactSource } from '../../../../src/core/index.js';
import { constantOf } from '../../../../src/languages/typescript/index.js';
import { ancestor } from '../nodes.js';
import { readOptions } from '../options.js';
import { clientTransport, sdkName } from '../sdk.js';
import { sessionCode } from '../sessions.js';
import { within } from './servers.js';

/** `client`: client objects and transports, hand-made handshakes, session ids kept from an answer. */
export const clients: FactSource = {
  id: 'clients',
  literals: { strong: ['@modelcontextprotocol/', 'mcp-session-id'], weak: ['initialize'] },
  detect: {
    typescript: (file, report) => {
      const handshakes = file.text.includes('initialize');
      return {
        NewExpression(node) {
          const transport = clientTransport(node.expression, file);
          const inCatch = ancestor(node, ts.isCatchClause) !== undefined;
          if (transport !== undefined)
            report.fact({
              type: 'client',
              site: file.site(node),
              ...within(node, file),
              what: transport === 'SSEClientTransport' && inCatch ? 'fallback' : 'transport',
            });
          else if (sdkName(node.expression, file) === 'Client') report.fact({ type: 'client', site: file.site(node), ...within(node, file), what: 'sdk' });
        },
        ObjectLiteralExpression(node) {
          if (!handshakes) return;
          const { values } = readOptions(node, file);
          const method = values.get('method');
          if (values.has('jsonrpc') && method !== undefined && constantOf(method, file) === 'initialize')
            report.fact({ type: 'client', site: file.site(node), ...within(node, file), what: 'handshake' });
        },
        end() {
          for (const read of sessionCode(file).headerReads) {
            if (read.fromResponse) report.fact({ type: 'client', site: file.site(read.node), ...within(read.node, file), what: 'session-id' });
          }
        },
      };
    },
  },
};
