import {
  applyEdits as applyJsonEdits,
  modify,
  parseTree,
  type JSONPath,
  type ModificationOptions,
  type Node,
  findNodeAtLocation,
  getNodeValue,
} from 'jsonc-parser';
import semver from 'semver';
import { dominantEol, type Need, type TextEdit } from '../core/index.js';
import { editsBetween } from './diff.js';
import { insertProperty, objectAt, removeProperty } from './json-object.js';

/** What a manifest can satisfy. */
export type ManifestNeed = Extract<Need, { kind: 'dependency' | 'engine' }>;
type DependencyNeed = Extract<Need, { kind: 'dependency' }>;
type EngineNeed = Extract<Need, { kind: 'engine' }>;

/** A need that the manifest states in a way that is not edited, and what a person has to do. */
export interface UnmetNeed {
  readonly need: ManifestNeed;
  readonly reason: string;
}

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;
type Section = (typeof SECTIONS)[number];

/**
 * Edits of a `package.json` that satisfy the needs. Indentation, line ends, order and the final newline stay; a section
 * that was sorted stays sorted. A range is only replaced when it allows less than what is needed, and never lowered.
 * @throws SyntaxError when the text is not a JSON object
 */
export function manifestEdits(text: string, needs: readonly ManifestNeed[]): readonly TextEdit[] {
  return editsBetween(text, settle(text, needs).text);
}

/** Needs that `manifestEdits` leaves to a person: ranges that point at a catalog, a workspace, a folder or a repository. */
export function unmetNeeds(text: string, needs: readonly ManifestNeed[]): readonly UnmetNeed[] {
  return settle(text, needs).unmet;
}

interface Settled {
  readonly text: string;
  readonly unmet: readonly UnmetNeed[];
}

function settle(original: string, needs: readonly ManifestNeed[]): Settled {
  if (parseObject(original) === undefined) throw new SyntaxError('the manifest is not a JSON object');
  const unmet: UnmetNeed[] = [];
  let text = original;
  const removals = needs.filter((need): need is DependencyNeed => need.kind === 'dependency' && need.remove === true);
  const additions = needs.filter((need): need is DependencyNeed => need.kind === 'dependency' && need.remove !== true);
  const homes = new Map(additions.map((need) => [need, homeOf(original, need, removals)]));
  for (const need of additions) {
    const range = need.range;
    if (range === undefined) continue;
    const present = SECTIONS.filter((section) => valueAt(text, [section, need.name]) !== undefined);
    for (const section of present) {
      const verdict = raise(String(valueAt(text, [section, need.name])), range);
      if (verdict.range !== undefined) text = set(text, [section, need.name], verdict.range);
      if (verdict.reason !== undefined) unmet.push({ need, reason: `${section} ${need.name}: ${verdict.reason}` });
    }
    if (present.length === 0) for (const section of homes.get(need) ?? ['dependencies']) text = set(text, [section, need.name], range);
  }
  // After the additions: a section that is never empty keeps its place.
  for (const need of removals) text = removeDependency(text, need.name);
  for (const need of needs) if (need.kind === 'engine') text = raiseEngine(text, need);
  return { text, unmet };
}

/** A package that takes the place of removed ones goes where they were; anything else is a dependency. */
function homeOf(text: string, need: DependencyNeed, removals: readonly DependencyNeed[]): readonly Section[] {
  const scope = need.name.startsWith('@') ? need.name.slice(0, need.name.indexOf('/') + 1) : undefined;
  const kin = removals.filter((removal) => scope !== undefined && removal.name.startsWith(scope));
  const homes = SECTIONS.filter((section) => kin.some((removal) => valueAt(text, [section, removal.name]) !== undefined));
  return homes.length > 0 ? homes : ['dependencies'];
}

function removeDependency(text: string, name: string): string {
  let next = text;
  for (const section of SECTIONS) if (valueAt(next, [section, name]) !== undefined) next = set(next, [section, name], undefined);
  if (valueAt(next, ['peerDependenciesMeta', name]) !== undefined) next = set(next, ['peerDependenciesMeta', name], undefined);
  return next;
}

