import type { FileChange, Rewrite, RewriteContext, WorkItem } from '../../src/core/index.js';
import { runJscodeshift } from '../../src/languages/typescript/index.js';
import codemod from './codemod.js';

/** The printer takes a tab for four blanks and loses levels; blanks are not compared, so the codemod may see others. */
const withoutTabs: typeof codemod = (source, api, options) => {
  // Tabs inside of a template are part of its value.
  const safe = !/`[^`]*\n\t[^`]*`/.test(source.source);
  return codemod(safe ? { ...source, source: source.source.replace(/^\t+/gm, (tabs) => '  '.repeat(tabs.length)) } : source, api, options);
};

/** Runs the codemod on the places that the detector proved. Other frameworks are left to a person. */
export function rewrite(item: WorkItem, context: RewriteContext): Rewrite {
  const fingerprints = new Set(item.findings);
  const findings = context.findings.filter((finding) => fingerprints.has(finding.fingerprint));
  const able = findings.filter(({ data }) => data['express'] === true && (data['mixed'] !== true || typeof data['id'] === 'string'));
  if (able.length === 0) {
    return {
      outcome: 'refuse',
      reason: {
        why: 'the reply is not a statement on an Express response',
        next: 'Answer 404 when a session id is present and unknown, 400 when there is none.',
        sites: findings.map(({ site }) => site),
      },
    };
  }
  const changes: FileChange[] = [];
  for (const path of new Set(able.map(({ site }) => site.file))) {
    const file = context.file('typescript', path);
    if (file === undefined) continue;
    const replies = able
      .filter(({ site }) => site.file === path)
      .map(({ data }) => ({ index: Number(data['index']), mixed: data['mixed'] === true, id: String(data['id'] ?? '') }));
    changes.push({ kind: 'edit', file: path, edits: runJscodeshift(withoutTabs, file, { replies }) });
  }
  return {
    outcome: 'rewrite',
    changes,
    needs: [],
    todo: [],
    notes: ['An unknown session id is answered 404, which tells clients of the earlier revisions to open a new session.'],
  };
}
