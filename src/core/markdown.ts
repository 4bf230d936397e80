import { visible } from './printable.js';

/**
 * Strings of a repository, a server or a finding as Markdown of GitHub's dialect (CommonMark with tables): the name of a function is the place
 * for which it escapes. HTML is neutralised, no line breaks, and what an eye or a terminal would obey (controls, marks of direction) is
 * shown as an escape.
 */

/** Joins two characters without a space and without being seen; between them no name and no number is recognised. */
const JOINER = '\u2060';

/** Between which characters GitHub begins to see a mention, a reference or a link. Entities (`&#35;`) are none. */
const NAMED = /(?<=@|(?<!&)#)(?=\w)|(?<=:)(?=\/\/)|(?<=\bwww\.)(?=\w)/gi;

/** Longest run of backticks in a text. */
const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/**
 * Running text: everything that Markdown or HTML would interpret is shown as written. GitHub looks for links, mentions and references in the
 * rendered text, where an escape is gone again: those are broken by a joiner.
 */
export const markdownText = (text: string): string =>
  visible(text)
    .trim()
    .replace(/[\\`*_{}[\]<>#|~$!]/g, (character) => `\\${character}`)
    .replace(/&(?=[#\w]+;)/g, '\\&')
    .replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2')
    .replace(/^([-+=])/, '\\$1')
    .replace(NAMED, JOINER);

/** Text inside of an HTML tag, where Markdown is not read: `<summary>`. */
export const markdownHtml = (text: string): string =>
  visible(text)
    .trim()
    .replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`)
    .replace(NAMED, JOINER);

/** Inline code: a fence longer than any run inside, padded where the text begins or ends with a backtick. Nothing for nothing. */
export function markdownCode(text: string): string {
  const line = visible(text).trim();
  if (line === '') return '';
  const fence = '`'.repeat(longestRun(line) + 1);
  const padding = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}

/** What a reader copies: addresses, and names of packages with a scope. As inline code they wake nothing and hold nothing that is not seen. */
const COPIED = /\b(?:https?|wss?):\/\/[^\s<>"'`()|\\]*[^\s<>"'`()|\\.,;:!?]|(?<![\w`@/])@[a-z\d][\w-]*\/[\w-][\w.-]*[\w-](?![\w`])/gi;

/** Finished sentences on one line: inline code between single backticks stays code, the rest is escaped like running text. */
export function markdownProse(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  let output = '';
  let cursor = 0;
  for (const match of line.matchAll(/(?<!`)`([^`]+)`(?!`)/g)) {
    output += spacedText(line.slice(cursor, match.index)) + markdownCode(match[1] ?? '');
    cursor = match.index + match[0].length;
  }
  return output + spacedText(line.slice(cursor));
}

/** `markdownText` that keeps the spaces at both ends. */
function spacedText(part: string): string {
  const body = part.trim();
  if (body === '') return part;
  let output = '';
  let cursor = 0;
  for (const match of body.matchAll(COPIED)) {
    output += plainText(body.slice(cursor, match.index)) + markdownCode(match[0]);
    cursor = match.index + match[0].length;
  }
  return part.slice(0, part.length - part.trimStart().length) + output + plainText(body.slice(cursor)) + part.slice(part.trimEnd().length);
}

/** `markdownText` with the blanks at both ends. */
function plainText(part: string): string {
  const body = part.trim();
  if (body === '') return part;
  return part.slice(0, part.length - part.trimStart().length) + markdownText(body) + part.slice(part.trimEnd().length);
}

/** A table cell: a finished piece of inline Markdown without bars that would end the cell, in code spans too. Escaped bars stay. */
export const markdownCell = (markdown: string): string =>
  markdown
    .replace(/[\r\n]+/g, ' ')
    .trim()
    .replace(/(\\*)\|/g, (_whole, slashes: string) => (slashes.length % 2 === 1 ? `${slashes}|` : `${slashes}\\|`));

/** A fenced block whose fence is longer than any run of backticks inside. */
export function markdownFence(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text.replace(/\r\n?/g, '\n').replace(/\n+$/, '')}\n${fence}`;
}

/** Target of a link: percent-encoded, so that brackets, spaces and quotes cannot end it. */
export const markdownTarget = (path: string): string =>
  path
    .split('/')
    .map((part) =>
      encodeURIComponent(part.replace(/\p{Cs}/gu, '\uFFFD')).replace(/[()'!*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join('/');

/** Label of a mermaid node or edge, in double quotes: what mermaid or HTML would interpret becomes an entity that mermaid understands. */
export const mermaidLabel = (text: string): string =>
  `"${visible(text)
    .trim()
    .replace(/[#"<>&\\`*_[\]{}|;]/g, (character) => `#${String(character.charCodeAt(0))};`)}"`;

/** Words that mermaid takes without quotes (titles, periods): what would end them becomes a space. */
export const mermaidWords = (text: string): string =>
  visible(text)
    .replace(/[:;#,"`<>&%{}[\]()|\\]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
