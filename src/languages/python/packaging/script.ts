import type { Span, TextEdit } from '../../../core/index.js';
import type { Requirement } from './requirement.js';
import { tomlPython, tomlRequirements } from './toml.js';

/** The TOML of a `# /// script` block, and the way back into the file. */
interface Block {
  readonly toml: string;
  readonly offset: (inner: number) => number;
  readonly edit: (inner: TextEdit) => TextEdit;
}

const BLOCK = /^# \/\/\/ script[ \t]*(\r\n|\n)((?:#(?: [^\r\n]*)?(?:\r\n|\n))*?)# \/\/\/[ \t]*(?:\r\n|\n|$)/m;

/** PEP 723. `undefined` when the file has no such block. */
function blockOf(text: string): Block | undefined {
  const match = BLOCK.exec(text);
  if (!match) return undefined;
  const body = match[2] ?? '';
  let at = match.index + match[0].indexOf(body, match[0].indexOf(match[1] ?? '\n'));
  let toml = '';
  const starts: { readonly inner: number; readonly outer: number }[] = [];
  for (const line of body.split(/(?<=\n)/)) {
    const prefix = line.startsWith('# ') ? 2 : 1;
    starts.push({ inner: toml.length, outer: at + prefix });
    toml += line.slice(prefix);
    at += line.length;
  }
  const offset = (inner: number): number => {
    const start = starts.findLast((entry) => entry.inner <= inner) ?? starts[0];
    return start ? start.outer + (inner - start.inner) : inner;
  };
  return {
    toml,
    offset,
    edit: (edit) => ({ start: offset(edit.start), end: offset(edit.end), text: edit.text.replace(/(\r\n|\n)/g, '$1# ') }),
  };
}

const move = (block: Block, span: Span): Span => ({ start: block.offset(span.start), end: block.offset(span.end) });

/** Requirements of the inline metadata of a script; none for a file without it. */
export function scriptRequirements(text: string): readonly Requirement[] {
  const block = blockOf(text);
  if (!block) return [];
  return tomlRequirements(block.toml).map((one) => ({
    ...one,
    place: 'script metadata',
    span: move(block, one.span),
    specifierSpan: move(block, one.specifierSpan),
    ...(one.beside ? { beside: (name: string, specifier: string) => (one.beside?.(name, specifier) ?? []).map(block.edit) } : {}),
  }));
}

/** `requires-python` of the inline metadata. */
export function scriptPython(text: string): readonly { readonly specifier: string; readonly span: Span }[] {
  const block = blockOf(text);
  return block ? tomlPython(block.toml).map((one) => ({ ...one, span: move(block, one.span) })) : [];
}
