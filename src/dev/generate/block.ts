/**
 * Replaces what stands between `<!-- generated: name -->` and `<!-- end: name -->`.
 * @throws Error when the markers are missing: a generated part must have a place in the text around it
 */
export function replaceBlock(text: string, name: string, content: string): string {
  const open = `<!-- generated: ${name} -->`;
  const close = `<!-- end: ${name} -->`;
  const start = text.indexOf(open);
  const end = text.indexOf(close);
  if (start < 0 || end < start) throw new Error(`the markers ${open} and ${close} are missing`);
  return `${text.slice(0, start + open.length)}\n\n${content.trim()}\n\n${text.slice(end)}`;
}
