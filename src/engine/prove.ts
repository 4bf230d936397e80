import type { Proof, TextEdit } from '../core/index.js';
import type { TextSource } from '../workspace/index.js';
import { supportFor, type Composed, type Step } from './rewrite/compose.js';

/** The proofs of every changed file, and the first thing that is wrong, in words. */
export interface ProofRun {
  readonly proofs: readonly Proof[];
  readonly problem: string | undefined;
}

/**
 * Checks a composed state before anything is kept: each changed file parses, uses no name that is bound nowhere and was not
 * used before, and is identical outside of its edits. A file without a front end has nothing to parse.
 */
export async function prove(base: TextSource, composed: Composed): Promise<ProofRun> {
  const proofs: Proof[] = [];
  let problem: string | undefined;
  const note = (text: string): void => void (problem ??= text);
  for (const file of composed.stage.paths()) {
    const after = composed.stage.text(file);
    if (after === undefined) continue;
    const before = base.text(file);
    const support = await supportFor(file);
    const fault = support?.syntaxProblem(file, after);
    // A file that did not parse before is none of our doing, but nothing is proved about it either.
    const parses = fault === undefined;
    if (fault) note(`${file}:${fault.line} would no longer parse: ${fault.message}`);
    const missing =
      support && parses ? newNames(support.unresolvedNames(file, after), before === undefined ? new Set() : support.unresolvedNames(file, before)) : [];
    if (missing.length > 0) note(`${file} would use ${missing.map((name) => `"${name}"`).join(', ')}, which nothing declares`);
    const own = composed.steps.filter((step) => step.file === file);
    const untouched = isChain(before, after, own) && own.every((step) => sameOutside(step.before, step.after, step.edits));
    if (!untouched) note(`${file} would change outside of its edits`);
    proofs.push({ file, parses, names: missing.length === 0, untouched });
  }
  return { proofs, problem };
}

const newNames = (after: ReadonlySet<string>, before: ReadonlySet<string>): readonly string[] => [...after].filter((name) => !before.has(name)).sort();

/** The steps lead from the text before to the text after without a gap; a created file has none. */
function isChain(before: string | undefined, after: string, steps: readonly Step[]): boolean {
  if (before === undefined) return true;
  const end = steps.reduce<string | undefined>((text, step) => (text === step.before ? step.after : undefined), before);
  return end === after;
}

/** Compares the text between the edits, on its own account: it does not use what applied them. */
export function sameOutside(before: string, after: string, edits: readonly TextEdit[]): boolean {
  let from = 0;
  let to = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const kept = edit.start - from;
    if (kept < 0 || before.slice(from, edit.start) !== after.slice(to, to + kept) || after.slice(to + kept, to + kept + edit.text.length) !== edit.text)
      return false;
    from = edit.end;
    to += kept + edit.text.length;
  }
  return before.slice(from) === after.slice(to);
}
