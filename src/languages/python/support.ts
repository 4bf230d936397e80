import type { LanguageSupport } from '../support.js';
import { importCleanup, importEdits } from './imports/edit.js';
import { parse } from './parse.js';
import { syntaxProblem, unresolvedNames } from './proof/faults.js';
import { dependencies } from './resolve.js';
import { walk } from './walk.js';

/** The Python front end. `loadParser` must have run before it parses. */
export const python: LanguageSupport<'python'> = {
  id: 'python',
  extensions: ['.py', '.pyi'],
  parse,
  walk,
  dependencies,
  importEdits,
  importCleanup,
  syntaxProblem,
  unresolvedNames,
  // Removals are asked for in npm manifests only; the pins of Python move, they never go.
  namesPackage: () => false,
};
