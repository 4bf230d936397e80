import { lineStarts, siteOf, type Site, type Span } from '../../core/index.js';
import type { LanguageSupport } from '../support.js';

/** A line without its line break; `start` is its offset in the file. */
export interface TextLine {
  readonly number: number;
  readonly start: number;
  readonly text: string;
}

/** A file without a grammar of its own here: configuration of servers and clouds, scripts of a shell, and prose. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly TextLine[];
  site(span: Span, label?: string): Site;
}

/** Kinds that a listener can name. */
export interface TextVisitors {
  readonly Line?: (line: TextLine) => void;
}

declare module '../../core/concern.js' {
  interface Languages {
    text: { readonly file: TextFile; readonly visitors: TextVisitors };
  }
}

function read(path: string, text: string): TextFile {
  const starts = lineStarts(text);
  const lines = starts.map((start, index) => ({ number: index + 1, start, text: text.slice(start, starts[index + 1] ?? text.length).replace(/[\r\n]+$/, '') }));
  return { path, text, lines, site: (span, label) => siteOf(path, starts, span, label) };
}

/** Plain text, read only. */
export const text: LanguageSupport<'text'> = {
  id: 'text',
  extensions: ['.conf', '.cfg', '.nginx', '.tf', '.hcl', '.bicep', '.md', '.sh', '.bash', '.zsh'],
  parse: (path, content) => ({ file: read(path, content) }),
  walk(file, listeners) {
    for (const line of file.lines) for (const listener of listeners) listener.Line?.(line);
  },
  dependencies: () => [],
  importEdits: () => [],
  importCleanup: () => [],
  syntaxProblem: () => undefined,
  unresolvedNames: () => new Set(),
  namesPackage: () => false,
};
