import type { LanguageSupport } from '../support.js';
import { importCleanup, importEdits } from './imports/rebind.js';
import { parse } from './parse.js';
import { syntaxProblem, unresolvedNames } from './proof/faults.js';
import { namesPackage } from './proof/packages.js';
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
  syntaxProblem,
  unresolvedNames,
  namesPackage,
};
