/** Counts with their noun: `1 file`, `3 files`. */
export const count = (number: number, one: string, many = `${one}s`): string => `${String(number)} ${number === 1 ? one : many}`;

/** Cuts a text to a width, with an ellipsis; the result never ends in a space. */
export const cut = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, Math.max(1, width - 1)).trimEnd()}…`);

/** Cuts a path in front, because its end says more. */
export const cutPath = (path: string, width: number): string => (path.length <= width ? path : `…${path.slice(path.length - Math.max(1, width - 1))}`);

/** Breaks a text into lines of at most `width`; a longer word stands alone. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Wire text in lines of at most `width`: words as long as a whole message are broken. */
export const hangWire = (first: string, text: string, width: number): readonly string[] => {
  const room = Math.max(20, width - first.length);
  const broken = text.replace(new RegExp(`\\S{${String(room)}}(?=\\S)`, 'g'), '$& ');
  return hang(first, broken, width);
};

/** Wrapped text behind a first prefix, later lines under it. */
export const hang = (first: string, text: string, width: number): readonly string[] =>
  wrap(text, Math.max(20, width - first.length)).map((line, index) => (index === 0 ? first : ' '.repeat(first.length)) + line);

/** Sums `1 error, 2 warnings` from counts, leaving out zeros. */
export const listCounts = (parts: readonly (readonly [number, string])[]): string =>
  parts
    .filter(([number]) => number > 0)
    .map(([number, noun]) => count(number, noun))
    .join(', ');
