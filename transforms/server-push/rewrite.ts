import { ts } from 'ts-morph';
import { type FileChange, type Finding, type Need, type Rewrite, type RewriteContext, type TextEdit, type WorkItem, factsOf } from '../../src/core/index.js';
import { nodeAt } from '../_mcp/typescript/nodes.js';
import { IN_PYTHON, REDIRECTED, jsonModeOf, stepsFor } from './assess.js';
import { rewritePython } from './py/rewrite.js';
import { throughRequest } from './through-request.js';

/** Sends progress and log messages of handlers through the context of their request. All other pushes are left to a person. */
export function rewrite(item: WorkItem, context: RewriteContext): Rewrite {
  if (item.group.endsWith(IN_PYTHON)) return rewritePython(item, context);
  const own = new Set(item.findings);
  const findings = context.findings.filter((finding) => own.has(finding.fingerprint));
  const nothing: Rewrite = { outcome: 'rewrite', changes: [], needs: [], todo: [...item.todo], notes: [] };
  if (!REDIRECTED.has(item.group) || jsonModeOf(item, context.inventory) !== undefined) return nothing;
  const old = factsOf(context.facts, 'sdk-import').find((fact) => fact.sdk === 1 && item.files.includes(fact.site.file) && fact.form !== 'string');
  if (old !== undefined)
    return { outcome: 'refuse', reason: { why: 'this code still uses SDK v1', next: 'Run the SDK milestone first: --milestone sdk.', sites: [old.site] } };

  const edits = new Map<string, Map<string, TextEdit>>();
  const needs: Need[] = [];
  const left: Finding[] = [];
  for (const finding of findings) {
    const file = finding.data.context === true ? context.file('typescript', finding.site.file) : undefined;
    const node = file === undefined ? undefined : nodeAt(file, finding.site.span);
    const redirected = file !== undefined && node !== undefined && ts.isCallExpression(node) ? throughRequest(node, file) : undefined;
    if (redirected === undefined) {
      left.push(finding);
      continue;
    }
    const known = edits.get(finding.site.file) ?? new Map<string, TextEdit>();
    // Several messages of one handler add its parameter once.
    for (const edit of redirected.edits) known.set(`${String(edit.start)}:${String(edit.end)}:${edit.text}`, edit);
    edits.set(finding.site.file, known);
    needs.push(...redirected.needs);
  }
  if (edits.size === 0) return nothing;
  const changes: FileChange[] = [...edits].map(([file, list]) => ({ kind: 'edit', file, edits: [...list.values()] }));
  const todo = left.length > 0 ? stepsFor(item.group, left) : [];
  const what = item.group === 'progress' ? 'Progress of handlers goes' : 'Log messages of handlers go';
  const notes = [`${what} out on the stream of their request, for clients of earlier revisions too.`];
  return { outcome: todo.length > 0 ? 'scaffold' : 'rewrite', changes, needs, todo, notes };
}
