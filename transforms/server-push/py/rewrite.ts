import { factsOf, type FileChange, type Finding, type Need, type Rewrite, type RewriteContext, type TextEdit, type WorkItem } from '../../../src/core/index.js';
import type { PyNode, PythonFile } from '../../../src/languages/python/index.js';
import { nodesOf } from '../../_mcp/python/nodes.js';
import { besideOf } from './beside.js';
import { questionOf } from './resolve.js';

/** What a question over several rounds asks of the deployment. Source: `RequestStateSecurity` of SDK 2.3. */
const SEALED =
  'What a tool remembers between two rounds is sealed with a key of this process: with more than one instance pass `request_state_security=RequestStateSecurity(keys=[…])` and the same server name everywhere.';

/** A resolver looks at what the client declared before it asks. Source: `_require_capability` of SDK 2.3. */
const DEMANDED =
  'A client that did not declare what the question needs (elicitation, sampling, roots) is answered with -32021 before the tool runs, on both eras; it was asked all the same before.';
const ONE_PROCESS = 'The bus reaches the listeners of this process: with more than one instance put one in its place that all of them share.';

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
  let asked = false;
  for (const finding of findings) {
    const path = finding.site.file;
    const file = context.file('python', path);
    const call = file && callAt(file, finding);
    if (!file || !call) continue;
    const written = besideOf(call, file) ?? questionOf(call, file);
    if (!written || written.edits.length === 0) continue;
    // Several notifications of one file give its server a bus once.
    const list = edits.get(path) ?? [];
    edits.set(path, [...list, ...written.edits.filter((edit) => !list.some((each) => each.start === edit.start && each.text === edit.text))]);
    for (const { module, name } of written.names) needs.push({ kind: 'import', file: path, module, name });
    asked ||= !('state' in written);
  }
  if (edits.size === 0) return nothing;
  const notes = [
    ...(asked ? [SEALED, DEMANDED] : []),
    ...(needs.some((need) => need.kind === 'import' && need.name === 'InMemorySubscriptionBus') ? [ONE_PROCESS] : []),
  ];
  const changes: FileChange[] = [...edits].map(([file, list]) => ({ kind: 'edit', file, edits: list.sort((a, b) => a.start - b.start) }));
  return { outcome: item.todo.length > 0 ? 'scaffold' : 'rewrite', changes, needs, todo: [...item.todo], notes };
}

const callAt = (file: PythonFile, finding: Finding): PyNode | undefined =>
  nodesOf(file, 'call').find((call) => call.start === finding.site.span.start && call.end === finding.site.span.end);
