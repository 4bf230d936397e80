import type { ImportNeed, TextEdit } from '../../../core/index.js';
import type { PythonFile } from '../file.js';
import type { PyNode } from '../node.js';
import { importedNames, type ImportedName } from '../provenance/imports.js';
import { placeForImport } from './place.js';

/** A name to import: `name` of `module`, or the module itself when `name` is `*`. */
export type WantedImport = Pick<ImportNeed, 'module' | 'name' | 'as'>;

/** The dotted name of a need: a path of the repository becomes the module that it is. */
export const moduleName = (module: string): string =>
  module.endsWith('.py')
    ? module
        .replace(/^src\//, '')
        .replace(/(?:\/__init__)?\.py$/, '')
        .replaceAll('/', '.')
    : module;

const written = ({ name, as }: WantedImport): string => (as === undefined || as === name ? name : `${name} as ${as}`);

/** An import statement for one wanted name. */
const statementFor = (wanted: WantedImport): string => {
  if (wanted.name !== '*') return `from ${moduleName(wanted.module)} import ${written(wanted)}`;
  return `import ${moduleName(wanted.module)}${wanted.as === undefined ? '' : ` as ${wanted.as}`}`;
};

/** True when a name of the module already is what is wanted, for the whole module. */
function satisfied(wanted: WantedImport, names: readonly ImportedName[], dropped: ReadonlySet<ImportedName>): boolean {
  const local = wanted.as ?? (wanted.name === '*' ? undefined : wanted.name);
  return names.some(
    (imported) =>
      !dropped.has(imported) &&
      imported.guard === undefined &&
      imported.statement.parent?.kind === 'module' &&
      imported.module === moduleName(wanted.module) &&
      imported.name === wanted.name &&
      (imported.form === 'from' ? imported.local === local : imported.form === 'import' && imported.alias === wanted.as),
  );
}

/** The names of a `from` statement and the text after them, for a rewrite of the whole list. */
interface ListEdit {
  readonly statement: PyNode;
  readonly drop: readonly ImportedName[];
  readonly add: readonly WantedImport[];
}

/**
 * Edits that drop imported names and add others. A statement that loses its last name goes with its line, unless a wanted name of
 * another module takes its place. Comments, brackets and trailing commas of what stays are kept.
 */
export function editImports(file: PythonFile, drop: readonly ImportedName[], add: readonly WantedImport[]): readonly TextEdit[] {
  const names = importedNames(file);
  const dropped = new Set(drop);
  const wanted = distinct(add).filter((each) => !satisfied(each, names, dropped));
  const edits: TextEdit[] = [];
  const lists = new Map<PyNode, ListEdit>();
  for (const each of drop) {
    const list = lists.get(each.statement);
    lists.set(each.statement, { statement: each.statement, drop: [...(list?.drop ?? []), each], add: list?.add ?? [] });
  }
  const rest: WantedImport[] = [];
  for (const each of wanted) {
    const host = each.name === '*' ? undefined : hostOf(each, names, dropped);
    if (!host) {
      rest.push(each);
      continue;
    }
    const list = lists.get(host);
    lists.set(host, { statement: host, drop: list?.drop ?? [], add: [...(list?.add ?? []), each] });
  }
  for (const list of lists.values()) {
    const own = names.filter(({ statement }) => statement === list.statement);
    const staying = own.filter((each) => !dropped.has(each));
    if (staying.length > 0) edits.push(...listEdits(list, own, file));
    else edits.push(...replaceStatement(list, rest, file));
  }
  if (rest.length > 0) {
    const { offset, before, after } = placeForImport(file);
    const text = `${before}${grouped(rest).join(file.eol)}${after}`;
    // A name may be added to the very statement that the new one follows.
    const at = edits.findIndex((edit) => edit.start === offset && edit.end === offset);
    const same = edits[at];
    if (same) edits[at] = { ...same, text: same.text + text };
    else edits.push({ start: offset, end: offset, text });
  }
  return edits.sort((a, b) => a.start - b.start);
}

/** An unconditional `from` statement of the module, at module level, that a name can join. */
function hostOf(wanted: WantedImport, names: readonly ImportedName[], dropped: ReadonlySet<ImportedName>): PyNode | undefined {
  return names.find(
    (each) =>
      each.form === 'from' &&
      each.guard === undefined &&
      each.statement.parent?.kind === 'module' &&
      each.module === moduleName(wanted.module) &&
      names.some((other) => other.statement === each.statement && !dropped.has(other)),
  )?.statement;
}

/** Removes and inserts names within a list that keeps at least one. */
function listEdits({ drop, add }: ListEdit, own: readonly ImportedName[], file: PythonFile): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  const gone = new Set(drop);
  const last = own.filter((each) => !gone.has(each)).at(-1);
  for (const [index, each] of own.entries()) {
    if (!gone.has(each)) continue;
    const next = own[index + 1];
    const previous = own[index - 1];
    // Up to the next name, comma and blanks included; the last name takes the comma before it.
    if (next) edits.push({ start: each.node.start, end: next.node.start, text: '' });
    else if (previous) edits.push({ start: gone.has(previous) ? each.node.start : previous.node.end, end: each.node.end, text: '' });
  }
  if (add.length > 0 && last)
    edits.push({ start: last.node.end, end: last.node.end, text: add.map((each) => separator(last, own, file) + written(each)).join('') });
  return edits;
}

