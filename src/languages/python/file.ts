import type { Site, Span } from '../../core/index.js';
import { lineStarts, siteOf } from '../../core/index.js';
import type { PyNode } from './node.js';
import { bind } from './scope/bind.js';
import type { Bindings } from './scope/model.js';
import type { Style } from './style.js';
import { styleOf } from './style.js';

/** A parsed Python file. Everything but the tree is computed on first use and kept. */
export class PythonFile {
  #starts: readonly number[] | undefined;
  #bindings: Bindings | undefined;
  #style: Style | undefined;

  constructor(
    /** Relative to the root, with `/`. */
    readonly path: string,
    /** The text as given. Offsets of the tree refer to it. */
    readonly text: string,
    readonly tree: PyNode,
    /** In source order, `#` included. */
    readonly comments: readonly Span[],
  ) {}

  /** Offsets at which lines begin. */
  get starts(): readonly number[] {
    return (this.#starts ??= lineStarts(this.text));
  }

  /** Scopes, bindings and resolved names of the file. */
  get bindings(): Bindings {
    return (this.#bindings ??= bind(this));
  }

  get style(): Style {
    return (this.#style ??= styleOf(this.text));
  }

  get eol(): Style['eol'] {
    return this.style.eol;
  }

  /** True for `__init__.py`, whose relative imports start at its own folder. */
  get isPackage(): boolean {
    return /(?:^|\/)__init__\.pyi?$/.test(this.path);
  }

  span(node: PyNode): Span {
    return { start: node.start, end: node.end };
  }

  site(at: Span, label?: string): Site {
    return siteOf(this.path, this.starts, at, label);
  }

  textOf(node: Span): string {
    return this.text.slice(node.start, node.end);
  }
}
