import { type Binding, type ImportedName, type PyNode, contentSpan, importedNames, originOf, stringValue } from '../../../src/languages/python/index.js';
import { indentAt, lineEnd, lineStart } from './edits.js';
import { isExported, resolvesTo } from './exports.js';
import type { Pass } from './pass.js';
import { isSdkPath, isShaped, targetOf } from './targets.js';

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')));
const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

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
  const renames = planRenames(pass, [...statements.values()].flat());
  for (const [statement, names] of statements) {
    if (names[0]?.form === 'import') for (const imported of names) moveModule(pass, imported);
    else if (names[0]?.form === 'star') moveStar(pass, names[0]);
    else moveFrom(pass, statement, names, renames);
  }
  moveMembers(pass);
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
    if (same && !taken && (planned.get(next) ?? binding) === binding && !isExported(pass, imported.name)) {
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
    if (target?.kind === 'text' && replaceByText(pass, imported, target.text)) {
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

/** Takes names out of a `from` statement; the whole statement when none is left. */
function dropNames(pass: Pass, statement: PyNode, gone: readonly PyNode[], everything: boolean): void {
  if (gone.length === 0) return;
  if (everything) {
    removeStatement(pass, statement);
    return;
  }
  const all = statement.all('name');
  const { text } = pass.file;
  for (const node of gone) {
    const index = all.indexOf(node);
    const next = all.slice(index + 1).find((other) => !gone.includes(other));
    const before = all
      .slice(0, index)
      .reverse()
      .find((other) => !gone.includes(other));
    const close = all[index + 1];
    if (next && close) pass.edits.remove({ start: node.start, end: close.start });
    else if (before) pass.edits.remove({ start: (all[index - 1] ?? before).end, end: node.end });
    else pass.edits.remove({ start: node.start, end: text.indexOf(',', node.end) + 1 || node.end });
  }
}

/** Takes a statement out with its line; a block that would be empty gets `pass`. */
export function removeStatement(pass: Pass, statement: PyNode): void {
  const { text } = pass.file;
  const block = statement.parent;
  const alone = block?.kind === 'block' && block.children.every((child) => child === statement || pass.edits.isTaken(child));
  const start = lineStart(text, statement.start);
  const whole = text.slice(start, statement.start).trim() === '' && /^[ \t]*(?:\r\n|\n|\r|$)/.test(text.slice(statement.end));
  if (alone) pass.edits.replace(statement, 'pass');
  else if (whole) pass.edits.remove({ start, end: lineEnd(text, statement.end) });
  else pass.edits.remove({ start: statement.start, end: statement.end + (/^[ \t]*;[ \t]*/.exec(text.slice(statement.end))?.[0].length ?? 0) });
}

function replaceByText(pass: Pass, imported: ImportedName, text: string): boolean {
  const binding = bindingOf(pass, imported);
  if (!binding || binding.sites.length > 1 || isExported(pass, imported.local ?? imported.name)) return false;
  for (const use of pass.usesOf(binding)) pass.edits.replace(use, text);
  return true;
}

/** `fm.FastMCP`, `mcp.server.fastmcp.FastMCP`, `types.Content`: members of imported modules. */
function moveMembers(pass: Pass): void {
  for (const node of pass.all('attribute')) {
    const object = node.get('object');
    const name = node.get('attribute');
    if (!object || !name) continue;
    const origin = originOf(node, pass.file);
    const whole = originOf(object, pass.file);
    if (origin?.via !== 'import' || !whole || !isSdkPath(whole.path) || isShaped(origin.path)) continue;
    if (origin.imported && pass.isDual(origin.imported)) continue;
    const target = targetOf(origin.path);
    if (!target) continue;
    if (target.kind === 'gone') {
      if (targetOf(whole.path)?.kind !== 'gone') pass.mark('removed-name', node, target.next);
      continue;
    }
    if (target.kind === 'text') {
      pass.edits.replace(node, target.text);
      continue;
    }
    const module = targetOf(whole.path);
    const home = module?.kind === 'moved' ? module.path : whole.path;
    if (parentOf(target.path) === home || publicHome(home, target.path)) pass.edits.replace(name, lastOf(target.path));
    else pass.edits.replace(node, pass.need(parentOf(target.path), lastOf(target.path)));
  }
}

/** Modules of SDK 2.x that offer the name as well as the module that it is imported from otherwise. */
const publicHome = (home: string, path: string): boolean =>
  path === 'mcp.server.mcpserver.MCPServer' || path === 'mcp.server.mcpserver.Context'
    ? home === 'mcp.server.mcpserver.server' || (home === 'mcp.server' && path.endsWith('MCPServer'))
    : false;

/** Calls that take a dotted name of a module or of something in it. */
const NAMED = /(?:import|load|require|patch|setattr|delattr|find_spec|reload|logger|getLogger|resolve|locate|setitem|setdefault|get|pop)/i;

/** Strings that name something of the SDK: `import_module("mcp.…")`, `mock.patch("mcp.….streamablehttp_client")`, `getattr(module, "McpError")`. */
function moveStrings(pass: Pass): void {
  for (const node of pass.all('string')) {
    const value = stringValue(node, pass.file);
    const span = contentSpan(node);
    if (value === undefined || !span || pass.text(span) !== value) continue;
    if (/^mcp(?:\.\w+)+$/.test(value)) moveDotted(pass, node, value);
    else if (/^[\w.]+\.\w+$/.test(value)) moveOwn(pass, node, value);
  }
  for (const call of pass.all('call')) {
    const callee = call.get('function');
    const args = call.get('arguments')?.children ?? [];
    const called = callee && pass.text(callee).split('.').at(-1);
    const second = args[1];
    if (!second || second.kind !== 'string' || !args[0] || !/^(?:getattr|hasattr|setattr|delattr|object)$/.test(called ?? '')) continue;
    const value = stringValue(second, pass.file);
    const span = contentSpan(second);
    const origin = originOf(args[0], pass.file);
    if (value === undefined || !span || !origin || !isSdkPath(origin.path)) continue;
    const target = targetOf(`${origin.path}.${value}`);
    if (target?.kind === 'moved' && lastOf(target.path) !== value) pass.edits.replace(span, lastOf(target.path));
    else if (target?.kind === 'gone') pass.mark('removed-name', second, target.next);
  }
}

function moveDotted(pass: Pass, node: PyNode, value: string): void {
  const span = contentSpan(node);
  const target = targetOf(value);
  if (!target || !span || isDualString(pass, node)) return;
  if (target.kind === 'gone') {
    if (isNamed(pass, node)) pass.mark('removed-name', node, target.next);
    return;
  }
  if (target.kind !== 'moved') return;
  if (isNamed(pass, node) || targetOf(parentOf(value)) !== undefined) pass.edits.replace(span, target.path);
  else pass.mark('dynamic-name', node, `This names something of SDK 1.x; in 2.x it is \`${target.path}\`.`);
}

/** A name of this repository through which a test reaches an SDK name: `patch("app.client.streamablehttp_client")`. */
function moveOwn(pass: Pass, node: PyNode, value: string): void {
  if (!isNamed(pass, node)) return;
  const span = contentSpan(node);
  const renamed = resolvesTo(pass, value);
  if (span && renamed !== undefined) pass.edits.replace({ start: span.end - lastOf(value).length, end: span.end }, renamed);
}

function isNamed(pass: Pass, node: PyNode): boolean {
  const parent = node.parent;
  if (parent?.kind === 'subscript') return pass.text(parent.get('value') ?? parent).includes('modules');
  const call = parent?.kind === 'argument_list' ? parent.parent : parent?.parent?.parent;
  const callee = call?.kind === 'call' ? call.get('function') : undefined;
  return callee !== undefined && NAMED.test(pass.text(callee).split('.').at(-1) ?? '');
}

/** A `try` whose other arm loads SDK 2.x by its dotted name. */
function isDualString(pass: Pass, node: PyNode): boolean {
  let at: PyNode | undefined = node;
  while (at && at.kind !== 'try_statement') at = at.parent;
  return at !== undefined && /mcp\.server\.mcpserver|\bMCPError\b|mcp_types/.test(pass.text(at)) && pass.text(at).includes('except');
}
