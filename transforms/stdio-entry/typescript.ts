import { ts } from 'ts-morph';
import { type Detector, type MessageData, keyOf } from '../../src/core/index.js';
import { eachNode, enclosingFunction, instanceOrigin, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { canonical } from '../_mcp/canonical.js';
import { entryOf } from '../_mcp/typescript/eras.js';
import { calledMember, receiverOf, unwrapAwait } from '../_mcp/typescript/nodes.js';
import { transportKind } from '../_mcp/typescript/sdk.js';
import { sessionCode } from '../_mcp/typescript/sessions.js';
import { takenMethod } from '../_mcp/typescript/taken.js';
import { stop } from './entry/model.js';
import { excludes } from './entry/movable.js';
import { planEntry } from './entry/plan.js';
import { stdoutLogs } from './stdout.js';

/**
 * Reports `server.connect(transport)` where the transport is the SDK's stdio server transport; clients and other transports are silent.
 * Also logs that go to stdout in a file that serves stdio.
 * What the file proves for the rewrite travels with the finding:
 * - `why`, `next`: what stands in the way;
 * - `todo`: what a person has to decide after the rewrite;
 * - `builder`, `exported`: what only the other files can prove.
 */
export const typescript: Detector<'typescript', 'stdout-log' | 'transport-connect'> = (file, report, around) => ({
  end() {
    const connects = stdioConnects(file);
    for (const call of connects) {
      const receiver = receiverOf(call);
      if (receiver === undefined) continue;
      const rival = connects.find(
        (other) => other !== call && enclosingFunction(other) === enclosingFunction(call) && !excludes(call, other) && !excludes(other, call),
      );
      const plan =
        rival === undefined
          ? planEntry(call, file, (path) => around.has(path))
          : stop('two servers read one standard input', 'Give each server a process of its own, or register everything on one server.', file, rival);
      const server = receiver.getText(file.tree).replace(/\s+/g, ' ').slice(0, 60);
      const proof: MessageData = plan.ok
        ? {
            ...(plan.todo[0] === undefined ? {} : { todo: plan.todo[0] }),
            ...(plan.builder === undefined ? {} : { builder: keyOf(plan.builder), ...(plan.member === undefined ? {} : { member: plan.member }) }),
            ...(plan.exported === undefined ? {} : { exported: keyOf(plan.exported) }),
          }
        : { why: plan.reason.why, next: plan.reason.next };
      report.finding('transport-connect', file.span(call), {
        group: `stdio ${file.path}`,
        // Whoever installed v2 believes to serve the new revision: the entry decides, not the package.
        ...(onV2(call, file) ? { impact: 'breaks' as const } : {}),
        evidence: [
          ...(onV2(call, file) ? ['SDK v2 is in use, and this entry does not serve 2026-07-28'] : []),
          plan.ok ? 'the construction of the server can become a function' : plan.reason.why,
        ],
        ...(plan.ok ? {} : { related: plan.reason.sites }),
        data: { server, ...proof },
      });
    }
    const taken = takenConnects(file);
    for (const { call, receiver } of taken) {
      report.finding('transport-connect', file.span(call), {
        group: `stdio ${file.path}`,
        ...(onV2(call, file) ? { impact: 'breaks' as const } : {}),
        evidence: ['`connect` was taken off the server before it is called'],
        data: {
          server: receiver.getText(file.tree).replace(/\s+/g, ' ').slice(0, 60),
          why: '`connect` is called by a name of its own, so the server it belongs to cannot be moved into a function',
          next: 'Write `server.connect(transport)` on the server itself, then run the migration again.',
        },
      });
    }
    if (connects.length + taken.length > 0 || servesStdio(file))
      for (const call of stdoutLogs(file))
        report.finding('stdout-log', file.span(call), { group: `stdout ${file.path}`, data: { method: calledMember(call) ?? 'log' } });
  },
});

const servesStdio = (file: TypeScriptFile): boolean => {
  let found = false;
  eachNode(file.tree, (node) => {
    if (ts.isCallExpression(node) && entryOf(node, file)?.serves === 'stdio') found = true;
  });
  return found;
};

/** Does the transport come from the packages of SDK v2? */
function onV2(call: ts.CallExpression, file: TypeScriptFile): boolean {
  const transport = call.arguments[0];
  return transport !== undefined && canonical(instanceOrigin(unwrapAwait(transport), file))?.sdk === 2;
}

/** Connections of servers to stdio, in source order. */
function stdioConnects(file: TypeScriptFile): readonly ts.CallExpression[] {
  return sessionCode(file).connects.filter((call) => {
    const transport = call.arguments[0];
    return transport !== undefined && receiverOf(call) !== undefined && isStdio(transport, file);
  });
}

/** `const { connect } = server`, or a bound copy of it, called with the stdio transport. */
function takenConnects(file: TypeScriptFile): readonly { readonly call: ts.CallExpression; readonly receiver: ts.Node }[] {
  const found: { readonly call: ts.CallExpression; readonly receiver: ts.Node }[] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node) || node.arguments[0] === undefined || receiverOf(node) !== undefined) return;
    const taken = takenMethod(node, file);
    if (taken?.method === 'connect' && canonical(instanceOrigin(taken.receiver, file)) !== undefined && isStdio(node.arguments[0], file))
      found.push({ call: node, receiver: taken.receiver });
  });
  return found;
}

function isStdio(node: ts.Node, file: TypeScriptFile): boolean {
  const value = unwrapAwait(node);
  if (ts.isNewExpression(value)) return transportKind(value.expression, file)?.kind === 'stdio';
  return canonical(instanceOrigin(value, file))?.name === 'StdioServerTransport';
}
