import { stringValue } from '../constants.js';
import type { PythonFile } from '../file.js';
import type { PyNode } from '../node.js';
import { importedAt, originsOf } from '../provenance/origin.js';
import type { PyType, TypeFacts } from './type.js';

/** Generic classes of the standard library, by their last name, that stand for one of the built-in shapes. */
const STANDARD: Readonly<Record<string, string>> = {
  List: 'list',
  Dict: 'dict',
  Tuple: 'tuple',
  Set: 'set',
  FrozenSet: 'set',
  Collection: 'list',
  DefaultDict: 'dict',
  AsyncContextManager: 'enter',
  ContextManager: 'enter',
  AbstractAsyncContextManager: 'enter',
  AbstractContextManager: 'enter',
};
/** Wrappers that say nothing about the value. */
const TRANSPARENT: ReadonlySet<string> = new Set([
  'Optional',
  'Annotated',
  'Awaitable',
  'Coroutine',
  'Final',
  'ClassVar',
  'Required',
  'NotRequired',
  'Type',
  'type',
  'Union',
]);

/** The types that an annotation names: unions give several, `Optional` and `Annotated` are looked through, strings are read. */
export function annotationTypes(annotation: PyNode, file: PythonFile, facts: TypeFacts): readonly PyType[] {
  const node = annotation.kind === 'type' && annotation.children[0] ? annotation.children[0] : annotation;
  switch (node.kind) {
    case 'binary_operator':
    case 'union_type':
      return node.children.flatMap((part) => annotationTypes(part, file, facts));
    case 'string':
      return fromText(stringValue(node, file) ?? '', node, file, facts);
    case 'generic_type':
    case 'subscript': {
      const head = node.children[0];
      const listed = node.kind === 'generic_type' ? (node.first('type_parameter')?.children ?? []) : node.all('subscript');
      if (!head) return [];
      const name = lastName(file.textOf(head));
      if (name === 'Coroutine') return listed[2] ? annotationTypes(listed[2], file, facts) : [];
      if (name === 'Annotated') return listed[0] ? annotationTypes(listed[0], file, facts) : [];
      if (TRANSPARENT.has(name)) return listed.flatMap((part) => annotationTypes(part, file, facts));
      const args = listed.map((part) => annotationTypes(part, file, facts)[0] ?? { name: 'object', args: [] });
      return named(head, file, facts).map((type) => ({ name: type.name, args: type.args.length > 0 ? type.args : args }));
    }
    case 'identifier':
    case 'attribute':
    case 'member_type':
      return named(node, file, facts);
    case 'parenthesized_expression':
      return node.children.flatMap((part) => annotationTypes(part, file, facts));
    default:
      return [];
  }
}

const lastName = (text: string): string => text.slice(text.lastIndexOf('.') + 1).trim();

function named(node: PyNode, file: PythonFile, facts: TypeFacts): readonly PyType[] {
  const text = file.textOf(node);
  const binding = node.kind === 'identifier' ? file.bindings.of(node) : undefined;
  if (binding?.sites.some(({ how }) => how === 'class')) return [{ name: `@${text}`, args: [] }];
  const known = originsOf(node, file).flatMap(({ path }) => fromPath(path, facts));
  if (known.length > 0) return known;
  const name = lastName(text);
  return [{ name: STANDARD[name] ?? name, args: [] }];
}

function fromPath(path: string, facts: TypeFacts): readonly PyType[] {
  const canonical = facts.canonical(path);
  return facts.returns(canonical) === undefined ? [] : [{ name: canonical, args: [] }];
}

/** A quoted annotation: the dotted names in it, one level of brackets. */
function fromText(text: string, at: PyNode, file: PythonFile, facts: TypeFacts): readonly PyType[] {
  const one = (dotted: string): readonly PyType[] => {
    const [head = '', ...rest] = dotted.split('.');
    const binding = file.bindings.lookup(head, at);
    if (!binding) return [];
    if (rest.length === 0 && binding.sites.some(({ how }) => how === 'class')) return [{ name: `@${head}`, args: [] }];
    return binding.sites.flatMap((site) => {
      const imported = importedAt(site, file);
      if (!imported) return [];
      const base =
        imported.form === 'from'
          ? `${imported.module}${imported.module.endsWith('.') ? '' : '.'}${imported.name}`
          : imported.alias === undefined
            ? imported.local
            : imported.module;
      return fromPath([base, ...rest].join('.'), facts);
    });
  };
  return text.split('|').flatMap((part) => {
    const match = /^\s*([\w.]+)\s*(?:\[\s*(.*)\])?\s*$/s.exec(part);
    const head = match?.[1];
    if (head === undefined) return [];
    const name = lastName(head);
    const inner = match?.[2];
    if (inner !== undefined && (TRANSPARENT.has(name) || STANDARD[name] !== undefined || name === 'list' || name === 'dict')) {
      const parts = inner.split(',').map((each) => each.trim());
      if (TRANSPARENT.has(name)) return parts.flatMap((each) => fromText(each, at, file, facts));
      const args = parts.map((each) => fromText(each, at, file, facts)[0] ?? { name: 'object', args: [] });
      return [{ name: STANDARD[name] ?? name, args }];
    }
    return one(head);
  });
}
