/* Signatures that other parts code against while the bodies are written. */
import type { Project } from 'ts-morph';
import type { TextEdit } from '../../core/index.js';
import type { TypeScriptFile } from './file.js';

const pending = (): never => {
  throw new Error('under construction');
};

/** Edits of `before` that give it the tokens of `after`. */
export const tokenDiff: (before: string, after: string, options: { readonly path: string }) => readonly TextEdit[] = pending;
/** Runs a standard jscodeshift module on a file; the result as minimal edits. Loads jscodeshift on first call. */
export const runJscodeshift: (
  transform: (file: { path: string; source: string }, api: never, options: object) => string | null | undefined,
  file: TypeScriptFile,
) => readonly TextEdit[] = pending;
/** A fresh in-memory ts-morph project without libraries. */
export const scratchProject: () => Project = pending;
