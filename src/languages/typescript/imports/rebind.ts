import { ts } from 'ts-morph';
import type { ImportNeed, TextEdit } from '../../../core/index.js';
import type { TypeScriptFile } from '../file.js';
import { referencesOf } from '../scope/query.js';
import { removalOf } from './lines.js';
import { editList } from './list.js';
import { insertStatements } from './place.js';
import { renderList, renderElement, renderStatements } from './render.js';
import type { ImportBinding, ImportSite, SiteName } from './sites.js';
import { importBindings, importSites, importStyleOf } from './sites.js';
import type { Wanted } from './wanted.js';
import { demandOf } from './wanted.js';

/** Names of one module and one kind that come together in one statement. */
interface Group {
  readonly specifier: string;
  readonly typeOnly: boolean;
  readonly bindings: ImportBinding[];
}

/** What happens to one statement. */
interface Change {
  readonly site: ImportSite;
  readonly gone: Set<SiteName>;
  readonly come: ImportBinding[];
  /** The module it imports from, after the change. */
  specifier: string;
}

const isNamed = (binding: ImportBinding): boolean => binding.name !== '*' && binding.name !== 'default';

/** Every name that the statement had goes. */
const isEmptied = (change: Change): boolean => change.site.names.length > 0 && change.gone.size === change.site.names.length;

function usesInlineType(sites: readonly ImportSite[]): boolean {
  return sites.some((site) => !site.typeOnly && site.names.some((name) => name.typeOnly));
}

/** True when a statement that stays can take one more name. */
function canTake(change: Change, binding: ImportBinding, inlineType: boolean): boolean {
  const { site } = change;
  if (site.specifier !== binding.specifier || !site.editable || site.style === 'equals' || isEmptied(change)) return false;
  if (!isNamed(binding) && !(site.style === 'require' && binding.name === 'default')) return false;
  if (site.typeOnly !== binding.typeOnly && !(binding.typeOnly && inlineType)) return false;
  if (site.list) return true;
  // `import express from 'express'` becomes `import express, { Router } from 'express'`; a namespace, a type default and a bare import do not.
  return site.style === 'import' && !site.typeOnly && site.names.length === 1 && site.names[0]?.name === 'default' && !change.gone.has(site.names[0]);
}

/** How much of a statement lives on in a group: the same local names count more than the same exported ones. */
function kinship(site: ImportSite, group: Group): number {
  let score = site.typeOnly === group.typeOnly ? 1 : 0;
  for (const old of site.names) {
    for (const binding of group.bindings) {
      if (old.local === binding.local) score += 4;
      else if (old.name === binding.name) score += 2;
    }
  }
  return score;
}

/** Groups take the place of statements that would vanish, the closest kin first. Returns the groups that found none. */
function reuse(changes: readonly Change[], groups: readonly Group[], style: 'import' | 'require'): readonly Group[] {
  const vacant = changes.filter(
    (change) => isEmptied(change) && change.site.editable && change.come.length === 0 && (change.site.style === 'require') === (style === 'require'),
  );
  const offers = vacant.flatMap((change) => groups.map((group) => ({ change, group, score: kinship(change.site, group) }))).sort((a, b) => b.score - a.score);
  const placed = new Set<Group>();
  const taken = new Set<Change>();
  for (const { change, group } of offers) {
    if (placed.has(group) || taken.has(change)) continue;
    placed.add(group);
    taken.add(change);
    change.specifier = group.specifier;
    change.come.push(...group.bindings);
  }
  return groups.filter((group) => !placed.has(group));
}

/** Comments inside of a statement that is written anew; they go in front of it. */
function commentsIn(file: TypeScriptFile, statement: ts.Statement): string {
  const start = statement.getStart(file.tree);
  const source = file.text.slice(start, statement.end);
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, source);
  let comments = '';
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    if (kind === ts.SyntaxKind.SingleLineCommentTrivia || kind === ts.SyntaxKind.MultiLineCommentTrivia) comments += scanner.getTokenText() + file.eol;
  }
  return comments;
}

