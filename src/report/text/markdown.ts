import { visible } from './escape.js';

/** Joins two characters without a space and without being seen; between them no name and no number is recognised. */
const JOINER = '\u2060';

/**
 * Text for a Markdown paragraph or table cell: no markup, no HTML, no line break of a repository or a server survives. GitHub looks for links,
 * mentions and references in the rendered text, where entities are characters again: those are broken by a joiner.
 */
export const markdownText = (value: string): string =>
  visible(value)
    .replace(/[\\`*_{}[\]<>|~!&]|[@#](?!\w)/g, entity)
    .replace(/(?<!&)[@#](?=\w)/g, (character) => entity(character) + JOINER)
    .replace(/:(?=\/\/)|(?<=\bwww)\./gi, (character) => entity(character) + JOINER);

const entity = (character: string): string => `&#${String(character.charCodeAt(0))};`;

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
