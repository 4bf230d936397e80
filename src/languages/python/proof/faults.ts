import { parse } from '../parse.js';
import { BUILTINS } from './builtins.js';
import { syntaxFault } from './ruff.js';

/** The first syntax fault of a text: a Python parser decides, not the tolerant grammar. */
export const syntaxProblem = (_path: string, text: string): { readonly line: number; readonly message: string } | undefined => syntaxFault(text);

/** Names that are used and bound by no scope and no builtin. Empty for an unparsable text. */
export function unresolvedNames(path: string, text: string): ReadonlySet<string> {
  const { file } = parse(path, text);
  if (!file) return new Set();
  return new Set(file.bindings.unresolved.map((node) => file.textOf(node)).filter((name) => !BUILTINS.has(name)));
}
