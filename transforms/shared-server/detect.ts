import { ts } from 'ts-morph';
import type { Detector, MessageData } from '../../src/core/index.js';
import { type TypeScriptFile, enclosingFunction, originOf } from '../../src/languages/typescript/index.js';
import { isFunctionNode, isModuleLevel, receiverOf, unwrap } from '../_mcp/typescript/nodes.js';
import { isHttpTransport, sdkName, transportValue } from '../_mcp/typescript/sdk.js';
import { type ServerSource, serverSource } from '../_mcp/typescript/servers.js';
import { returned } from '../_mcp/typescript/ids.js';
import { sessionCode } from '../_mcp/typescript/sessions.js';

export type Kinds = 'shared-server' | 'shared-factory';

/** Servers of the process that are connected per request, or returned by the factory of an entry. */
export const detectTypeScript: Detector<'typescript', Kinds> = (file, report, around) => {
  const has = (path: string): boolean => around.has(path);
  return {
    CallExpression(call) {
      const name = sdkName(unwrap(call.expression), file);
      if (name !== 'createMcpHandler' && name !== 'serveStdio') return;
      const factory = call.arguments[0] === undefined ? undefined : unwrap(call.arguments[0]);
      if (factory === undefined || !isFunctionNode(factory)) return;
      for (const value of returned(factory)) {
        const server = unwrap(value);
        // One connection is all that stdio has; what clashes there is a second factory run.
        if (!ts.isIdentifier(server) || name === 'serveStdio') continue;
        const source = serverSource(server, file, has);
        if (source.origin !== 'shared') continue;
        report.finding('shared-factory', file.span(server), { ...declaredAt(source, file), data: dataOf(server.text, source, file) });
      }
    },
    end() {
      for (const call of sessionCode(file).connects) {
        const receiver = receiverOf(call);
        const transport = call.arguments[0];
        if (receiver === undefined || transport === undefined) continue;
        const kind = transportValue(transport, file);
        if (kind !== undefined && !isHttpTransport(kind)) continue;
        const source = serverSource(receiver, file, has);
        const perRequest = enclosingFunction(call) !== undefined;
        const shared = source.origin === 'shared' || (!perRequest && kind !== undefined && source.origin === 'fresh');
        if (!shared) continue;
        // A field of an object that is itself built per session is not shared.
        if (source.variable === undefined && source.made === undefined) continue;
        report.finding('shared-server', file.span(call), {
          ...declaredAt(source, file),
          certainty: perRequest ? 'certain' : 'likely',
          evidence: [
            perRequest
              ? 'The server exists outside of the function that connects it, and the function runs for each request or session.'
              : 'Server and transport are made once, when the process starts.',
          ],
          data: dataOf(file.textOf(receiver), source, file),
        });
      }
    },
  };
};

function declaredAt(source: ServerSource, file: TypeScriptFile): { readonly related?: readonly ReturnType<TypeScriptFile['site']>[] } {
  const node = source.variable?.node;
  return node === undefined ? {} : { related: [file.site(node, 'the server')] };
}

/** What can be said, and done, about the place where the server is built. */
function dataOf(server: string, source: ServerSource, file: TypeScriptFile): MessageData {
  const made = source.made;
  const local = source.variable !== undefined && source.variable.kind !== 'import';
  if (made !== undefined && ts.isCallExpression(made) && local && isModuleLevel(source.variable.node)) {
    const constant = made.arguments.length === 0;
    return {
      server,
      advice: `Call \`${file.textOf(made)}\` for each request instead.`,
      ...(constant && source.member === undefined && !source.awaited ? { call: file.textOf(made) } : {}),
    };
  }
  if (source.variable?.kind === 'import') {
    const module = originOf(source.variable.identifiers[0] ?? source.variable.node, file)?.module ?? 'its module';
    return { server, advice: `Turn the export of \`${module}\` into a function that builds a new server, first; then call it for each request.` };
  }
  return { server, advice: 'Move construction and registrations into a function, first; then call it for each request.' };
}
