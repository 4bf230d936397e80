import type { TextEdit } from '../../../core/index.js';
import { applyEdits } from '../../../core/index.js';
import type { TypeScriptFile } from '../file.js';
import { parse } from '../parse.js';
import type { Context } from './edits.js';
import { carefulEdits } from './edits.js';
import { liftedEdits, wholeRange } from './fallback.js';
import { hunksOf } from './hunks.js';
import { shapeOf, tokensOf } from './tokens.js';

function parsed(path: string, text: string, which: string): TypeScriptFile {
  const { file, problem } = parse(path, text);
  if (!file) throw new Error(`token diff of ${path}: the text ${which} does not parse: ${problem.reason}`);
  return file;
}

/** True when the edits make the program that was wanted: the same tokens in the same tree. */
function isProved(context: Context, path: string, edits: readonly TextEdit[]): boolean {
  let text: string;
  try {
    text = applyEdits(context.old.text, edits);
  } catch {
    return false;
  }
  const { file } = parse(path, text);
  if (!file) return false;
  const tokens = tokensOf(file);
  return (
    tokens.length === context.newTokens.length &&
    tokens.every((token, index) => token.key === context.newTokens[index]?.key) &&
    shapeOf(file) === shapeOf(context.next)
  );
}

/**
 * Edits of `before` that give it the tokens of `after`, and leave every byte between unchanged tokens alone: blanks, comments and quotes of
 * `before` stay. What is new comes in the line ends, indentation and quotes of `before`. Comments inside of deleted code stay where they
 * were; comments at the rim of inserted code are not taken over. The result is checked by parsing it.
 * @throws Error when one of the texts does not parse
 */
export function tokenDiff(before: string, after: string, options: { readonly path: string }): readonly TextEdit[] {
  const old = parsed(options.path, before, 'before');
  const next = parsed(options.path, after, 'after');
  const context: Context = { old, next, oldTokens: tokensOf(old), newTokens: tokensOf(next) };
  const hunks = hunksOf(context.oldTokens, context.newTokens);
  if (hunks.length === 0) return [];
  const attempts = [carefulEdits, liftedEdits];
  for (const attempt of attempts) {
    const edits = attempt(context, hunks);
    if (isProved(context, options.path, edits)) return edits;
  }
  return wholeRange(context, hunks);
}
