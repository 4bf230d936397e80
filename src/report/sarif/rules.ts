import {
  markdownFence,
  markdownProse,
  markdownText,
  severityOf,
  SPEC_ROOT,
  visible,
  visibleLines,
  type Finding,
  type RuleText,
  type Severity,
} from '../../core/index.js';
import type { ConcernText, RuleCard } from '../pretty/rule.js';
import { worst } from '../pretty/items.js';
import { limited, LIMITS } from './limits.js';

/** What is known about a rule beside its texts in the result. */
export interface RuleGuide {
  readonly card: RuleCard;
  readonly text: ConcernText;
}

/** `level` of SARIF. It has no word for `info`, and code scanning no place for `none`. */
export const levelOf = (severity: Severity): 'error' | 'warning' | 'note' => (severity === 'info' ? 'note' : severity);

const PROBLEM: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', note: 'recommendation', info: 'recommendation' };

/** A text with places for values, without values. */
const generic = (template: string): string => visible(template.replace(/\{\w+\}/g, '…'));

/** A rule as code scanning shows it: names, help and links within its limits. */
export function sarifRule(rule: RuleText, findings: readonly Finding[], guide: RuleGuide | undefined): object {
  const own = findings.filter((finding) => finding.id === rule.id);
  const severity = guide ? severityOf({ impact: guide.card.impact, certainty: 'certain' }) : worst(own);
  const links = guide?.card.spec ?? rule.spec.map((reference) => (/^https?:/.test(reference) ? reference : SPEC_ROOT + reference));
  const category = guide?.card.category ?? own[0]?.category;
  const milestone = guide?.card.milestone ?? own[0]?.milestone;
  const why = generic(rule.why);
  const next = generic(rule.next);
  return {
    id: rule.id,
    name: limited(pascalCase(rule.id), LIMITS.name),
    shortDescription: { text: limited(generic(rule.what), LIMITS.description) },
    fullDescription: { text: limited(why, LIMITS.description) },
    help: { text: [why, `Next: ${next}`, ...links].join('\n'), markdown: helpMarkdown(rule, why, next, links, guide?.text) },
    ...(links[0] === undefined ? {} : { helpUri: links[0] }),
    defaultConfiguration: { level: levelOf(severity) },
    properties: {
      tags: [
        ...new Set(['mcp', rule.concern, ...(category === undefined ? [] : [category]), ...(milestone === undefined ? [] : [`milestone-${milestone}`])]),
      ].slice(0, LIMITS.tags),
      'problem.severity': PROBLEM[severity],
    },
  };
}

function helpMarkdown(rule: RuleText, why: string, next: string, links: readonly string[], text: ConcernText | undefined): string {
  const section = (title: string, body: string | undefined): readonly string[] =>
    body === undefined || body.trim() === '' ? [] : [`### ${title}`, '', body, ''];
  return [
    `## ${markdownText(rule.title)}`,
    '',
    markdownProse(why),
    '',
    `**Next:** ${markdownProse(next)}`,
    '',
    ...section('Before', text?.before === undefined ? undefined : markdownFence(visibleLines(text.before))),
    ...section('After', text?.after === undefined ? undefined : markdownFence(visibleLines(text.after))),
    ...section('By hand', text?.byHand),
    `\`unsession explain ${rule.id}\` prints this page.`,
    '',
    ...links.map((link) => `- <${link}>`),
    '',
  ].join('\n');
}

const pascalCase = (id: string): string =>
  id
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
