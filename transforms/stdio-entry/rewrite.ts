import { ts } from 'ts-morph';
import { type FileChange, type Finding, type Need, type Rewrite, type RewriteContext, type TextEdit, type WorkItem, factsOf } from '../../src/core/index.js';
import { sdkDependencies } from '../_mcp/typescript/emit/needs.js';
import { nodeAt } from '../_mcp/typescript/nodes.js';
import { obstacleOf } from './assess.js';
import { planEntry } from './entry/plan.js';
import { methodName } from './stdout.js';

/** Hands a factory to `serveStdio` in place of each connection. The precondition is proved by the plan of the place and by the facts of all files. */
export function rewrite(item: WorkItem, context: RewriteContext): Rewrite {
  const fingerprints = new Set(item.findings);
  const findings = context.findings.filter((finding) => fingerprints.has(finding.fingerprint));
  const refuse = (why: string, next: string, sites: WorkItem['sites']): Rewrite => ({ outcome: 'refuse', reason: { why, next, sites } });
  const old = factsOf(context.facts, 'sdk-import').find((fact) => fact.sdk === 1 && item.files.includes(fact.site.file) && fact.form !== 'string');
  if (old !== undefined) return refuse('this code still uses SDK v1', 'Run the SDK milestone first: --milestone sdk.', [old.site]);
  if (findings.length > 0 && findings.every(({ id }) => id.endsWith('/stdout-log'))) return logToStderr(findings, context);
  const changes: FileChange[] = [];
  const needs: Need[] = [];
  const todo: string[] = [];
  const notes = new Set<string>();
  for (const path of new Set(findings.map(({ site }) => site.file))) {
    const file = context.file('typescript', path);
    if (file === undefined) continue;
    const edits: TextEdit[] = [];
    const own = findings.filter(({ site }) => site.file === path);
    for (const [index, finding] of own.entries()) {
      const obstacle = obstacleOf(finding, context.facts);
      if (obstacle !== undefined) return refuse(obstacle.why, obstacle.next, [finding.site]);
      const call = nodeAt(file, finding.site.span);
      if (call === undefined || !ts.isCallExpression(call)) continue;
      const plan = planEntry(call, file, (other) => context.exists(other), index === 0 ? '' : String(index + 1));
      if (!plan.ok) return { outcome: 'refuse', reason: plan.reason };
      if (plan.edits.some((edit) => edits.some((other) => edit.start < other.end && other.start < edit.end)))
        return refuse('one server is connected at several places of this file', 'Connect it at one place, or give each place a server of its own.', [
          finding.site,
        ]);
      edits.push(...plan.edits);
      needs.push(...plan.imports);
      todo.push(...plan.todo);
      for (const note of plan.notes) notes.add(note);
    }
    changes.push({ kind: 'edit', file: path, edits });
  }
  if (changes.length === 0) return { outcome: 'rewrite', changes: [], needs: [], todo: item.todo, notes: [] };
  needs.push(...sdkDependencies(context, item.package, ['@modelcontextprotocol/server']));
  return { outcome: todo.length > 0 ? 'scaffold' : 'rewrite', changes, needs, todo: [...new Set(todo)], notes: [...notes] };
}

/** `console.log` becomes `console.error`: the same text, on the stream that is not the protocol's. */
function logToStderr(findings: readonly Finding[], context: RewriteContext): Rewrite {
  const changes = [...new Set(findings.map(({ site }) => site.file))].flatMap((path): readonly FileChange[] => {
    const file = context.file('typescript', path);
    if (file === undefined) return [];
    const edits = findings.flatMap(({ site }): readonly TextEdit[] => {
      const call = site.file === path ? nodeAt(file, site.span) : undefined;
      const name = call !== undefined && ts.isCallExpression(call) ? methodName(call) : undefined;
      return name === undefined ? [] : [{ start: name.getStart(file.tree), end: name.end, text: 'error' }];
    });
    return [{ kind: 'edit', file: path, edits }];
  });
  return { outcome: 'rewrite', changes, needs: [], todo: [], notes: ['Logs go to stderr: nothing but messages of the protocol is written to stdout.'] };
}
