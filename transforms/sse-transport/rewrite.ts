import { ts } from 'ts-morph';
import { type Endpoint, type FileChange, type Need, type Rewrite, type RewriteContext, type WorkItem, factsOf } from '../../src/core/index.js';
import type { TypeScriptFile } from '../../src/languages/typescript/index.js';
import { removalDate, sdkDependencies } from '../_mcp/typescript/emit/needs.js';
import { nodeAt } from '../_mcp/typescript/nodes.js';
import { streamEndpoint, taken } from './assess.js';
import { type Fence, type ModernPlan, modernEdits, modernImports, planModern } from './plan.js';

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
  const collision = taken(plan.path, item.package, context.facts, context.inventory);
  if (collision !== undefined) return { outcome: 'refuse', reason: collision };

  const fence = fenceOf(plan, stream === undefined ? undefined : streamEndpoint(stream, context.inventory), file);
  const changes: FileChange[] = [{ kind: 'edit', file: file.path, edits: modernEdits(plan, fence, removalDate(context), file, has) }];
  const needs: Need[] = [
    ...modernImports(plan, file),
    ...fence.needs,
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
    ],
  };
}

const EXPRESS_ADAPTER = '@modelcontextprotocol/express';

/** Checks of Host and Origin for the new path: on a loopback address the list is known, elsewhere only pages of this machine are let in until the team says more. */
function fenceOf(
  plan: ModernPlan,
  endpoint: Endpoint | undefined,
  file: TypeScriptFile,
): Fence & { readonly needs: readonly Need[]; readonly todo: readonly string[] } {
  const none = { lines: [], middleware: '', needs: [], todo: [] };
  if (plan.stream.app.sdk || (endpoint?.originPolicy.length ?? 0) > 0) return none;
  const from = (name: string): Need => ({ kind: 'import', file: file.path, module: EXPRESS_ADAPTER, name });
  const quoted = (text: string): string => file.quote + text + file.quote;
  if (endpoint?.exposure === 'loopback')
    return {
      ...none,
      middleware: 'localhostHostValidation(), localhostOriginValidation(), ',
      needs: [from('localhostHostValidation'), from('localhostOriginValidation')],
    };
  const what = `name the hosts of the web pages that may call ${plan.path}, and the hosts that it is served under (hostHeaderValidation from ${EXPRESS_ADAPTER}); until then pages of this machine only`;
  return {
    lines: [`// TODO(unsession) sse-transport/stream-route: ${what}`],
    middleware: `originValidation([${['localhost', '127.0.0.1', '[::1]'].map(quoted).join(', ')}]), `,
    needs: [from('originValidation')],
    todo: [what],
  };
}
