import { visible } from './escape.js';

/** Text for a Markdown paragraph or table cell: no markup, no HTML, no mention, no line break of a repository or a server survives. */
export const markdownText = (value: string): string => visible(value).replace(/[\\`*_{}[\]<>#|~!@]/g, (character) => `&#${String(character.charCodeAt(0))};`);

/** Code of one line; a table cell takes it too. */
export const markdownCode = (value: string): string => `<code>${markdownText(value).replaceAll('&#95;', '_')}</code>`;

/** A code block whose fence is longer than every run of backticks inside. */
export function markdownFence(code: string, language = ''): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code.replace(/\r\n?/g, '\n').replace(/\n+$/, '')}\n${fence}`;
}

/** A sentence of ours: what stands between backticks is code, the rest is text. Values of a repository in it stay harmless in both. */
export const markdownProse = (sentence: string): string =>
  visible(sentence)
    .split(/(`[^`]+`)/)
    .map((part) => (/^`[^`]+`$/.test(part) ? markdownCode(part.slice(1, -1)) : markdownText(part)))
    .join('');
