import type { LanguageSupport } from '../support.js';
import { parse } from './parse.js';
import { importCleanup, importEdits } from './imports/rebind.js';
import { dependencies } from './resolve.js';
import { walk } from './walk.js';

/** The TypeScript and JavaScript front end. */
export const typescript: LanguageSupport<'typescript'> = {
  id: 'typescript',
  extensions: ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'],
  parse,
  walk,
  dependencies,
  importEdits,
  importCleanup,
  syntaxProblem(path, text) {
    const { problem } = parse(path, text);
    return problem && { line: problem.line ?? 1, message: problem.reason };
  },
  unresolvedNames: () => new Set(),
};
