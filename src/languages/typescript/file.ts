import type { ts } from 'ts-morph';
import type { Site, Span } from '../../core/index.js';
import { lineStarts, siteOf } from '../../core/index.js';
import { bind } from './scope/bind.js';
import type { Bindings } from './scope/model.js';
import type { Style } from './style.js';
import { styleOf } from './style.js';

/** A parsed file of the TypeScript and JavaScript family. Everything but the tree is computed on first use and kept. */
export class TypeScriptFile {
  #starts: readonly number[] | undefined;
  #bindings: Bindings | undefined;
  #style: Style | undefined;

  constructor(
    /** Relative to the root, with `/`. */
    readonly path: string,
    /** The text as given: byte order mark, shebang and line ends included. Offsets of the tree refer to it. */
    readonly text: string,
    /** Parent pointers are set; JSDoc is not parsed. */
    readonly tree: ts.SourceFile,
  ) {}

  /** Offsets at which lines begin. */
  get starts(): readonly number[] {
    return (this.#starts ??= lineStarts(this.text));
  }

  /** Scopes, declarations and resolved references of the file. */
  get bindings(): Bindings {
    return (this.#bindings ??= bind(this.tree));
  }

  get style(): Style {
    return (this.#style ??= styleOf(this.tree, this.text));
  }

  get eol(): Style['eol'] {
    return this.style.eol;
  }

  get indentUnit(): string {
    return this.style.indentUnit;
  }

  get quote(): Style['quote'] {
    return this.style.quote;
  }

  /** JavaScript, not TypeScript: type syntax must not be written into it. */
  get isJavaScript(): boolean {
    return /\.[cm]?jsx?$/i.test(this.path);
  }

  /** The range of a node without its leading comments and blanks. */
  span(node: ts.Node): Span {
    return { start: node.getStart(this.tree), end: node.end };
  }

  site(at: ts.Node | Span, label?: string): Site {
    return siteOf(this.path, this.starts, 'start' in at ? at : this.span(at), label);
  }

  /** Source text of a node without its leading comments and blanks. */
  textOf(node: ts.Node): string {
    return this.text.slice(node.getStart(this.tree), node.end);
  }
}
