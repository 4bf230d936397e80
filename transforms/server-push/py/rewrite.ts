import { factsOf, type FileChange, type Finding, type Need, type Rewrite, type RewriteContext, type TextEdit, type WorkItem } from '../../../src/core/index.js';
import type { PyNode, PythonFile } from '../../../src/languages/python/index.js';
import { nodesOf } from '../../_mcp/python/nodes.js';
import { besideOf } from './beside.js';
import { questionOf } from './resolve.js';

/** What a question over several rounds asks of the deployment. Source: `RequestStateSecurity` of SDK 2.3. */
const SEALED =
  'What a tool remembers between two rounds is sealed with a key of this process: with more than one instance pass `request_state_security=RequestStateSecurity(keys=[…])` and the same server name everywhere.';

/** Writes what is proved at the places of an item: the modern notification beside the old one, the question as a parameter of its tool. */
export function rewritePython(item: WorkItem, context: RewriteContext): Rewrite {
  const own = new Set(item.findings);
  const findings = context.findings.filter((finding) => own.has(finding.fingerprint) && finding.data['proved'] === true);
  const nothing: Rewrite = { outcome: 'rewrite', changes: [], needs: [], todo: [...item.todo], notes: [] };
  if (findings.length === 0) return nothing;
  const old = factsOf(context.facts, 'sdk-import').find((fact) => fact.sdk === 1 && fact.form !== 'string' && item.files.includes(fact.site.file));
  if (old !== undefined)
    return { outcome: 'refuse', reason: { why: 'this code still uses SDK v1', next: 'Run the SDK milestone first: --milestone sdk.', sites: [old.site] } };
  const edits = new Map<string, TextEdit[]>();
  const needs: Need[] = [];
  for (const finding of findings) {
    const path = finding.site.file;
    const file = context.file('python', path);
    const call = file && callAt(file, finding);
    if (!file || !call) continue;
    const beside = besideOf(call, file)?.edit;
    const question = beside ? undefined : questionOf(call, file);
    const found = beside ? [beside] : (question?.edits ?? []);
    if (found.length === 0) continue;
    edits.set(path, [...(edits.get(path) ?? []), ...found]);
    if (!question) continue;
    for (const name of question.names) needs.push({ kind: 'import', file: path, module: 'mcp.server.mcpserver', name });
    needs.push({ kind: 'import', file: path, module: 'typing', name: 'Annotated' });
  }
  if (edits.size === 0) return nothing;
  const notes = needs.length > 0 ? [SEALED] : [];
  const changes: FileChange[] = [...edits].map(([file, list]) => ({ kind: 'edit', file, edits: list.sort((a, b) => a.start - b.start) }));
  return { outcome: item.todo.length > 0 ? 'scaffold' : 'rewrite', changes, needs, todo: [...item.todo], notes };
}

const callAt = (file: PythonFile, finding: Finding): PyNode | undefined =>
  nodesOf(file, 'call').find((call) => call.start === finding.site.span.start && call.end === finding.site.span.end);
