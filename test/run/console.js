/** Prints one line at once, so that the order of lines survives a pipe. */
export const say = (line) => process.stdout.write(`${line}\n`);

/** Starts a clock; the returned function says the seconds since then, to a tenth. */
export function clock() {
  const from = Date.now();
  return () => Math.round((Date.now() - from) / 100) / 10;
}
