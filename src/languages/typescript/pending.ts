/* Signatures that other parts code against while the bodies are written. */
import type { Project } from 'ts-morph';
import type { ImportNeed, TextEdit } from '../../core/index.js';
import type { TypeScriptFile } from './file.js';

const pending = (): never => {
  throw new Error('under construction');
};

export const importEdits: (file: TypeScriptFile, needs: readonly ImportNeed[]) => readonly TextEdit[] = pending;
/** One imported name of a file. */
export interface ImportBinding {
  readonly specifier: string;
  /** Exported name, `default` or `*`. */
  readonly name: string;
  readonly local: string;
  readonly typeOnly: boolean;
}
/** Static imports (and top-level `require` constants) of a file. */
export const importBindings: (file: TypeScriptFile) => readonly ImportBinding[] = pending;
/** Changes the import block by minimal edits. A removed binding and an added one with the same local name or module are edited in place. */
export const rebindImports: (file: TypeScriptFile, changes: { readonly remove: readonly ImportBinding[]; readonly add: readonly ImportNeed[] }) => readonly TextEdit[] = pending;
/** Edits of `before` that give it the tokens of `after`. */
export const tokenDiff: (before: string, after: string, options: { readonly path: string }) => readonly TextEdit[] = pending;
/** Runs a standard jscodeshift module on a file; the result as minimal edits. Loads jscodeshift on first call. */
export const runJscodeshift: (transform: (file: { path: string; source: string }, api: never, options: object) => string | null | undefined, file: TypeScriptFile) => readonly TextEdit[] = pending;
/** A fresh in-memory ts-morph project without libraries. */
export const scratchProject: () => Project = pending;
