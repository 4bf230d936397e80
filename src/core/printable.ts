/**
 * Characters that a terminal or a reviewer's eye would obey or lose: C0 and C1 controls, DEL, line and paragraph
 * separators, zero-width and bidirectional marks. Names and texts of a repository may hold any of them.
 */
// eslint-disable-next-line no-control-regex -- the control characters are what is looked for
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/g;

const NAMED: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

const escapeOne = (character: string): string => NAMED[character] ?? (character < '\u0100' ? `\\x${hex(character, 2)}` : `\\u${hex(character, 4)}`);
const hex = (character: string, digits: number): string => character.charCodeAt(0).toString(16).padStart(digits, '0');

/** A string of the repository, or one that may quote it, as one printable line. */
export const visible = (text: string): string => text.replace(UNSAFE, escapeOne);

/** Source text for people: as `visible`, but lines and tabs stay, and so does the `\r` of a CRLF line end, unseen. */
export const visibleLines = (text: string): string =>
  text.replace(UNSAFE, (character, at: number) => {
    if (character === '\n' || character === '\t') return character;
    if (character === '\r' && text[at + 1] === '\n') return '';
    return escapeOne(character);
  });

/** JSON that is also safe to print: what `JSON.stringify` leaves readable is written as `\u` escapes, which mean the same. */
export const safeJson = (value: unknown, indent = 2): string => {
  const text = JSON.stringify(value, null, indent);
  return text.replace(UNSAFE, (character) => (character === '\n' ? character : `\\u${hex(character, 4)}`));
};

/** A word for a POSIX shell. */
export const shellWord = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${visible(word).replaceAll("'", String.raw`'\''`)}'`);