/** A comma with what stands between names in this list: a blank, or a line break with the indentation. */
function separator(last: ImportedName, own: readonly ImportedName[], file: PythonFile): string {
  const { text } = file;
  const lineStart = Math.max(text.lastIndexOf('\n', last.node.start), text.lastIndexOf('\r', last.node.start)) + 1;
  const indent = text.slice(lineStart, last.node.start);
  const alone = /^[ \t]+$/.test(indent) && own.length > 0;
  return alone ? `,${file.eol}${indent}` : ', ';
}

/** A statement without names left: the first wanted import takes its place, else its line goes. */
function replaceStatement({ statement, add }: ListEdit, rest: WantedImport[], file: PythonFile): readonly TextEdit[] {
  const taken = [...add, ...rest.splice(0)];
  const indent = indentBefore(statement, file);
  if (taken.length > 0) return [{ start: statement.start, end: statement.end, text: grouped(taken).join(`${file.eol}${indent}`) }];
  const siblings = statement.parent?.children ?? [];
  // A block must keep a statement.
  if (statement.parent?.kind === 'block' && siblings.length === 1) return [{ start: statement.start, end: statement.end, text: 'pass' }];
  return [{ ...lineOf(statement, file), text: '' }];
}

function indentBefore(node: PyNode, file: PythonFile): string {
  const start = Math.max(file.text.lastIndexOf('\n', node.start - 1), file.text.lastIndexOf('\r', node.start - 1)) + 1;
  return /^[ \t]*/.exec(file.text.slice(start, node.start))?.[0] ?? '';
}

/** The whole line of a statement when nothing else stands on it; else the statement and the `;` behind it. */
function lineOf(statement: PyNode, file: PythonFile): { readonly start: number; readonly end: number } {
  const { text } = file;
  const start = statement.start - indentBefore(statement, file).length;
  const clear = start === 0 || /[\r\n]/.test(text.charAt(start - 1));
  const tail = /^[ \t]*(\r\n|\n|\r|$)/.exec(text.slice(statement.end));
  if (clear && tail) return { start, end: statement.end + tail[0].length };
  const semicolon = /^[ \t]*;[ \t]*/.exec(text.slice(statement.end));
  return { start: statement.start, end: statement.end + (semicolon?.[0].length ?? 0) };
}

/** One statement for each module, in the order of first mention. */
function grouped(wanted: readonly WantedImport[]): readonly string[] {
  const byModule = new Map<string, WantedImport[]>();
  const lines: string[] = [];
  for (const each of wanted) {
    if (each.name === '*') lines.push(statementFor(each));
    else byModule.set(moduleName(each.module), [...(byModule.get(moduleName(each.module)) ?? []), each]);
  }
  return [...lines, ...[...byModule].map(([module, names]) => `from ${module} import ${names.map(written).sort().join(', ')}`)];
}

const distinct = (wanted: readonly WantedImport[]): readonly WantedImport[] => [...new Map(wanted.map((each) => [statementFor(each), each])).values()];

/** Edits that make the needed names available. Needs that the file satisfies already yield nothing. */
export const importEdits = (file: PythonFile, needs: readonly ImportNeed[]): readonly TextEdit[] => editImports(file, [], needs);

/** Edits of `after.text` that drop imports which were used in `before` and are used nowhere in `after`. */
export function importCleanup(before: PythonFile, after: PythonFile): readonly TextEdit[] {
  const used = (file: PythonFile, local: string): boolean =>
    file.bindings.all.some((binding) => binding.name === local && file.bindings.usesOf(binding).length > 0) || exported(file, local);
  const drop = importedNames(after).filter(
    ({ local, module, guard }) =>
      local !== undefined && module !== '__future__' && guard?.kind !== 'import-error' && used(before, local) && !used(after, local),
  );
  return editImports(after, drop, []);
}

/** Named in `__all__`, or re-exported by a package file. */
const exported = (file: PythonFile, local: string): boolean => file.isPackage || new RegExp(`__all__[^]*?['"]${local}['"]`).test(file.text);
