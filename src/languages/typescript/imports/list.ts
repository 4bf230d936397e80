import type { ts } from 'ts-morph';
import type { Span, TextEdit } from '../../../core/index.js';
import type { TypeScriptFile } from '../file.js';
import { afterTrailingComments, backOverBlanks, beginsLine, indentAt, removalOf } from './lines.js';
import { renderElement, renderList } from './render.js';
import type { ImportBinding, ImportSite, SiteName } from './sites.js';

/** An element of a list and its comma. */
interface Element {
  readonly name: SiteName;
  readonly span: Span;
  /** Offset of the comma behind it. */
  readonly comma: number | undefined;
}

/** Offset of the comma between two offsets, comments left out. */
function commaBetween(text: string, from: number, to: number): number | undefined {
  for (let at = from; at < to; at++) {
    if (text.startsWith('//', at)) while (at < to && text[at] !== '\n' && text[at] !== '\r') at++;
    else if (text.startsWith('/*', at)) at = text.indexOf('*/', at) + 1;
    else if (text[at] === ',') return at;
  }
  return undefined;
}

function elementsOf(file: TypeScriptFile, site: ImportSite): readonly Element[] {
  const { list } = site;
  if (!list) return [];
  const nodes = list.elements as readonly ts.Node[];
  return nodes.flatMap((node, index) => {
    const name = site.names.find((candidate) => candidate.node === node);
    const limit = nodes[index + 1]?.getStart(file.tree) ?? list.end - 1;
    return name ? [{ name, span: file.span(node), comma: commaBetween(file.text, node.end, limit) }] : [];
  });
}

/** Joins ranges that touch or overlap. */
function merged(spans: readonly Span[]): readonly Span[] {
  const joined: { start: number; end: number }[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = joined.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else joined.push({ ...span });
  }
  return joined;
}

function removals(text: string, elements: readonly Element[], gone: ReadonlySet<SiteName>): readonly Span[] {
  const lastKept = elements.findLastIndex((element) => !gone.has(element.name));
  const hasTrailingComma = elements.at(-1)?.comma !== undefined;
  const spans: Span[] = [];
  elements.forEach((element, index) => {
    if (gone.has(element.name)) {
      const { span, comma } = element;
      if (comma === undefined) spans.push(beginsLine(text, span.start) ? removalOf(text, span) : { start: backOverBlanks(text, span.start), end: span.end });
      else if (/^\s*$/.test(text.slice(span.end, comma))) spans.push(removalOf(text, { start: span.start, end: comma + 1 }));
      else spans.push(span, { start: comma, end: comma + 1 });
    } else if (index === lastKept && !hasTrailingComma && index < elements.length - 1 && element.comma !== undefined) {
      spans.push({ start: element.comma, end: element.comma + 1 });
    }
  });
  // What is left between a deleted comma and the closing brace on one line: the blanks before the deleted names.
  return merged(
    spans.map((span) => (text[span.start] === ',' && span.end === span.start + 1 ? { start: span.start, end: blanksOnLine(text, span.end, spans) } : span)),
  );
}

/** Extends a deleted comma over the blanks up to the next deleted range, when only blanks lie between. */
function blanksOnLine(text: string, from: number, spans: readonly Span[]): number {
  const next = spans.find((span) => span.start >= from);
  return next && /^[ \t]*$/.test(text.slice(from, next.start)) ? next.start : from;
}

function additions(file: TypeScriptFile, site: ImportSite, elements: readonly Element[], texts: readonly string[]): readonly TextEdit[] {
  const { list } = site;
  const last = elements.at(-1);
  if (!list || texts.length === 0) return [];
  if (!last) return [{ ...file.span(list), text: renderList(file, texts) }];
  const { text } = file;
  if (!beginsLine(text, last.span.start)) return [{ start: last.span.end, end: last.span.end, text: texts.map((element) => `, ${element}`).join('') }];
  const lineBreak = file.eol + indentAt(text, last.span.start);
  const end = afterTrailingComments(text, last.comma === undefined ? last.span.end : last.comma + 1);
  const lines = texts.map((element) => lineBreak + element);
  if (last.comma !== undefined) return [{ start: end, end, text: lines.map((line) => `${line},`).join('') }];
  if (end === last.span.end) return [{ start: end, end, text: `,${lines.join(',')}` }];
  return [
    { start: last.span.end, end: last.span.end, text: ',' },
    { start: end, end, text: lines.join(',') },
  ];
}

/**
 * Edits the list in braces of one statement: names that go and names that come are paired, so that a rename is one edit in
 * place; the rest is deleted or appended. Comments stay.
 */
export function editList(
  file: TypeScriptFile,
  site: ImportSite,
  gone: ReadonlySet<SiteName>,
  come: readonly ImportBinding[],
  typeOnly: boolean,
): readonly TextEdit[] {
  const style = site.style === 'require' ? 'require' : 'import';
  const elements = elementsOf(file, site);
  const render = (binding: ImportBinding): string => renderElement(file, binding, style, binding.typeOnly && !typeOnly);
  const rest = [...come];
  const left = new Set(gone);
  const edits: TextEdit[] = [];
  const pairs: readonly ((old: SiteName, binding: ImportBinding) => boolean)[] = [
    (old, binding) => old.local === binding.local,
    (old, binding) => old.name === binding.name,
    () => true,
  ];
  for (const matches of pairs) {
    for (const { name, span } of elements) {
      if (!left.has(name)) continue;
      const index = rest.findIndex((binding) => matches(name, binding));
      const binding = rest[index];
      if (!binding) continue;
      rest.splice(index, 1);
      left.delete(name);
      const text = render(binding);
      if (text !== file.text.slice(span.start, span.end)) edits.push({ ...span, text });
    }
  }
  for (const span of removals(file.text, elements, left)) edits.push({ ...span, text: '' });
  return [...edits, ...additions(file, site, elements, rest.map(render))];
}