/** The statement is written anew: a namespace becomes names, a default becomes a list, a type import a value import. */
function rewriteWhole(file: TypeScriptFile, change: Change): readonly TextEdit[] {
  const { site } = change;
  const kept = site.names.filter((name) => !change.gone.has(name));
  const bindings: readonly ImportBinding[] = [...kept, ...change.come].map((binding) => ({ ...binding, specifier: change.specifier }));
  const style = site.style === 'require' ? 'require' : 'import';
  const byKind = [bindings.filter((binding) => !binding.typeOnly), bindings.filter((binding) => binding.typeOnly)];
  const text = commentsIn(file, site.statement) + byKind.flatMap((list) => renderStatements(file, list, style)).join(file.eol);
  return [{ ...file.span(site.statement), text }];
}

/** Default, braces and comma of `import express, { Router } from …` when one of both goes or comes. */
function editClause(file: TypeScriptFile, change: Change): readonly TextEdit[] | undefined {
  const { site, gone, come } = change;
  const byDefault = site.style === 'import' ? site.names.find((name) => name.name === 'default' && ts.isIdentifier(name.node)) : undefined;
  const { list } = site;
  const named = site.names.filter((name) => name !== byDefault);
  if (named.some((name) => name.name === '*' && ts.isNamespaceImport(name.node)) && byDefault) return undefined;
  const edits: TextEdit[] = [];
  const listEmptied = list !== undefined && named.length > 0 && named.every((name) => gone.has(name)) && come.length === 0;
  if (byDefault && gone.has(byDefault)) {
    if (!list || listEmptied) return undefined;
    edits.push({ start: byDefault.node.getStart(file.tree), end: list.getStart(file.tree), text: '' });
  }
  if (list && listEmptied) {
    if (!byDefault || gone.has(byDefault)) return undefined;
    edits.push({ start: byDefault.node.end, end: list.end, text: '' });
  } else if (list) edits.push(...editList(file, site, new Set(named.filter((name) => gone.has(name))), come, site.typeOnly));
  else if (byDefault && come.length > 0) {
    const texts = come.map((binding) => renderElement(file, binding, 'import', binding.typeOnly));
    edits.push({ start: byDefault.node.end, end: byDefault.node.end, text: `, ${renderList(file, texts)}` });
  }
  return edits;
}

function editSite(file: TypeScriptFile, change: Change): readonly TextEdit[] {
  const { site, gone, come } = change;
  const { literal } = site;
  const moved: readonly TextEdit[] =
    change.specifier === site.specifier ? [] : [{ start: literal.getStart(file.tree) + 1, end: literal.end - 1, text: change.specifier }];
  if (gone.size === 0 && come.length === 0) return moved;
  const kindChanges = isEmptied(change) && come.some((binding) => binding.typeOnly !== site.typeOnly);
  const onlyList = come.every((binding) => isNamed(binding) || (site.style === 'require' && binding.name === 'default'));
  if (isEmptied(change)) {
    // `import * as sdk from 'a'` to `import * as sdk from 'b'`, `import a from 'x'` to `import a from 'y'`: only the module moves.
    const [old, ...otherOld] = site.names;
    const [next, ...otherNext] = come;
    const isSole = otherOld.length === 0 && otherNext.length === 0 && old?.name === next?.name && old?.local === next?.local;
    if (isSole && next && !kindChanges && (!site.list || isNamed(next))) return moved;
    if (kindChanges || !site.list || !onlyList || site.names.some((name) => name.name === 'default' && ts.isIdentifier(name.node) && site.style === 'import'))
      return rewriteWhole(file, change);
  } else if (!onlyList) return rewriteWhole(file, change);
  const edits = editClause(file, change);
  return edits ? [...edits, ...moved] : rewriteWhole(file, change);
}

