import { type Binding, type ImportedName, type PyNode, contentSpan, importedNames } from '../../../src/languages/python/index.js';
import { indentAt } from './edits.js';
import { isExported } from './exports.js';
import { moveMembers } from './members.js';
import type { Pass } from './pass.js';
import { lastOf, parentOf } from './paths.js';
import { dropNames } from './statements.js';
import { moveStrings } from './strings.js';
import { isSdkPath, targetOf } from './targets.js';
import { type TextTarget, spelledText } from './texts.js';

/** A name of a `from` statement on its way. */
interface Moving {
  readonly imported: ImportedName;
  readonly module: string;
  readonly name: string;
  /** The name that it has here from now on. */
  readonly local: string;
}

/** Imports of SDK 1.x in every form, and the uses of what they bring in. */
export function moveNames(pass: Pass): void {
  const statements = new Map<PyNode, ImportedName[]>();
  for (const imported of importedNames(pass.file)) {
    if (!isSdkPath(imported.module) || pass.isDual(imported)) continue;
    const list = statements.get(imported.statement);
    if (list) list.push(imported);
    else statements.set(imported.statement, [imported]);
  }
  // Whole paths go first: one that ends elsewhere is not cut at its first name.
  moveMembers(pass);
  const renames = planRenames(pass, [...statements.values()].flat());
  for (const [statement, names] of statements) {
    if (names[0]?.form === 'import') for (const imported of names) moveModule(pass, imported);
    else if (names[0]?.form === 'star') moveStar(pass, names[0]);
    else moveFrom(pass, statement, names, renames);
  }
  moveStrings(pass);
}

const pathOf = (imported: ImportedName): string => `${imported.module}.${imported.name}`;

/** The binding of an imported name. */
const bindingOf = (pass: Pass, imported: ImportedName): Binding | undefined =>
  pass.file.bindings.all.find((binding) =>
    binding.sites.some(
      (site) =>
        site.how === 'import' && site.node === imported.statement && site.identifier.start >= imported.node.start && site.identifier.end <= imported.node.end,
    ),
  );

/**
 * Decides for each binding whether its uses take the new name. They keep the old one, behind an alias, when the new one is taken, when
 * others import it from here, or when something else is bound to the name as well.
 */
function planRenames(pass: Pass, names: readonly ImportedName[]): ReadonlyMap<Binding, string> {
  const renames = new Map<Binding, string>();
  const planned = new Map<string, Binding>();
  for (const imported of names) {
    if (imported.form !== 'from' || imported.alias !== undefined) continue;
    const target = targetOf(pathOf(imported));
    const binding = bindingOf(pass, imported);
    if (target?.kind !== 'moved' || !binding || lastOf(target.path) === imported.name) continue;
    const next = lastOf(target.path);
    const same = binding.sites.every((site) => {
      const other = names.find(({ statement, node }) => statement === site.node && site.identifier.start >= node.start && site.identifier.end <= node.end);
      const to = other && targetOf(pathOf(other));
      return to?.kind === 'moved' && lastOf(to.path) === next;
    });
    const taken = pass.isTaken(next) && !alreadyImports(pass, target.path, next);
    if (same && !taken && (planned.get(next) ?? binding) === binding && !isExported(pass.file, imported.name, pass.project)) {
      renames.set(binding, next);
      planned.set(next, binding);
    }
  }
  for (const [binding, next] of renames) {
    for (const use of pass.usesOf(binding)) pass.edits.replace(use, next);
    renameQuoted(pass, binding.name, next);
  }
  return renames;
}

/** The new name is there already, and means the same: half of the file has been moved by hand. */
const alreadyImports = (pass: Pass, path: string, local: string): boolean =>
  importedNames(pass.file).some(
    (imported) => imported.form === 'from' && imported.local === local && (pathOf(imported) === path || lastOf(pathOf(imported)) === lastOf(path)),
  ) && pass.file.bindings.all.filter((binding) => binding.name === local).length === 1;

/** Names inside of quoted annotations. */
function renameQuoted(pass: Pass, from: string, to: string): void {
  const word = new RegExp(`(?<![\\w.])${from}(?!\\w)`, 'g');
  for (const node of pass.all('string')) {
    let at = node.parent;
    while (at && at.kind !== 'type' && !at.kind.endsWith('statement') && at.kind !== 'call') at = at.parent;
    const span = at?.kind === 'type' ? contentSpan(node) : undefined;
    if (!span) continue;
    for (const match of pass.text(span).matchAll(word))
      pass.edits.replace({ start: span.start + match.index, end: span.start + match.index + from.length }, to);
  }
}

