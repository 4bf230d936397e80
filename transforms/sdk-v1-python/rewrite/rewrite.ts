import { applyEdits, type FileChange, type Need, type Rewrite, type RewriteContext, siteOf, type WorkItem } from '../../../src/core/index.js';
import type { PythonFile } from '../../../src/languages/python/index.js';
import { SHARED } from '../judge.js';
import { leftText } from './left.js';
import { packagingNeeds } from './manifests.js';
import { markerEdits } from './markers.js';
import { migrateFiles } from './migrate.js';
import type { Mark, Project } from './pass.js';

/** Wire changes that SDK 2.x brings by itself, measured between 1.28 and 2.3 with one server on both. */
const WIRE_NOTES: readonly string[] = [
  'A server on SDK 2.x answers requests of 2026-07-28 beside those of older clients from its first start on, over HTTP and stdio: nothing switches that on or off.',
  'An exception in a tool that is no `ToolError` reaches the model without its text; `McpError` in a tool is a protocol error that the model does not read.',
  'An unknown method is answered with -32601 instead of -32602, a missing resource with -32602 and its address in `data`.',
  'A server without `version=` reports an empty version instead of that of the SDK.',
];

/** Measured: SDK 1.28.1 has no limit, `RequestBodyLimitMiddleware` of 2.3.0 has one by default. */
const BODY_LIMIT =
  'Over HTTP a request body above 4 MiB is answered with 413 before it is read; `max_request_body_size=` of `run()` and of the app builders raises the limit.';

/** Milestone M1 of a Python package, as one change: code, tests, the adapter for low-level handlers, and the bounds of the requirements. */
export function rewrite(item: WorkItem, context: RewriteContext): Rewrite {
  const files = new Map<string, PythonFile>();
  for (const path of [...new Set([...context.filesOf(item.package), ...item.files])].sort()) {
    const file = context.file('python', path);
    if (file) files.set(path, file);
  }
  const project: Project = { files, has: (path) => context.exists(path) };
  const changes: FileChange[] = [];
  const needs: Need[] = [];
  const todo = new Set<string>();
  const notes = new Set<string>();
  const imports = new Set<string>();
  const migrated = migrateFiles(project);
  for (const [path, file] of files) {
    const one = migrated.get(path);
    const spoken = (one?.marks ?? []).filter(({ kind }) => !SHARED.has(kind) || isFound(context, path, kind));
    const marks: readonly Mark[] = [...spoken, ...leftMarks(item, context, path)];
    const edits = merged(file, [...(one?.edits ?? [])], markerEdits(file, marks));
    for (const mark of marks) {
      const site = siteOf(path, file.starts, mark.at);
      todo.add(`${path}:${String(site.line)} ${mark.text}`);
    }
    for (const note of one?.notes ?? []) notes.add(note);
    if (edits.length > 0 && applyEdits(file.text, edits) !== file.text) changes.push({ kind: 'edit', file: path, edits });
    for (const want of one?.wanted ?? []) {
      needs.push({ kind: 'import', file: path, ...want });
      imports.add(want.module.split('.')[0] ?? want.module);
    }
    needs.push(...(one?.needs ?? []));
    if (one?.needs.some((need) => need.kind === 'shim')) imports.add('jsonschema');
  }
  for (const pin of context.findings.filter(({ id, fingerprint }) => id === 'sdk-v1-python/conflicting-pin' && item.findings.includes(fingerprint)))
    todo.add(`${pin.site.file}:${String(pin.site.line)} ${String(pin.data['name'])} has to allow ${String(pin.data['floor'])}`);
  const open = [...todo];
  if (changes.length === 0) return { outcome: open.length > 0 ? 'scaffold' : 'rewrite', changes: [], needs: [], todo: open, notes: [] };
  const known = item.files.filter((path) => files.get(path) === undefined || /\.pyw?$/.test(path));
  needs.push(...packagingNeeds(context, item.package, known, [...files.values()], imports));
  if (!needs.some((need) => need.kind === 'dependency' && need.name === 'mcp'))
    notes.add('No packaging file that names `mcp` was found: raise it to >=2.2,<3 where it is installed.');
  if (context.inventory.endpoints.some((endpoint) => endpoint.package === item.package)) notes.add(BODY_LIMIT);
  return { outcome: open.length > 0 ? 'scaffold' : 'rewrite', changes, needs, todo: open, notes: [...WIRE_NOTES, ...notes] };
}

/** What reads the same on both majors is only doubtful where the detector still speaks of it: code that has moved is in order. */
const isFound = (context: RewriteContext, path: string, kind: string): boolean =>
  context.findings.some(({ id, site }) => site.file === path && id === `sdk-v1-python/${kind}`);

/** Places that the detector speaks of and that no part of the rewriter cures. */
function leftMarks(item: WorkItem, context: RewriteContext, path: string): readonly Mark[] {
  return context.findings
    .filter((finding) => finding.site.file === path && item.findings.includes(finding.fingerprint))
    .flatMap((finding) => {
      const text = leftText(finding);
      return text === undefined ? [] : [{ kind: finding.id.slice(finding.id.indexOf('/') + 1), at: finding.site.span, text }];
    });
}

/** Markers go in front of what is edited at the same place. */
function merged(
  file: PythonFile,
  edits: readonly { start: number; end: number; text: string }[],
  markers: readonly { start: number; end: number; text: string }[],
): { start: number; end: number; text: string }[] {
  const result = [...edits];
  for (const marker of markers) {
    if (result.some((edit) => edit.start < marker.start && marker.start < edit.end)) continue;
    const at = result.findIndex((edit) => edit.start === marker.start);
    const other = result[at];
    if (other) result[at] = { ...other, text: marker.text + other.text };
    else result.push({ ...marker });
  }
  return result.filter((edit) => edit.text !== file.textOf(edit)).sort((a, b) => a.start - b.start || a.end - b.end);
}
