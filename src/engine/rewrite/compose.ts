import { posix } from 'node:path';
import type { ImportNeed, Need, TextEdit } from '../../core/index.js';
import { isPythonPackaging, languageFor, languageIdOf, loadLanguage, loadPackaging, type LanguageSupport } from '../../languages/index.js';
import { manifestEdits, Overlay, unmetNeeds, type ManifestNeed } from '../../workspace/index.js';
import { groupBy } from '../order.js';
import { mergeNeeds, NeedConflict, type NeedOf } from './needs.js';
import { mergeChanges, type Proposal } from './proposal.js';

/** Turns the model of a shim into the text of a file. The command line injects the template engine. */
export type RenderShim = (template: string, model: Readonly<Record<string, unknown>>) => string;

/** One rewriting of one file: what `prove` looks at. */
export interface Step {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly edits: readonly TextEdit[];
}

/** A state in which several proposals and everything that they need are applied. */
export interface Composed {
  readonly stage: Overlay;
  readonly steps: readonly Step[];
  /** Needs that a person has to satisfy, in words. */
  readonly unmet: readonly { readonly need: Need; readonly reason: string }[];
}

export interface ComposeTools {
  readonly renderShim: RenderShim;
  /** Analysed files of the package in a folder: where an import of a removed dependency could be left. */
  filesOf(folder: string): readonly string[];
  /** Is there a file in the package that could not be analysed? Then nobody knows what it imports. */
  hasGaps(folder: string): boolean;
  /** Removals that earlier rounds asked for and that were still needed then. */
  readonly pending: readonly NeedOf<'dependency'>[];
}

/**
 * Applies proposals to a fork of the base: first their edits, then shims, imports, imports that nobody uses any longer, manifests.
 * @throws NeedConflict, ChangeError, OverlapError when they do not fit together or onto the base
 */
export async function compose(base: Overlay, proposals: readonly Proposal[], tools: ComposeTools): Promise<Composed> {
  const stage = new Overlay(base);
  const steps: Step[] = [];
  const edit = (file: string, edits: readonly TextEdit[]): void => {
    if (edits.length === 0) return;
    const before = stage.text(file) ?? '';
    stage.apply([{ kind: 'edit', file, edits }]);
    steps.push({ file, before, after: stage.text(file) ?? '', edits });
  };

  for (const change of mergeChanges(proposals)) {
    if (change.kind === 'edit') edit(change.file, change.edits);
    else stage.apply([change]);
  }
  const needs = mergeNeeds([...proposals.flatMap((proposal) => proposal.needs), ...tools.pending]);
  for (const need of needs) if (need.kind === 'shim') placeShim(stage, need, tools.renderShim);

  const imports = groupBy(
    needs.filter((need): need is ImportNeed & { kind: 'import' } => need.kind === 'import'),
    (need) => need.file,
  );
  for (const file of new Set([...stage.paths(), ...imports.keys()])) {
    const support = await supportFor(file);
    if (!support || !stage.exists(file)) continue;
    const wanted = imports.get(file);
    const added = wanted && withTree(support, file, stage.text(file), (tree) => support.importEdits(tree, wanted));
    if (added) edit(file, added);
    const old = base.text(file);
    if (old === undefined) continue;
    const dropped = withTree(support, file, old, (before) => withTree(support, file, stage.text(file), (after) => support.importCleanup(before, after)));
    if (dropped) edit(file, dropped);
  }

  const unmet: { readonly need: Need; readonly reason: string }[] = [];
  const byManifest = groupBy(
    needs.filter((need): need is ManifestNeed => need.kind === 'dependency' || need.kind === 'engine'),
    (need) => need.manifest,
  );
  for (const [manifest, own] of byManifest) {
    const text = stage.text(manifest);
    const due = own.filter((need) => !(need.kind === 'dependency' && need.remove === true && stillNeeded(stage, need, tools) !== undefined));
    if (text === undefined) {
      unmet.push(...due.map((need) => ({ need, reason: `${manifest} does not exist; declare ${need.name} where the package declares its dependencies` })));
      continue;
    }
    try {
      const python = isPythonPackaging(manifest) ? (await loadPackaging()).settlePackaging(manifest, text, due) : undefined;
      edit(manifest, python?.edits ?? manifestEdits(text, due));
      unmet.push(...(python?.unmet ?? unmetNeeds(text, due)).map((entry) => ({ need: entry.need, reason: `${manifest}: ${entry.reason}` })));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      unmet.push(
        ...due.map((need) => ({
          need,
          reason: `${manifest} cannot be read (${error.message}); state ${need.name} ${need.range ?? ''} there by hand`.replace(/ {2,}/g, ' '),
        })),
      );
    }
  }
  return { stage, steps, unmet };
}

/** The front end of a path, loaded. */
export async function supportFor(path: string): Promise<LanguageSupport | undefined> {
  const id = languageIdOf(path);
  if (id === undefined) return undefined;
  await loadLanguage(id);
  return languageFor(path);
}

/** What to ask of a parsed text; `undefined` for a text that does not parse (the proof will say so). */
function withTree<T>(
  support: LanguageSupport,
  path: string,
  text: string | undefined,
  ask: (tree: Parameters<LanguageSupport['importEdits']>[0]) => T,
): T | undefined {
  const file = text === undefined ? undefined : support.parse(path, text).file;
  return file && ask(file);
}

function placeShim(stage: Overlay, need: NeedOf<'shim'>, renderShim: RenderShim): void {
  const text = renderShim(need.template, need.model);
  if (!stage.exists(need.path)) stage.apply([{ kind: 'create', file: need.path, text }]);
  else if (stage.text(need.path) !== text) throw new NeedConflict(need.path);
}

/** What keeps a dependency in its manifest, in words: a file whose code names it, or files that could not be read. */
export function stillNeeded(stage: Overlay, need: NeedOf<'dependency'>, tools: Pick<ComposeTools, 'filesOf' | 'hasGaps'>): string | undefined {
  const folder = posix.dirname(need.manifest);
  const files = new Set([...tools.filesOf(folder), ...stage.paths().filter((path) => folder === '.' || path.startsWith(`${folder}/`))]);
  const named = [...files].find((path) => path !== need.manifest && languageFor(path)?.namesPackage(path, stage.text(path) ?? '', need.name) === true);
  if (named !== undefined) return `${named} still names it`;
  return tools.hasGaps(folder) ? 'a file of the package could not be read, so nobody knows what it imports' : undefined;
}
