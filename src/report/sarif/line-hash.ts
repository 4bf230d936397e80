/** Non-blank characters that the hash of a line covers, from the start of the line on; the text continues into the lines below. */
const WINDOW = 100;
const BASE = 37n;
/** Stands behind the last character of a file. */
const END = 65_535;

/** `37 ** WINDOW`, to take the character that leaves the window out of the hash. */
const LEAVING = BigInt.asUintN(64, BASE ** BigInt(WINDOW));

/**
 * Hash of each line as the upload action of GitHub computes `primaryLocationLineHash` (codeql-action, `src/fingerprints.ts`): the first 100
 * characters from the start of the line without spaces and tabs, line ends as `\n`, as a polynomial of base 37 modulo 2^64, and the number of
 * the hash among equal ones. The same value as the action's own: with another one it prints a warning for each result.
 * @returns the hash of line `n` at index `n - 1`
 */
export function lineHashes(text: string): readonly string[] {
  const { codes, starts } = significant(text);
  const seen = new Map<string, number>();
  let hash = 0n;
  /** Characters `[from, to)` are in the window. */
  let to = 0;
  const at = (index: number): bigint => BigInt(codes[index] ?? 0);
  const moveTo = (end: number): void => {
    for (; to < end; to++) hash = BigInt.asUintN(64, hash * BASE + at(to) - LEAVING * (to >= WINDOW ? at(to - WINDOW) : 0n));
  };
  return starts.map((start) => {
    moveTo(start + WINDOW);
    const value = hash.toString(16);
    const count = (seen.get(value) ?? 0) + 1;
    seen.set(value, count);
    return `${value}:${String(count)}`;
  });
}

/** Character codes without spaces and tabs, line ends as one `\n`, with the end mark; and where each line begins among them. */
function significant(text: string): { readonly codes: readonly number[]; readonly starts: readonly number[] } {
  const codes: number[] = [];
  const starts: number[] = [];
  let lineStart = true;
  const take = (code: number): void => {
    if (lineStart) starts.push(codes.length);
    lineStart = code === 10;
    codes.push(code);
  };
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 32 || code === 9) continue;
    if (code === 10 && text.charCodeAt(index - 1) === 13) continue;
    take(code === 13 ? 10 : code);
  }
  take(END);
  return { codes, starts };
}
