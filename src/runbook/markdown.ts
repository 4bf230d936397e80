/**
 * Escapes strings of a repository for the place in Markdown where they stand. GitHub's dialect: CommonMark with tables; HTML is
 * neutralised, so that a file name can neither open a tag nor break a row.
 */

/** One line: line breaks and control characters become spaces. */
const flatten = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** Longest run of backticks in a text. */
const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));

/** Running text: everything that Markdown or HTML would interpret is shown as written. */
export const escapeText = (text: string): string =>
  flatten(text)
    .replace(/[\\`*_{}[\]<>#|~$]/g, (character) => `\\${character}`)
    .replace(/&(?=[#\w]+;)/g, '\\&')
    .replace(/^(\d+)([.)])/, '$1\\$2')
    .replace(/^([-+=])/, '\\$1')
    .replace(/\b(https?):\/\//gi, '$1\\://')
    .replace(/@(?=\w)/g, '@\u2060');

/** Inline code: a fence longer than any run inside, padded where the text begins or ends with a backtick. */
export function inlineCode(text: string): string {
  const line = flatten(text);
  if (line === '') return '';
  const fence = '`'.repeat(longestRun(line) + 1);
  const padding = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}

/** Finished sentences: inline code between single backticks stays code, the rest is escaped like running text. */
export function escapeProse(text: string): string {
  const line = flatten(text);
  let output = '';
  let cursor = 0;
  for (const match of line.matchAll(/(?<!`)`([^`]+)`(?!`)/g)) {
    output += escapePart(line.slice(cursor, match.index)) + inlineCode(match[1] ?? '');
    cursor = match.index + match[0].length;
  }
  return output + escapePart(line.slice(cursor));
}

/** `escapeText` that keeps the spaces at both ends. */
function escapePart(part: string): string {
  const body = part.trim();
  if (body === '') return part;
  return part.slice(0, part.length - part.trimStart().length) + escapeText(body) + part.slice(part.trimEnd().length);
}

/** A table cell: a finished piece of inline Markdown without pipes that would end the cell. Already escaped pipes stay. */
export const tableCell = (markdown: string): string =>
  flatten(markdown).replace(/(\\*)\|/g, (_whole, slashes: string) => (slashes.length % 2 === 1 ? `${slashes}|` : `${slashes}\\|`));

/** A fenced block whose fence is longer than any run of backticks inside. */
export function fencedBlock(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text.replace(/\r\n?/g, '\n').replace(/\n+$/, '')}\n${fence}`;
}

/** Target of a link: percent-encoded, so that brackets, spaces and quotes cannot end it. */
export const linkTarget = (path: string): string =>
  path
    .split('/')
    .map((part) => encodeURIComponent(part).replace(/[()'!*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`))
    .join('/');

/** Label of a mermaid node or edge, in double quotes: quotes, brackets and line breaks as entities that mermaid understands. */
export const mermaidLabel = (text: string): string =>
  `"${flatten(text).replace(/#/g, '#35;').replace(/"/g, '#quot;').replace(/</g, '#lt;').replace(/>/g, '#gt;').replace(/`/g, "'")}"`;

/** A word of a shell command: quoted unless it is plainly safe. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`);
