import type { Milestone, RunbookModel, ScanResult } from '../core/index.js';
import { fileHeader } from './header.js';
import { HardRejectError, violationsOf } from './honesty.js';
import { say, words } from './messages.js';
import { renderMuted, renderTemplate, type DocumentName, type TemplatePort } from './render.js';

/** What `runbook` can write, and the template of each. */
const TEMPLATES: Readonly<Record<'runbook' | 'adr' | 'issue' | 'summary', DocumentName>> = {
  runbook: 'runbook/document',
  adr: 'adr/document',
  issue: 'runbook/issue',
  summary: 'runbook/summary-page',
};
export type RunbookDocument = keyof typeof TEMPLATES;

/**
 * One document with its file header, ready to print or write.
 * @throws HardRejectError when a template presents removed behaviour as modern
 */
export function renderRunbook(document: RunbookDocument, model: RunbookModel, port: TemplatePort): string {
  const markdown = renderTemplate(TEMPLATES[document], model, port);
  const violations = violationsOf(model, renderMuted(TEMPLATES[document], model, port));
  if (violations.length > 0)
    throw new HardRejectError(`the ${document} would break its own rules: ${violations.map((violation) => `${violation.id} (${violation.what})`).join('; ')}`);
  return `${fileHeader(document, model.tool.version)}\n\n${markdown}`;
}

/**
 * Body of the pull request of one milestone. Takes the scan beside the model, because a pull request speaks about work items and
 * files and a runbook about phases. Has no file header: a forge shows it as it is.
 */
export function renderPullRequest(milestone: Milestone, model: RunbookModel, scan: ScanResult, port: TemplatePort): string {
  const items = scan.plan.items.filter((item) => item.milestone === milestone && item.remedy !== 'none');
  const stage = model.rollout.find((candidate) => candidate.milestone === milestone);
  const closes = new Set(items.flatMap((item) => item.closes));
  const checks = model.checklist.filter((entry) => closes.has(entry.id)).map((entry) => entry.command);
  return renderTemplate(
    'pull-request/document',
    {
      title: say(`pr.${milestone}-title`),
      items: items.map((item) => ({ id: item.id, title: item.title, remedy: item.remedy, reason: words(item.reason), sites: item.sites })),
      keeps: say(`pr.${milestone}-not`, milestone === 'entry' ? { date: model.sunset } : undefined),
      files: new Set(items.flatMap((item) => item.files)).size,
      todo: items.flatMap((item) => item.todo).map(words),
      checks,
      rollback: stage?.rollback ?? [],
      commands: stage?.commands ?? [],
    },
    port,
  );
}
