import { fill, type MessageData, type RuleText } from '../../core/index.js';
import { visible } from '../text/escape.js';
import { markdownText } from '../text/markdown.js';

/**
 * A message as Markdown that says what the plain text says and nothing more: strings of somebody's repository may be part of it.
 * Code spans of the message stay, so that the source of a comment can be read too.
 */
export function prose(text: string): string {
  const spans = text.split('`');
  // A lone backtick would turn the rest of the comment into code.
  if (spans.length % 2 === 0) return markdownText(text);
  return spans.map((part, index) => (index % 2 === 0 ? markdownText(part) : part === '' ? '' : code(part))).join('');
}

/** A string of a repository as a code span: on one line, whatever it holds. */
export function code(text: string): string {
  const shown = visible(text);
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = shown.startsWith('`') || shown.endsWith('`') || shown === '' ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** Markdown as a cell of a table: a bar ends a cell even inside a code span. */
export const cell = (markdown: string): string => markdown.replaceAll('|', String.raw`\|`);

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
