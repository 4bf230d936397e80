import type { FileOf, ImportNeed, LanguageId, NotAnalysed, TextEdit, VisitorsOf } from '../core/index.js';

/** Why a text could not be parsed; the engine adds the path and reports it as not analysed. */
export interface ParseProblem {
  readonly why: NotAnalysed['why'];
  /** What exactly, and what to do. */
  readonly reason: string;
  /** 1-based line of the fault. */
  readonly line?: number;
}

/** A parsed file, or the reason why there is none. */
export type Parsed<F> = { readonly file: F; readonly problem?: undefined } | { readonly file?: undefined; readonly problem: ParseProblem };

/**
 * What every front end offers to the engine, whatever its tree looks like. Offsets are UTF-16 code units of the text
 * as given (a byte order mark counts as one unit).
 */
export interface LanguageSupport<L extends LanguageId = LanguageId> {
  readonly id: L;
  /** Extensions with the dot, lower case, e.g. `.ts`. */
  readonly extensions: readonly string[];
  /** Never throws; `path` is relative to the root and decides the dialect. */
  parse(path: string, text: string): Parsed<FileOf<L>>;
  /** One walk in source order; every node goes only to the listeners of its kind. Does not recurse, so depth cannot overflow it. */
  walk(file: FileOf<L>, listeners: readonly VisitorsOf<L>[]): void;
  /** Files of the repository that this file names in imports of any form, without duplicates, in order of appearance. `has` tells whether a repository path exists. */
  dependencies(file: FileOf<L>, has: (path: string) => boolean): readonly string[];
  /** Edits of `file.text` that make the needed names available. Needs that the file satisfies already yield nothing. */
  importEdits(file: FileOf<L>, needs: readonly ImportNeed[]): readonly TextEdit[];
  /** Edits of `after.text` that drop imports which were used in `before` and are used nowhere in `after`. */
  importCleanup(before: FileOf<L>, after: FileOf<L>): readonly TextEdit[];
  /** Proof: the first syntax fault of a text, scope faults included (a name declared twice, `await` outside of an async function). */
  syntaxProblem(path: string, text: string): { readonly line: number; readonly message: string } | undefined;
  /** Proof: names that are used but bound by no scope and no known global. Compare the sets before and after an edit. Empty for an unparsable text. */
  unresolvedNames(path: string, text: string): ReadonlySet<string>;
  /** Does the code of a text name a package of its ecosystem, so that it has to stay installed? Prose, comments and settings do not. */
  namesPackage(path: string, text: string, name: string): boolean;
}
