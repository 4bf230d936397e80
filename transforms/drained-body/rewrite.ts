import { ts } from 'ts-morph';
import type { FileChange, Rewrite, RewriteContext, TextEdit, WorkItem } from '../../src/core/index.js';
import { nodeAt } from '../_mcp/typescript/nodes.js';

/** Hands the parsed body on, in every call of the handler at once: a body that only some of them see decides the era wrongly. */
export function rewrite(item: WorkItem, context: RewriteContext): Rewrite {
  const fingerprints = new Set(item.findings);
  const edits = new Map<string, TextEdit[]>();
  for (const { fingerprint, site, data } of context.findings) {
    if (!fingerprints.has(fingerprint)) continue;
    const file = context.file('typescript', site.file);
    const node = file === undefined ? undefined : nodeAt(file, site.span);
    if (file === undefined || node === undefined) continue;
    const list = edits.get(site.file) ?? [];
    edits.set(site.file, list);
    if (data['mounted'] === true)
      list.push({ start: site.span.start, end: site.span.end, text: `(req, res) => void ${file.textOf(node)}(req, res, req.body)` });
    const last = ts.isCallExpression(node) ? node.arguments.at(-1) : undefined;
    if (data['mounted'] !== true && last !== undefined) list.push({ start: last.end, end: last.end, text: `, ${String(data['body'])}` });
  }
  const changes = [...edits].map(([file, list]): FileChange => ({ kind: 'edit', file, edits: list }));
  return { outcome: 'rewrite', changes, needs: [], todo: [], notes: ['Modern requests are recognised and served; before, they were answered 400.'] };
}
