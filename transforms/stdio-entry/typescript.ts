import { ts } from 'ts-morph';
import type { Detector } from '../../src/core/index.js';
import { instanceOrigin, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { canonical } from '../_mcp/canonical.js';
import { receiverOf, unwrapAwait } from '../_mcp/typescript/nodes.js';
import { serverSource } from '../_mcp/typescript/servers.js';
import { transportKind } from '../_mcp/typescript/sdk.js';
import { sessionCode } from '../_mcp/typescript/sessions.js';

/** Reports `server.connect(transport)` where the transport is the SDK's stdio server transport; clients and other transports are silent. */
export const typescript: Detector<'typescript', 'transport-connect'> = (file, report, around) => ({
  end() {
    for (const call of sessionCode(file).connects) {
      const transport = call.arguments[0];
      const receiver = receiverOf(call);
      if (transport === undefined || receiver === undefined || !isStdio(transport, file)) continue;
      const source = serverSource(receiver, file, (path) => around.has(path));
      // Built at module level, the server outlives the call even when this is the place that builds it.
      const shared = source.origin === 'shared' || (source.made !== undefined && ts.isNewExpression(source.made));
      const origin = source.origin === 'unknown' ? 'unknown' : shared ? 'shared' : 'fresh';
      const evidence = {
        fresh: 'a function builds the server',
        shared: 'one server object serves the process',
        unknown: 'where the server is built could not be followed',
      }[origin];
      report.finding('transport-connect', file.span(call), {
        group: 'stdio',
        evidence: [evidence],
        data: { server: receiver.getText(file.tree).replace(/\s+/g, ' ').slice(0, 60), origin },
      });
    }
  },
});

function isStdio(node: ts.Node, file: TypeScriptFile): boolean {
  const value = unwrapAwait(node);
  if (ts.isNewExpression(value)) return transportKind(value.expression, file)?.kind === 'stdio';
  return canonical(instanceOrigin(value, file))?.name === 'StdioServerTransport';
}
