import { classOfMethod, decoratorsOf, parametersOf } from '../expressions.js';
import type { PythonFile } from '../file.js';
import { eachNode, type PyNode } from '../node.js';
import { assignedValue } from '../provenance/values.js';

/** One place that gives a field of `self` its value or type. */
export interface AttributePlace {
  readonly node: PyNode;
  readonly annotation: PyNode | undefined;
  readonly value: PyNode | undefined;
  /** The value is a context manager, and the field is what it hands out. */
  readonly entered: boolean;
}

/** A member of a class: what is assigned to it, where it is used, or the method behind it. */
export interface Attribute {
  readonly name: string;
  readonly places: readonly AttributePlace[];
  /** Reads of `self.name` in the class: the `attribute` nodes. */
  readonly uses: readonly PyNode[];
  readonly method: PyNode | undefined;
  /** The method, when it is a property. */
  readonly property: PyNode | undefined;
}
interface OpenAttribute extends Attribute {
  readonly places: AttributePlace[];
  readonly uses: PyNode[];
  method: PyNode | undefined;
  property: PyNode | undefined;
}

const cache = new WeakMap<PyNode, ReadonlyMap<string, Attribute>>();

/** Members of a class of this file, bases not included. */
export function attributesOf(owner: PyNode, file: PythonFile): ReadonlyMap<string, Attribute> {
  let known = cache.get(owner);
  if (!known) {
    known = read(owner, file);
    cache.set(owner, known);
  }
  return known;
}

function read(owner: PyNode, file: PythonFile): ReadonlyMap<string, Attribute> {
  const found = new Map<string, OpenAttribute>();
  const of = (name: string): OpenAttribute => {
    let attribute = found.get(name);
    if (!attribute) found.set(name, (attribute = { name, places: [], uses: [], method: undefined, property: undefined }));
    return attribute;
  };
  const body = owner.get('body');
  for (const statement of body?.children ?? []) {
    const definition = statement.kind === 'decorated_definition' ? statement.get('definition') : statement;
    const assignment = statement.kind === 'expression_statement' ? statement.children[0] : undefined;
    if (definition?.kind === 'function_definition') {
      const name = definition.get('name');
      if (!name) continue;
      const member = of(file.textOf(name));
      member.method = definition;
      if (decoratorsOf(definition).some((decorator) => /(?:^|\.)(?:cached_)?property$/.test(file.textOf(decorator)))) member.property = definition;
      fields(definition, file, of);
    } else if (assignment?.kind === 'assignment') {
      const left = assignment.get('left');
      if (left?.kind === 'identifier')
        of(file.textOf(left)).places.push({ node: assignment, annotation: assignment.get('type'), value: assignedValue(assignment), entered: false });
    }
  }
  return found;
}

/** Fields that one method assigns and reads through its first parameter. */
function fields(method: PyNode, file: PythonFile, of: (name: string) => OpenAttribute): void {
  const self = parametersOf(method, file)[0];
  if (!self || !classOfMethod(method)) return;
  const add = (target: PyNode, place: AttributePlace): void => {
    const name = target.get('attribute');
    if (name) of(file.textOf(name)).places.push(place);
  };
  eachNode(method.get('body') ?? method, (node) => {
    if (node.kind !== 'attribute' || file.textOf(node.get('object') ?? node) !== self.name) return undefined;
    const { parent } = node;
    if (parent?.kind === 'assignment' && node.field === 'left') {
      add(node, { node: parent, annotation: parent.get('type'), value: assignedValue(parent), entered: false });
    } else if (
      parent &&
      (parent.kind === 'pattern_list' || parent.kind === 'tuple_pattern') &&
      parent.parent?.kind === 'assignment' &&
      parent.field === 'left'
    ) {
      // `self.read, self.write = …`: the value is unpacked, which `elementAt` below can only do for literals.
      const value = elementAt(assignedValue(parent.parent), parent.children.indexOf(node));
      add(node, { node: parent.parent, annotation: undefined, value, entered: false });
    } else if (parent?.kind === 'as_pattern_target' && parent.parent?.parent?.kind === 'with_item') {
      add(node, { node: parent.parent.parent, annotation: undefined, value: parent.parent.children[0], entered: true });
    } else {
      const name = node.get('attribute');
      if (name) of(file.textOf(name)).uses.push(node);
    }
    return undefined;
  });
}

const elementAt = (value: PyNode | undefined, index: number): PyNode | undefined =>
  value && (value.kind === 'tuple' || value.kind === 'expression_list' || value.kind === 'list') ? value.children[index] : undefined;
