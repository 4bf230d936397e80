import type { FileChange, Finding, Need, Rewrite, RewriteContext, WorkItem } from '../../src/core/index.js';
import { moduleRequests, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { markerEdits, type Placed } from '../_mcp/typescript/markers.js';

const CONCERN = 'session-state';

/** The skeleton that guided items are given, and how it is recognised when an earlier item or run wrote it. */
const HANDLES = { template: 'state-handles', stem: 'state-handles', start: '// Handles of application state, written by unsession' } as const;

const kindOf = (finding: Finding): string => finding.id.slice(finding.id.indexOf('/') + 1);

/** Kinds whose values get a handle. */
const HELD: ReadonlySet<string> = new Set(['keyed-store', 'weak-store', 'live-resource']);

/** What the marker of each guided kind asks for. `{module}` is the skeleton. */
const ASKS: Readonly<Record<string, string>> = {
  'keyed-store':
    'give each entry a handle (StateHandles of {module}): the tool that begins the work mints it for the authenticated principal, later tools take it as an argument.',
  'weak-store': 'key it by a handle (StateHandles of {module}) that the caller brings back: a modern server object lives for one request.',
  'live-resource': 'give it a handle (StateHandles of {module}) with an owner and an end; its second argument closes what ends.',
  'telemetry-label': 'label modern requests by request id, trace or principal; the session id is absent there.',
  'required-in-schema': 'make the field optional and log refused events before the switch.',
};

/**
 * A start for people: a marker at the declaration, and for state a class that mints, binds and ends handles. Who owns an entry, how long it
 * lives and which tools pass it on is not in the code, so no use is changed.
 */
export function rewrite(item: WorkItem, context: RewriteContext): Rewrite {
  const own = new Set(item.findings);
  const findings = context.findings.filter((finding) => own.has(finding.fingerprint) && ASKS[kindOf(finding)] !== undefined && finding.role !== 'test');
  const changes: FileChange[] = [];
  const needs: Need[] = [];
  for (const path of [...new Set(findings.map((finding) => finding.site.file))].sort()) {
    const file = context.file('typescript', path);
    if (!file) continue;
    const here = findings.filter((finding) => finding.site.file === path);
    const skeleton = here.some((finding) => HELD.has(kindOf(finding))) ? skeletonFor(file, context) : undefined;
    const module = skeleton === undefined ? '' : `./${skeleton.path.slice(skeleton.path.lastIndexOf('/') + 1)}`;
    // One marker of a kind in a file says it; fifty of them hide the code.
    const placed = [
      ...new Map([...here].reverse().map((finding) => [HELD.has(kindOf(finding)) ? finding.fingerprint : kindOf(finding), finding])).values(),
    ].map((finding): Placed => ({ kind: kindOf(finding), text: (ASKS[kindOf(finding)] ?? '').replace('{module}', module), offset: finding.site.span.start }));
    const edits = markerEdits(file, CONCERN, placed);
    if (edits.length === 0) continue;
    changes.push({ kind: 'edit', file: path, edits });
    if (skeleton?.need) needs.push(skeleton.need);
  }
  return { outcome: 'scaffold', changes, needs, todo: item.todo, notes: [] };
}

/** The skeleton beside a file: the one that is there, or a need for it. */
function skeletonFor(file: TypeScriptFile, context: RewriteContext): { readonly path: string; readonly need?: Need } {
  const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1);
  const ending = `${/\.([cm]?[jt])sx?$/.exec(file.path)?.[1] ?? 't'}s`;
  for (let index = 1; ; index++) {
    const path = `${folder}${HANDLES.stem}${index === 1 ? '' : `-${String(index)}`}.${ending}`;
    if (context.text(path)?.startsWith(HANDLES.start) === true) return { path };
    if (context.exists(path)) continue;
    const commonjs =
      file.isJavaScript &&
      !file.path.endsWith('.mjs') &&
      (file.path.endsWith('.cjs') || moduleRequests(file).every(({ form }) => form !== 'import' && form !== 'reexport'));
    return { path, need: { kind: 'shim', template: HANDLES.template, path, model: { typescript: !file.isJavaScript, commonjs } } };
  }
}
