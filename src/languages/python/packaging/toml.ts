import { parseTOML } from 'toml-eslint-parser';
import type { Span } from '../../../core/index.js';
import { insertAfterElement, insertLine } from './insertion.js';
import { normalName, parseRequirement, type Purpose, type Requirement } from './requirement.js';

type Tree = ReturnType<typeof parseTOML>;
type Entry = Extract<Tree['body'][0]['body'][number], { type: 'TOMLKeyValue' }>;
type Value = Entry['value'];
type Path = readonly string[];

/** A value of a TOML text under its full path. */
interface Leaf {
  readonly path: Path;
  readonly entry: Entry;
}

const keysOf = (entry: Entry): Path => entry.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value));

function leaves(tree: Tree): readonly Leaf[] {
  const found: Leaf[] = [];
  const visit = (entry: Entry, above: Path): void => {
    const path = [...above, ...keysOf(entry)];
    found.push({ path, entry });
    if (entry.value.type === 'TOMLInlineTable') for (const inner of entry.value.body) visit(inner, path);
  };
  for (const node of tree.body[0].body) {
    if (node.type === 'TOMLKeyValue') visit(node, []);
    else for (const entry of node.body) visit(entry, node.resolvedKey.map(String));
  }
  return found;
}

/** Lists of PEP 508 strings: pattern of the path (`*` is any one key), purpose. */
const LISTS: readonly (readonly [string, Purpose])[] = [
  ['project.dependencies', 'runtime'],
  ['project.optional-dependencies.*', 'extra'],
  ['dependency-groups.*', 'group'],
  ['build-system.requires', 'build'],
  ['tool.uv.dev-dependencies', 'group'],
  ['tool.uv.constraint-dependencies', 'constraint'],
  ['tool.uv.override-dependencies', 'constraint'],
  ['tool.hatch.envs.*.dependencies', 'group'],
  ['tool.hatch.envs.*.extra-dependencies', 'group'],
  ['tool.hatch.metadata.hooks.*.dependencies', 'build'],
  ['tool.pdm.dev-dependencies.*', 'group'],
  ['tool.rye.dev-dependencies', 'group'],
  ['tool.flit.metadata.requires', 'runtime'],
  ['tool.flit.metadata.requires-extra.*', 'extra'],
];

/** Tables whose keys are distributions and whose values are ranges. */
const TABLES: readonly (readonly [string, Purpose])[] = [
  ['tool.poetry.dependencies', 'runtime'],
  ['tool.poetry.dev-dependencies', 'group'],
  ['tool.poetry.group.*.dependencies', 'group'],
  ['tool.pixi.pypi-dependencies', 'runtime'],
  ['tool.pixi.feature.*.pypi-dependencies', 'group'],
  ['packages', 'runtime'],
  ['dev-packages', 'group'],
];

function purposeOf(path: Path, patterns: readonly (readonly [string, Purpose])[]): Purpose | undefined {
  return patterns.find(([pattern]) => {
    const keys = pattern.split('.');
    return keys.length === path.length && keys.every((key, index) => key === '*' || key === path[index]);
  })?.[1];
}

const inside = (range: readonly [number, number]): Span => ({ start: range[0] + 1, end: range[1] - 1 });
const isString = (value: Value): value is Extract<Value, { kind: 'string' }> => value.type === 'TOMLValue' && value.kind === 'string';

/** A literal in the quotes of another one. */
const quoted = (text: string, like: readonly [number, number], content: string): string => {
  const quote = text[like[0]] === "'" ? "'" : '"';
  return quote + content + quote;
};

function fromList(text: string, leaf: Leaf, purpose: Purpose): readonly Requirement[] {
  if (leaf.entry.value.type !== 'TOMLArray') return [];
  return leaf.entry.value.elements.flatMap((element): readonly Requirement[] => {
    if (!isString(element) || element.multiline) return [];
    const range = element.range;
    const raw = text.slice(range[0] + 1, range[1] - 1);
    const found = parseRequirement(raw, range[0] + 1);
    if (!found) return [];
    return [
      {
        ...found,
        place: leaf.path.join('.'),
        purpose,
        beside: (name, specifier) => insertAfterElement(text, { start: range[0], end: range[1] }, quoted(text, range, name + specifier)),
      },
    ];
  });
}

const SOURCES = new Set(['git', 'path', 'url', 'file', 'ref', 'editable', 'workspace', 'index']);

