import type { PythonFile } from './file.js';
import { above, eachNode, type PyNode } from './node.js';
import { parameterName } from './scope/parameters.js';

/** Takes off parentheses and `await`. */
export function unwrap(node: PyNode): PyNode {
  let at = node;
  while ((at.kind === 'parenthesized_expression' || at.kind === 'await') && at.children.length === 1 && at.children[0]) at = at.children[0];
  return at;
}

/** A keyword of a call: `name=value`. */
export interface KeywordArgument {
  readonly name: string;
  /** The whole `keyword_argument`. */
  readonly node: PyNode;
  readonly nameNode: PyNode;
  readonly value: PyNode;
}

/** The arguments of a call. `*` and `**` make positions and names uncertain. */
export interface CallArguments {
  /** The `argument_list`, brackets included; the generator expression of `f(x for x in y)`. */
  readonly node: PyNode | undefined;
  readonly positional: readonly PyNode[];
  readonly keywords: readonly KeywordArgument[];
  /** There is a `*args`. */
  readonly spread: boolean;
  /** There is a `**kwargs`. */
  readonly splat: boolean;
  keyword(name: string): KeywordArgument | undefined;
}

const calls = new WeakMap<PyNode, CallArguments>();

/** Arguments of a `call`, or of the base list of a `class_definition`. */
export function argumentsOf(call: PyNode, file: PythonFile): CallArguments {
  let known = calls.get(call);
  if (!known) {
    const node = call.get('arguments') ?? call.get('superclasses');
    const listed = node?.kind === 'argument_list' ? node.children : node ? [node] : [];
    const keywords = listed.flatMap((child): KeywordArgument[] => {
      const nameNode = child.kind === 'keyword_argument' ? child.get('name') : undefined;
      const value = child.get('value');
      return nameNode && value ? [{ name: file.textOf(nameNode), node: child, nameNode, value }] : [];
    });
    known = {
      node,
      positional: listed.filter(({ kind }) => kind !== 'keyword_argument' && kind !== 'list_splat' && kind !== 'dictionary_splat'),
      keywords,
      spread: listed.some(({ kind }) => kind === 'list_splat'),
      splat: listed.some(({ kind }) => kind === 'dictionary_splat'),
      keyword: (name) => keywords.find((keyword) => keyword.name === name),
    };
    calls.set(call, known);
  }
  return known;
}

/** The name that a call calls: `b` in `a.b()` and in `b()`. */
export function calledName(call: PyNode, file: PythonFile): string | undefined {
  const callee = call.get('function');
  const name = callee?.kind === 'attribute' ? callee.get('attribute') : callee;
  return name?.kind === 'identifier' ? file.textOf(name) : undefined;
}

/** The call that a node is the callee of, brackets around it allowed. */
export const callOf = (callee: PyNode): PyNode | undefined => (callee.parent?.kind === 'call' && callee.field === 'function' ? callee.parent : undefined);

/** `def` and `lambda`. */
export const isFunction = (node: PyNode): boolean => node.kind === 'function_definition' || node.kind === 'lambda';

/** The function whose body a node stands in; decorators and defaults stand outside of it. */
export function enclosingFunction(node: PyNode): PyNode | undefined {
  let inside = node;
  for (let at = node.parent; at; inside = at, at = at.parent) if (isFunction(at) && inside.field === 'body') return at;
  return undefined;
}

/** The class whose body a node stands in directly or through methods. */
export function enclosingClass(node: PyNode): PyNode | undefined {
  let inside = node;
  for (let at = node.parent; at; inside = at, at = at.parent) if (at.kind === 'class_definition' && inside.field === 'body') return at;
  return undefined;
}

/** The class that a `def` is a method of. */
export function classOfMethod(fn: PyNode): PyNode | undefined {
  const held = fn.parent?.kind === 'decorated_definition' ? fn.parent : fn;
  const owner = held.parent?.parent;
  return held.parent?.kind === 'block' && owner?.kind === 'class_definition' ? owner : undefined;
}

/** The expressions after `@` above a definition, in source order. */
export function decoratorsOf(definition: PyNode): readonly PyNode[] {
  const holder = definition.parent?.kind === 'decorated_definition' ? definition.parent : undefined;
  return holder ? holder.children.flatMap((child) => (child.kind === 'decorator' && child.children[0] ? [child.children[0]] : [])) : [];
}

/** One parameter of a function. */
export interface Parameter {
  readonly name: string;
  readonly identifier: PyNode;
  readonly node: PyNode;
  readonly annotation: PyNode | undefined;
  readonly value: PyNode | undefined;
  readonly form: 'plain' | 'args' | 'kwargs';
}

/** Parameters in order, `self` included. */
export function parametersOf(fn: PyNode, file: PythonFile): readonly Parameter[] {
  return (fn.get('parameters')?.children ?? []).flatMap((node): readonly Parameter[] => {
    const identifier = parameterName(node);
    if (!identifier) return [];
    const shape = node.kind === 'typed_parameter' ? node.children[0]?.kind : node.kind;
    const form = shape === 'list_splat_pattern' ? 'args' : shape === 'dictionary_splat_pattern' ? 'kwargs' : 'plain';
    return [{ name: file.textOf(identifier), identifier, node, annotation: node.get('type'), value: node.get('value'), form }];
  });
}

/** Values that a function returns or yields: its own, not those of functions inside of it. */
export function outcomesOf(fn: PyNode, kind: 'return_statement' | 'yield'): readonly PyNode[] {
  const body = fn.get('body');
  if (!body) return [];
  if (fn.kind === 'lambda') return kind === 'return_statement' ? [body] : [];
  const found: PyNode[] = [];
  eachNode(body, (node) => {
    if (isFunction(node) || node.kind === 'class_definition') return false;
    if (node.kind === kind && node.children[0]) found.push(node.children[0]);
    return undefined;
  });
  return found;
}

/** The statement that a node belongs to: a direct child of a block or of the module. */
export function statementOf(node: PyNode): PyNode {
  if (node.parent === undefined || node.parent.kind === 'module' || node.parent.kind === 'block') return node;
  return above(node, (candidate) => candidate.parent?.kind === 'block' || candidate.parent?.kind === 'module' || candidate.parent === undefined) ?? node;
}