/** The new range of a dependency, or why it is left alone. Neither: it is good as it is. */
function raise(current: string, needed: string): { readonly range?: string; readonly reason?: string } {
  if (current === needed) return {};
  const old = semver.validRange(current);
  if (old === null || /^[a-z]+:/.test(current)) {
    const where = current.startsWith('catalog:')
      ? 'the catalog of the workspace'
      : current.startsWith('workspace:')
        ? 'the member of the workspace'
        : 'its source';
    return { reason: `"${current}" is not a version range; raise it to ${needed} in ${where}` };
  }
  if (semver.subset(current, needed)) return {};
  const lowest = semver.minVersion(current);
  const target = semver.minVersion(needed);
  if (lowest && target && semver.gt(lowest, target))
    return lowest.major === target.major ? {} : { reason: `"${current}" is above ${needed}; check that it still works` };
  return { range: needed };
}

/** Raises a minimum that is declared. An absent one promises nothing, so nothing has to be raised. */
function raiseEngine(text: string, need: EngineNeed): string {
  const current = valueAt(text, ['engines', need.name]);
  if (typeof current !== 'string' || semver.validRange(current) === null || semver.validRange(need.range) === null) return text;
  if (semver.subset(current, need.range)) return text;
  const kept = current.split('||').flatMap((part) => raisePart(part.trim(), need.range));
  return set(text, ['engines', need.name], [...new Set(kept.length > 0 ? kept : [need.range])].join(' || '));
}

/** One alternative of a range: kept when it is high enough, dropped when it is too low, cut from below in between. */
function raisePart(part: string, needed: string): readonly string[] {
  if (semver.subset(part, needed)) return [part];
  if (!semver.intersects(part, needed)) return [];
  const upper = (new semver.Range(part).set[0] ?? [])
    .filter((comparator) => comparator.operator.startsWith('<'))
    .map((comparator) => comparator.value.replace(/-0$/, ''));
  return [[needed, ...upper].join(' ')];
}

const parseObject = (text: string): Node | undefined => {
  const tree = parseTree(text.replace(/^\uFEFF/, ' '));
  return tree?.type === 'object' ? tree : undefined;
};

function valueAt(text: string, path: JSONPath): unknown {
  const tree = parseObject(text);
  const node = tree && findNodeAtLocation(tree, path);
  return node ? (getNodeValue(node) as unknown) : undefined;
}

function set(text: string, path: JSONPath, value: unknown): string {
  const holder = objectAt(text, path.slice(0, -1));
  const name = String(path.at(-1));
  const names = holder?.map(({ name: other }) => other) ?? [];
  // What is there is replaced or taken out, and what is new is put in, in the style of its neighbours.
  const own = names.indexOf(name);
  if (holder && own >= 0 && value === undefined && holder.length > 1) return removeProperty(text, holder, own);
  if (holder && own < 0 && value !== undefined && holder.length > 0) return insertProperty(text, holder, name, value);
  const inline = holder === undefined && path.length === 2 ? objectAt(text, []) : undefined;
  if (inline && inline.length > 0 && value !== undefined && !text.trim().includes('\n'))
    return insertProperty(text, inline, String(path[0]), { [name]: value });
  // A manifest of one line stays one: without formatting options the library inserts and removes in place.
  const options: ModificationOptions = text.trim().includes('\n') ? { formattingOptions: { ...indentation(text), eol: dominantEol(text) } } : {};
  const next = applyJsonEdits(text, modify(text, path, value, options));
  // The last entry of a section goes with it, so that no empty section is left that was not there before.
  const emptied = value === undefined && names.length === 1 && path.length === 2;
  return emptied ? removeSection(next, String(path[0]), options) : next;
}

function removeSection(text: string, name: string, options: ModificationOptions): string {
  const sections = objectAt(text, []) ?? [];
  const own = sections.findIndex((section) => section.name === name);
  return own >= 0 && sections.length > 1 ? removeProperty(text, sections, own) : applyJsonEdits(text, modify(text, [name], undefined, options));
}

/** Indentation of the first nested line; two spaces when the text has one line. */
function indentation(text: string): { readonly insertSpaces: boolean; readonly tabSize: number } {
  const unit = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  return unit.startsWith('\t') ? { insertSpaces: false, tabSize: 1 } : { insertSpaces: true, tabSize: unit.length };
}