function removeSite(file: TypeScriptFile, site: ImportSite): readonly TextEdit[] {
  const { text } = file;
  const removal = removalOf(text, file.span(site.statement));
  // The only import goes: the blank line that set it apart goes with it.
  const first = file.tree.statements[0] === site.statement && removal.start === 0;
  const gap = first ? /^(?:[ \t]*(?:\r\n|\n|\r))+/.exec(text.slice(removal.end))?.[0].length : 0;
  return [{ start: removal.start, end: removal.end + (gap ?? 0), text: commentsKept(file, site) }];
}

/** Comments inside of a statement that vanishes stay where it stood. */
const commentsKept = (file: TypeScriptFile, site: ImportSite): string => commentsIn(file, site.statement);

/**
 * Changes the import block by minimal edits. Names that go and names that come are paired: a rename or a move to another module is an
 * edit in place, so that comments, order and layout stay. What comes without a counterpart joins a statement of the same module and kind,
 * or becomes a new statement behind the imports, in the file's quotes, semicolons and line ends (`require` in CommonJS scripts).
 * Bindings in `remove` that the file does not have are ignored, and so is everything in `add` that it has already.
 */
export function rebindImports(
  file: TypeScriptFile,
  changes: { readonly remove: readonly ImportBinding[]; readonly add: readonly Wanted[] },
): readonly TextEdit[] {
  const sites = importSites(file);
  const { removed, added } = demandOf(file, sites, changes.remove, changes.add);
  if (removed.size === 0 && added.length === 0) return [];
  const style = importStyleOf(file, sites);
  const inlineType = usesInlineType(sites);
  const plan = sites.map((site): Change => ({ site, gone: new Set(site.names.filter((name) => removed.has(name))), come: [], specifier: site.specifier }));
  const groups: Group[] = [];
  for (const binding of added) {
    const host = plan.find((change) => canTake(change, binding, inlineType));
    if (host) {
      host.come.push(binding);
      continue;
    }
    const group = groups.find((candidate) => candidate.specifier === binding.specifier && candidate.typeOnly === binding.typeOnly);
    if (group) group.bindings.push(binding);
    else groups.push({ specifier: binding.specifier, typeOnly: binding.typeOnly, bindings: [binding] });
  }
  const fresh = reuse(plan, groups, style);
  const vanishing = new Set(plan.filter((change) => isEmptied(change) && change.come.length === 0).map((change) => change.site));
  const statements = fresh.flatMap((group) => renderStatements(file, group.bindings, style));
  const edits = plan.flatMap((change) => (vanishing.has(change.site) ? removeSite(file, change.site) : editSite(file, change)));
  return [...joinDeletions(file, edits), ...insertStatements(file, sites, vanishing, statements)];
}

/** Two statements that vanish from one line both claim the blanks between them, and together perhaps the line. */
function joinDeletions(file: TypeScriptFile, edits: readonly TextEdit[]): readonly TextEdit[] {
  const joined: { start: number; end: number; text: string }[] = [];
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = joined.at(-1);
    if (last && edit.start < last.end && edit.text === '') Object.assign(last, removalOf(file.text, { start: last.start, end: Math.max(last.end, edit.end) }));
    else joined.push({ ...edit });
  }
  return joined;
}

/** Edits that make needed names available to a file; nothing for those it imports already under the wanted local name. */
export const importEdits = (file: TypeScriptFile, needs: readonly ImportNeed[]): readonly TextEdit[] => rebindImports(file, { remove: [], add: needs });

/** Edits of `after` that drop the imports which `before` used and `after` does not. */
export function importCleanup(before: TypeScriptFile, after: TypeScriptFile): readonly TextEdit[] {
  const used = (file: TypeScriptFile, binding: ImportBinding): boolean => {
    const declaration = file.bindings.root.values.get(binding.local) ?? file.bindings.root.types.get(binding.local);
    return declaration !== undefined && referencesOf(declaration, file).length > 0;
  };
  const earlier = importBindings(before);
  const remove = importBindings(after).filter(
    (binding) =>
      !used(after, binding) &&
      earlier.some((old) => old.specifier === binding.specifier && old.name === binding.name && old.local === binding.local && used(before, old)),
  );
  return rebindImports(after, { remove, add: [] });
}