function moveModule(pass: Pass, imported: ImportedName): void {
  const target = targetOf(imported.module);
  if (!target) return;
  if (target.kind === 'gone') pass.mark('removed-name', imported.node, target.next);
  if (target.kind !== 'moved') return;
  const dotted = imported.node.kind === 'aliased_import' ? imported.node.get('name') : imported.node;
  if (dotted) pass.edits.replace(dotted, target.path);
}

function moveStar(pass: Pass, imported: ImportedName): void {
  const target = targetOf(imported.module);
  const module = imported.statement.get('module_name');
  if (!target || !module) return;
  if (target.kind !== 'moved') {
    if (target.kind === 'gone') pass.mark('removed-name', imported.node, target.next);
    return;
  }
  pass.edits.replace(module, target.path);
  for (const node of pass.file.bindings.unresolved) {
    const inner = targetOf(`${imported.module}.${pass.text(node)}`);
    if (inner?.kind === 'moved' && lastOf(inner.path) !== pass.text(node)) pass.edits.replace(node, lastOf(inner.path));
  }
}

function moveFrom(pass: Pass, statement: PyNode, names: readonly ImportedName[], renames: ReadonlyMap<Binding, string>): void {
  const module = statement.get('module_name');
  if (!module) return;
  const moving: Moving[] = [];
  const gone: PyNode[] = [];
  for (const imported of names) {
    if (pass.dropped.has(imported)) {
      gone.push(imported.node);
      continue;
    }
    const path = pathOf(imported);
    const target = targetOf(path);
    const local = imported.local ?? imported.name;
    if (target?.kind === 'gone') pass.mark('removed-name', imported.node, target.next);
    if (target?.kind === 'text' && replaceByText(pass, imported, target)) {
      gone.push(imported.node);
      continue;
    }
    if (target?.kind !== 'moved') {
      moving.push({ imported, module: imported.module, name: imported.name, local });
      continue;
    }
    const binding = bindingOf(pass, imported);
    const renamed = binding && renames.get(binding);
    moving.push({ imported, module: parentOf(target.path), name: lastOf(target.path), local: renamed ?? local });
  }
  const modules = [...new Set(moving.map((each) => each.module))];
  const home = modules.includes(names[0]?.module ?? '') ? names[0]?.module : modules[0];
  const away = moving.filter((each) => each.module !== home);
  const staying = moving.filter((each) => each.module === home);
  if (home !== undefined && home !== names[0]?.module) pass.edits.replace(module, home);
  for (const each of staying) rewriteName(pass, each, staying);
  dropNames(pass, statement, [...gone, ...away.map((each) => each.imported.node)], staying.length === 0);
  if (away.length === 0) return;
  const indent = indentAt(pass.file.text, statement.start);
  const lines = modules.filter((each) => each !== home).map((each) => `from ${each} import ${spelled(away.filter((one) => one.module === each))}`);
  pass.edits.insert(statement.end, lines.map((line) => pass.file.eol + indent + line).join(''));
}

const spelled = (names: readonly Moving[]): string =>
  [...new Set(names.map((each) => (each.local === each.name ? each.name : `${each.name} as ${each.local}`)))].join(', ');

/** The name in its place; one that has become equal to a neighbour is dropped. */
function rewriteName(pass: Pass, each: Moving, all: readonly Moving[]): void {
  const { node, name, alias } = each.imported;
  const twin = all.find((other) => other !== each && other.name === each.name && other.local === each.local && all.indexOf(other) < all.indexOf(each));
  if (twin) {
    dropNames(pass, each.imported.statement, [node], false);
    return;
  }
  if (alias !== undefined) {
    const dotted = node.get('name');
    if (dotted && each.name !== name) pass.edits.replace(dotted, each.name);
  } else if (each.name !== name || each.local !== name) pass.edits.replace(node, each.local === each.name ? each.name : `${each.name} as ${each.local}`);
}

function replaceByText(pass: Pass, imported: ImportedName, target: TextTarget): boolean {
  const binding = bindingOf(pass, imported);
  if (!binding || binding.sites.length > 1 || isExported(pass.file, imported.local ?? imported.name, pass.project)) return false;
  const text = spelledText(pass, target);
  for (const use of pass.usesOf(binding)) pass.edits.replace(use, text);
  return true;
}
