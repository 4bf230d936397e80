import { fill, markdownProse as prose, type MessageData, type RuleText } from '../../core/index.js';

/** What, why and next of a rule for one finding, as Markdown. */
export function proseOf(rule: RuleText | undefined, data: MessageData): { readonly what: string; readonly why: string; readonly next: string } {
  if (!rule) return { what: '', why: '', next: '' };
  const safe = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, typeof value === 'string' ? value.replaceAll('`', "'") : value]));
  return { what: prose(fill(rule.what, safe)), why: prose(fill(rule.why, safe)), next: prose(fill(rule.next, safe)) };
}

/** Lines in a fence that nothing inside can close. Each line keeps the end that it has. */
export function fenced(info: string, lines: readonly string[]): string {
  const longest = Math.max(2, ...lines.flatMap((line) => [...line.matchAll(/`{3,}/g)].map(([run]) => run.length)));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${info}\n${lines.map((line) => `${line}\n`).join('')}${fence}`;
}
