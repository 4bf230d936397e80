import { ts } from 'ts-morph';
import { type FileChange, type Need, type Rewrite, type RewriteContext, type WorkItem, factsOf } from '../../src/core/index.js';
import { removalDate, sdkDependencies } from '../_mcp/typescript/emit/needs.js';
import { mergeInsertions } from '../_mcp/typescript/emit/edits.js';
import { announceRoutes } from '../_hosts/entry/removal.js';
import { nodeAt } from '../_mcp/typescript/nodes.js';
import { takenBy } from '../_mcp/collision.js';
import { besidePathChecks, namedElsewhere, settledBy } from '../_hosts/beside/elsewhere.js';
import { errorAnswers } from '../_hosts/express/errors.js';
import { EXPRESS_ADAPTER, fenceOf, newRouteImports } from '../_hosts/express/beside.js';
import { streamEndpoint } from './assess.js';
import { modernEdits, oldRoutes, planModern } from './plan.js';

/** Adds the modern endpoint beside the streams. The routes of HTTP+SSE stay byte for byte, marked as the legacy lane. */
export function rewrite(item: WorkItem, context: RewriteContext): Rewrite {
  const own = new Set(item.findings);
  const findings = context.findings.filter((finding) => own.has(finding.fingerprint));
  const refuse = (why: string, next: string, sites = item.sites.slice(0, 5)): Rewrite => ({ outcome: 'refuse', reason: { why, next, sites } });
  const nothing: Rewrite = { outcome: 'rewrite', changes: [], needs: [], todo: [...item.todo], notes: [] };
  const old = factsOf(context.facts, 'sdk-import').find((fact) => fact.sdk === 1 && item.files.includes(fact.site.file) && fact.form !== 'string');
  if (old !== undefined) return refuse('this code still uses SDK v1', 'Run the SDK milestone first: --milestone sdk.', [old.site]);
  if (item.remedy !== 'automatic') return nothing;
  const has = (path: string): boolean => context.exists(path);
  const stream = findings.find(({ id }) => id === 'sse-transport/stream-route');
  const file = stream === undefined ? undefined : context.file('typescript', stream.site.file);
  const made = stream === undefined || file === undefined ? undefined : nodeAt(file, stream.site.span);
  if (file === undefined || made === undefined || !ts.isNewExpression(made)) return nothing;
  const plan = planModern(made, file, has);
  if (!plan.ok) return { outcome: 'refuse', reason: plan.reason };
  const collision = takenBy(plan.path, item.package, context.facts, context.inventory);
  if (collision !== undefined) return { outcome: 'refuse', reason: collision };

  const endpoint = stream === undefined ? undefined : streamEndpoint(stream, context.inventory);
  const named = namedElsewhere({ old: plan.old, fresh: plan.path }, 'express', [file], [settledBy(plan.stream.call, file)], context);
  if (named.length > 0) return { outcome: 'refuse', reason: besidePathChecks(plan.path, named) };
  const fence = fenceOf(plan.stream, endpoint, plan.path, 'sse-transport/stream-route', file);
  // Who asked for no legacy lane gets none on the new path; the streams stay until they are retired.
  const only = endpoint !== undefined && context.lane(endpoint.id)?.asked === 'none';
  const errors = errorAnswers({ file, routes: [plan.stream] }, context, plan.written);
  const announced = announceRoutes(oldRoutes(plan, file, has), file, context);
  const edits = mergeInsertions([...modernEdits(plan, fence, errors.lines, only, removalDate(context), file, has), ...announced.edits]);
  const changes: FileChange[] = [{ kind: 'edit', file: file.path, edits }];
  const needs: Need[] = [
    ...newRouteImports(plan.server, file),
    ...fence.needs,
    ...errors.needs,
    ...announced.needs,
    ...sdkDependencies(context, item.package, [
      '@modelcontextprotocol/server',
      '@modelcontextprotocol/node',
      ...(fence.needs.length > 0 ? [EXPRESS_ADAPTER] : []),
    ]),
  ];
  return {
    outcome: 'rewrite',
    changes,
    needs,
    todo: fence.todo,
    notes: [
      `${plan.path} is new: tell clients of it. Clients of HTTP+SSE keep their URLs.`,
      'The routes of HTTP+SSE run on the frozen package `@modelcontextprotocol/server-legacy` until they go.',
      ...plan.server.notes,
      ...(errors.lines.length > 0 ? ['Malformed bodies and failures on the new path are answered as JSON-RPC errors.'] : []),
    ],
  };
}