function fromTable(text: string, leaf: Leaf, name: string, place: Path, purpose: Purpose, siblings: readonly Leaf[]): Requirement | undefined {
  const { value } = leaf.entry;
  const whole: Span = { start: leaf.entry.range[0], end: leaf.entry.range[1] };
  const shared = { name: normalName(name), place: place.join('.'), purpose, valued: true, span: whole } as const;
  const at = leaf.entry.range[0];
  const beside = (other: string, specifier: string): ReturnType<typeof insertLine> => insertLine(text, at, `${other} = "${specifier}"`);
  if (isString(value)) return { ...shared, extras: [], specifier: value.value === '*' ? '' : value.value, specifierSpan: inside(value.range), beside };
  if (value.type !== 'TOMLInlineTable') return { ...shared, extras: [], specifier: '', specifierSpan: whole, frozen: 'it has several alternatives' };
  const members = siblings.filter((other) => other.path.length === leaf.path.length + 1 && leaf.path.every((key, index) => key === other.path[index]));
  return fromMembers(members, { ...shared, beside });
}

/** A requirement whose range, extras and source are keys of a table. */
function fromMembers(
  members: readonly Leaf[],
  shared: Pick<Requirement, 'name' | 'place' | 'purpose' | 'valued' | 'span' | 'beside'>,
): Requirement | undefined {
  const key = (member: Leaf): string => member.path.at(-1) ?? '';
  const extras = members.flatMap((member) =>
    key(member) === 'extras' && member.entry.value.type === 'TOMLArray' ? member.entry.value.elements.filter(isString).map((element) => element.value) : [],
  );
  const source = members.find((member) => SOURCES.has(key(member)));
  const version = members.find((member) => key(member) === 'version')?.entry.value;
  if (source || version === undefined || !isString(version))
    return { ...shared, extras, specifier: '', specifierSpan: shared.span, frozen: source ? `its ${key(source)} is given` : 'it states no version' };
  return { ...shared, extras, specifier: version.value === '*' ? '' : version.value, specifierSpan: inside(version.range) };
}

/**
 * Requirements of a `pyproject.toml`, a `Pipfile` or the TOML of an inline script.
 * @throws SyntaxError when the text is not TOML
 */
export function tomlRequirements(text: string): readonly Requirement[] {
  const all = leaves(parse(text));
  const sources = new Map(
    all.flatMap(({ path }) => (path.length >= 4 && path[0] === 'tool' && path[1] === 'uv' && path[2] === 'sources' ? [[normalName(path[3] ?? ''), path]] : [])),
  );
  const found: Requirement[] = [];
  const seen = new Set<string>();
  for (const leaf of all) {
    const list = purposeOf(leaf.path, LISTS) ?? (leaf.path.length === 1 && leaf.path[0] === 'dependencies' ? 'runtime' : undefined);
    if (list) found.push(...fromList(text, leaf, list));
    const name = leaf.path.at(-1) ?? '';
    const table = purposeOf(leaf.path.slice(0, -1), TABLES);
    if (table && name !== 'python') {
      const one = fromTable(text, leaf, name, leaf.path.slice(0, -1), table, all);
      if (one) found.push(one);
    }
    // `[tool.poetry.dependencies.mcp]`: a table of its own.
    const outer = purposeOf(leaf.path.slice(0, -2), TABLES);
    const owner = leaf.path.slice(0, -1).join('\0');
    const inline = all.some((other) => other.path.join('\0') === owner && other.entry.value.type === 'TOMLInlineTable');
    if (outer && !inline && !seen.has(owner)) {
      seen.add(owner);
      const members = all.filter((other) => other.path.slice(0, -1).join('\0') === owner);
      const one = fromMembers(members, {
        name: normalName(leaf.path.at(-2) ?? ''),
        place: leaf.path.slice(0, -2).join('.'),
        purpose: outer,
        valued: true,
        span: { start: leaf.entry.range[0], end: leaf.entry.range[1] },
      });
      if (one) found.push(one);
    }
  }
  return found.map((one) => (one.frozen === undefined && sources.has(one.name) ? { ...one, frozen: 'tool.uv.sources says where it comes from' } : one));
}

/**
 * The stated minimum of Python itself: value and range of `project.requires-python`, of Poetry's `python`, or of an inline script.
 * @throws SyntaxError when the text is not TOML
 */
export function tomlPython(text: string): readonly { readonly specifier: string; readonly span: Span }[] {
  const places = ['project.requires-python', 'tool.poetry.dependencies.python', 'requires-python'];
  return leaves(parse(text)).flatMap(({ path, entry }) =>
    places.includes(path.join('.')) && isString(entry.value) ? [{ specifier: entry.value.value, span: inside(entry.value.range) }] : [],
  );
}

function parse(text: string): Tree {
  try {
    return parseTOML(text, { tomlVersion: '1.1.0' });
  } catch (error) {
    const line = typeof error === 'object' && error !== null && 'lineNumber' in error ? ` (line ${String(error.lineNumber)})` : '';
    throw new SyntaxError(`not valid TOML${line}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
