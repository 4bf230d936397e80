import { ts } from 'ts-morph';
import { type Endpoint, type Rewrite, type RewriteContext, type WorkItem, factsOf } from '../../src/core/index.js';
import type { TypeScriptFile } from '../../src/languages/typescript/index.js';
import { removalDate, sdkDependencies } from '../_mcp/typescript/emit/needs.js';
import { mergeInsertions } from '../_mcp/typescript/emit/edits.js';
import { announceRoutes } from '../_hosts/entry/removal.js';
import { nodeAt } from '../_mcp/typescript/nodes.js';
import { takenBy } from '../_mcp/collision.js';
import { besidePathChecks, namedElsewhere, settledBy } from '../_hosts/beside/elsewhere.js';
import { errorAnswers } from '../_hosts/express/errors.js';
import { EXPRESS_ADAPTER, fenceOf, newRouteImports } from '../_hosts/express/beside.js';
import { streamEndpoint } from './assess.js';
import { type Written, planHandlers, settledRoutes, writeBeside } from './handlers.js';
import { type ModernPlan, modernEdits, oldRoutes, planModern } from './plan.js';

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
  const endpoint = stream === undefined ? undefined : streamEndpoint(stream, context.inventory);
  // Who asked for no legacy lane gets none on the new path; the streams stay until they are retired.
  const only = endpoint !== undefined && context.lane(endpoint.id)?.asked === 'none';
  const plan = planHandlers(made, file, has) ?? planModern(made, file, has);
  if (!plan.ok) return { outcome: 'refuse', reason: plan.reason };
  const collision = takenBy(plan.path, item.package, context.facts, context.inventory);
  if (collision !== undefined) return { outcome: 'refuse', reason: collision };
  const settled = 'host' in plan ? settledRoutes(plan, file) : [settledBy(plan.stream.call, file)];
  const named = namedElsewhere({ old: plan.old, fresh: plan.path }, 'host' in plan ? plan.host : 'express', [file], settled, context);
  if (named.length > 0) return { outcome: 'refuse', reason: besidePathChecks(plan.path, named) };
  const written = 'host' in plan ? endpoint && writeBeside(plan, endpoint, only, file, context) : expressRoute(plan, endpoint, only, item, file, context);
  if (written === undefined) return refuse('the endpoint of the stream is not known', 'Add the modern route by hand.');
  return {
    outcome: 'rewrite',
    changes: written.changes,
    needs: written.needs,
    todo: written.todo,
    notes: [
      `${plan.path} is new: tell clients of it. Clients of HTTP+SSE keep their URLs.`,
      'The routes of HTTP+SSE run on the frozen package `@modelcontextprotocol/server-legacy` until they go.',
      ...written.notes,
    ],
  };
}

/** The new route of Express. */
function expressRoute(plan: ModernPlan, endpoint: Endpoint | undefined, only: boolean, item: WorkItem, file: TypeScriptFile, context: RewriteContext): Written {
  const has = (path: string): boolean => context.exists(path);
  const fence = fenceOf(plan.stream, endpoint, plan.path, 'sse-transport/stream-route', file);
  const errors = errorAnswers({ file, routes: [plan.stream] }, context, plan.written);
  const announced = announceRoutes(oldRoutes(plan, file, has), file, context);
  const edits = mergeInsertions([...modernEdits(plan, fence, errors.lines, only, removalDate(context), file, has), ...announced.edits]);
  return {
    changes: [{ kind: 'edit', file: file.path, edits }],
    needs: [
      ...newRouteImports(plan.server, file),
      ...fence.needs,
      ...errors.needs,
      ...announced.needs,
      ...sdkDependencies(context, item.package, [
        '@modelcontextprotocol/server',
        '@modelcontextprotocol/node',
        ...(fence.needs.length > 0 ? [EXPRESS_ADAPTER] : []),
      ]),
    ],
    todo: fence.todo,
    notes: [...plan.server.notes, ...(errors.lines.length > 0 ? ['Malformed bodies and failures on the new path are answered as JSON-RPC errors.'] : [])],
  };
}
