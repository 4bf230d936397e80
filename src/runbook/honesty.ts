import type { RunbookModel } from '../core/index.js';

/** Our own text would present removed behaviour as modern. A fault of this tool or of an overridden template, never of the repository. */
export class HardRejectError extends Error {
  override readonly name = 'HardRejectError';
}

/** Statements that no runbook makes about modern traffic, each with what it looks like in a command or a sentence. */
const NEVER: readonly { readonly id: string; readonly pattern: RegExp; readonly what: string }[] = [
  { id: 'post-redirect', pattern: /\bcurl\b[^\n]*\s(-L|--location)\b/, what: 'a command follows redirects of a POST' },
  { id: 'post-redirect', pattern: /\b(HTTP|status|answers?|return)\s+(301|302|303|307|308)\b/i, what: 'a JSON-RPC POST is moved by a redirect' },
  { id: 'stream-resume', pattern: /\bcurl\b[^\n]*Last-Event-ID[^\n]*2026-07-28/i, what: 'a modern stream is resumed' },
  {
    id: 'session-as-modern',
    pattern: /\bmodern\b[^.\n|]*\b(mints?|issues?|returns?|echoes)\b[^.\n|]*Mcp-Session-Id/i,
    what: 'a modern answer carries a session id',
  },
  {
    id: 'invented-mandate',
    pattern: /\b(specification|spec|protocol)\b[^.\n|]*\b(requires?|mandates?|demands?)\b[^.\n|]*\b(removal|removed|end)\b[^.\n|]*\b(sessions?|initialize)\b/i,
    what: 'a removal date is attributed to the specification',
  },
];

/**
 * The generator's check of itself: rows of the endpoint table, commands, and sentences against the hard rejects.
 * Empty when the runbook is honest.
 * @param markdown the document without the strings of the repository (`renderMuted`): a quoted `return 301` is no claim of ours
 */
export function violationsOf(model: RunbookModel, markdown: string): readonly { readonly id: string; readonly what: string }[] {
  const violations: { readonly id: string; readonly what: string }[] = [];
  for (const table of model.endpoints) {
    const after = table.columns.length - 1;
    for (const row of table.rows) {
      const last = row.cells[after];
      if (last === undefined) continue;
      const modernPath = table.columns.length === 1 || row.era !== 'legacy';
      const verb = /GET|DELETE/.test(row.method);
      if (model.legacyExists && verb && !/^(405|404|410)$/.test(last.status))
        violations.push({ id: 'session-as-modern', what: `${row.method} ${row.path} would still be served after the removal` });
      if (row.cells.some((cell) => /^3\d\d$/.test(cell.status)))
        violations.push({ id: 'post-redirect', what: `${row.method} ${row.path} would be redirected` });
      if (modernPath && row.era === 'modern' && row.cells.some((cell) => 'say' in cell.body && cell.body.say.includes('session')))
        violations.push({ id: 'session-as-modern', what: `${row.method} ${row.path}: a modern row speaks of sessions` });
    }
  }
  const commands = [...model.checklist, ...model.completion].map(({ command }) => command).concat(model.rollout.flatMap((stage) => stage.commands));
  const said = [markdown, ...commands].join('\n');
  for (const { id, pattern, what } of NEVER) if (pattern.test(said)) violations.push({ id, what });
  return violations;
}
