import { ts } from 'ts-morph';
import type { Detector } from '../../src/core/index.js';
import { constantOf, moduleRequests, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { calledMember, receiverOf } from '../_mcp/typescript/nodes.js';
import { transportKind, transportValue } from '../_mcp/typescript/sdk.js';
import { sessionCode } from '../_mcp/typescript/sessions.js';

/** Does the file name the SDK's class, as a value or as a type? */
const namesTransport = (file: TypeScriptFile): boolean => moduleRequests(file).some((request) => request.names.includes('SSEServerTransport'));

/** Reports constructions of the SDK's HTTP+SSE server transport and the routes that feed it. The client class is not meant. */
export const typescript: Detector<'typescript', 'stream-route' | 'message-route'> = (file, report) => ({
  NewExpression(node) {
    if (transportKind(node.expression, file)?.kind !== 'sse') return;
    const first = node.arguments?.[0];
    const path = first === undefined ? undefined : constantOf(first, file);
    report.finding('stream-route', file.span(node), {
      group: 'http-sse',
      evidence: ['`SSEServerTransport` of the SDK is constructed'],
      data: { path: typeof path === 'string' ? path : 'a path that is no literal', deprecated: 'http-sse' },
    });
  },
  CallExpression(node) {
    if (calledMember(node) !== 'handlePostMessage') return;
    const receiver = receiverOf(node);
    // The method is also a common name: without the SDK's class in the file it is somebody else's.
    if (receiver === undefined || !sessionCode(file).dispatches.includes(node) || !namesTransport(file)) return;
    report.finding('message-route', file.span(node), {
      group: 'http-sse',
      certainty: transportValue(receiver, file) === undefined ? 'likely' : 'certain',
      evidence: [`${receiver.getText(file.tree)} takes a message of a stream that is open already`],
      data: { call: ts.isIdentifier(receiver) ? `${receiver.text}.handlePostMessage` : 'handlePostMessage', deprecated: 'http-sse' },
    });
  },
});
