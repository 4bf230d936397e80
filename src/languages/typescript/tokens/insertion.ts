import { ts } from 'ts-morph';
import type { TypeScriptFile } from '../file.js';
import { beginsLine, indentAt } from '../imports/lines.js';
import type { Token } from './tokens.js';
import { blanksOf, commentsBetween, hasLineEnd, lastIndent, lineEndsOf, requoted } from './trivia.js';

/** Tokens of the new text that shall appear in the old one. */
export interface Run {
  readonly tokens: readonly Token[];
  /** The token in front, in the new text. */
  readonly previous: Token | undefined;
  /** Indentation that the line of the token in front has in the result. */
  readonly indent: string;
  /** Tokens in front that both texts have, the nearest first. */
  readonly kept: Iterable<{ readonly old: Token; readonly new: Token }>;
}

const TEMPLATE: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.NoSubstitutionTemplateLiteral,
  ts.SyntaxKind.TemplateHead,
  ts.SyntaxKind.TemplateMiddle,
  ts.SyntaxKind.TemplateTail,
]);

/** How many tokens back a line of the same indentation is looked for. */
const LOOK_BACK = 2000;

/** Writes tokens of one file in the style of another. */
export class Writer {
  readonly #base: string;
  readonly #unit: string;

  constructor(
    readonly old: TypeScriptFile,
    readonly next: TypeScriptFile,
    readonly run: Run,
  ) {
    this.#base = run.previous ? indentAt(next.text, run.previous.start) : '';
    this.#unit = this.#unitOf();
  }

  /** The smallest indentation step within the run: printers have their own, whatever the file uses. */
  #unitOf(): string {
    let smallest: string | undefined;
    for (let index = 0; index < this.run.tokens.length; index++) {
      const gap = this.#gapBefore(index);
      const indent = lastIndent(gap);
      if (!hasLineEnd(gap) || !indent.startsWith(this.#base) || indent.length === this.#base.length) continue;
      const extra = indent.slice(this.#base.length);
      if (smallest === undefined || extra.length < smallest.length) smallest = extra;
    }
    return smallest === undefined || smallest.startsWith('\t') ? '\t' : smallest.slice(0, 4);
  }

  #gapBefore(index: number): string {
    const token = this.run.tokens[index];
    const from = index === 0 ? (this.run.previous?.end ?? 0) : (this.run.tokens[index - 1]?.end ?? 0);
    return token ? blanksOf(this.next.text, from, token.start) : '';
  }

  /** The indentation in the old text of the nearest line in front that has this indentation in the new one. */
  #knownIndent(indent: string): string | undefined {
    let count = 0;
    for (const pair of this.run.kept) {
      if (++count > LOOK_BACK) return undefined;
      if (!beginsLine(this.next.text, pair.new.start)) continue;
      const there = indentAt(this.next.text, pair.new.start);
      if (there.length < indent.length) return undefined;
      if (there === indent && beginsLine(this.old.text, pair.old.start)) return indentAt(this.old.text, pair.old.start);
    }
    return undefined;
  }

  /** Blanks of the new text in line ends and indentation of the old file. */
  blanks(gap: string): string {
    if (!hasLineEnd(gap)) return gap;
    const indent = lastIndent(gap);
    const lines = lineEndsOf(gap, this.old.eol);
    const width = this.#unit === '\t' ? 1 : this.#unit.length;
    if (indent.length > this.#base.length && indent.startsWith(this.#base)) {
      return lines + this.run.indent + this.old.indentUnit.repeat(Math.round((indent.length - this.#base.length) / width));
    }
    if (indent === this.#base) return lines + this.run.indent;
    const known = this.#knownIndent(indent);
    if (known !== undefined) return lines + known;
    const levels = Math.round((this.#base.length - indent.length) / Math.max(1, this.#base.startsWith('\t') ? 1 : this.next.indentUnit.length));
    return lines + this.run.indent.slice(0, Math.max(0, this.run.indent.length - levels * this.old.indentUnit.length));
  }

  /** Blanks in front of the run, as the new text has them. */
  get left(): string {
    return this.#gapBefore(0);
  }

  /** The tokens with the blanks and the new comments between them. */
  text(): string {
    return this.run.tokens.map((token, index) => (index === 0 ? '' : this.#between(index)) + this.#token(token)).join('');
  }

  #token(token: Token): string {
    const source = this.next.text.slice(token.start, token.end);
    if (token.kind === ts.SyntaxKind.StringLiteral) return requoted(source, this.old.quote);
    const isMultiLine = token.kind === ts.SyntaxKind.JsxText || TEMPLATE.has(token.kind);
    return isMultiLine ? source.replace(/\r\n|\n|\r/g, this.old.eol) : source;
  }

  /** A comment that the old text has somewhere stays there and is not written a second time. */
  #between(index: number): string {
    const from = this.run.tokens[index - 1]?.end ?? 0;
    const to = this.run.tokens[index]?.start ?? from;
    const { text } = this.next;
    let out = '';
    let at = from;
    for (const comment of commentsBetween(text, from, to)) {
      const source = text.slice(comment.start, comment.end);
      out += this.blanks(text.slice(at, comment.start));
      if (!this.old.text.includes(source)) out += source.replace(/\r\n|\n|\r/g, this.old.eol);
      at = comment.end;
    }
    return out + this.blanks(text.slice(at, to));
  }
}
