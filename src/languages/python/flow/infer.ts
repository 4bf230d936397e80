import { constantOf } from '../constants.js';
import { argumentsOf, calledName, classOfMethod, decoratorsOf, isFunction, outcomesOf, parametersOf, unwrap } from '../expressions.js';
import type { PythonFile } from '../file.js';
import type { PyNode } from '../node.js';
import { originsOf } from '../provenance/origin.js';
import { assignedValue } from '../provenance/values.js';
import type { Binding, BindingSite } from '../scope/model.js';
import { attributesOf } from './attributes.js';
import { annotationTypes } from './annotations.js';
import { fill } from './containers.js';
import { listOf, parseType, typeText, type PyType, type TypeFacts } from './type.js';

/** A chain of variables and calls longer than this is nobody's code. */
const MAX_DEPTH = 14;
/** A question that needs more expressions than this is left unanswered: cycles through many variables cost without end. */
const MAX_STEPS = 400;
const ELEMENTS: ReadonlySet<string> = new Set([
  'list',
  'set',
  'frozenset',
  'tuple',
  'Sequence',
  'Iterable',
  'Iterator',
  'AsyncIterator',
  'AsyncGenerator',
  'Generator',
]);
const MAPS: ReadonlySet<string> = new Set(['dict', 'defaultdict', 'OrderedDict', 'Mapping', 'MutableMapping', 'WeakValueDictionary']);

/** Infers types in one file from constructors, annotations, `with … as`, loops, fields of `self` and functions of the same file. */
export class Inference {
  readonly #known = new Map<PyNode, readonly PyType[]>();
  readonly #running = new Set<PyNode>();
  /** Questions that were cut short by a cycle or a limit, so far. */
  #cuts = 0;
  /** Expressions looked at for the running question. */
  #steps = 0;

  constructor(
    readonly file: PythonFile,
    readonly facts: TypeFacts,
  ) {}

  /** The types that an expression may have; empty when nothing is known about it. */
  typesOf(node: PyNode, depth = 0): readonly PyType[] {
    const at = unwrap(node);
    const known = this.#known.get(at);
    if (known) return known;
    const outermost = this.#running.size === 0;
    if (outermost) this.#steps = 0;
    if (depth > MAX_DEPTH || this.#running.has(at) || ++this.#steps > MAX_STEPS) {
      this.#cuts++;
      return [];
    }
    const before = this.#cuts;
    this.#running.add(at);
    const found = distinct(this.#infer(at, depth + 1));
    this.#running.delete(at);
    // A result that was cut short on the way must not be remembered as the whole truth; for the question itself it is all there is.
    if (outermost || this.#cuts === before) this.#known.set(at, found);
    return found;
  }

  /** Types of a name, from all places that bind it. */
  typesOfBinding(binding: Binding, depth = 0): readonly PyType[] {
    const found = binding.sites.flatMap((site) => this.#typesAt(site, depth));
    return distinct(found.flatMap((type) => this.#filled(type, binding, depth)));
  }

  /** Types that an annotation names. */
  annotated(annotation: PyNode): readonly PyType[] {
    return annotationTypes(annotation, this.file, this.facts);
  }

  #infer(node: PyNode, depth: number): readonly PyType[] {
    switch (node.kind) {
      case 'identifier': {
        const binding = this.file.bindings.of(node);
        return binding ? this.typesOfBinding(binding, depth) : [];
      }
      case 'attribute':
        return this.#attribute(node, depth);
      case 'call':
        return this.#call(node, depth);
      case 'subscript': {
        const value = node.get('value');
        const key = node.get('subscript');
        return value ? this.typesOf(value, depth).flatMap((type) => this.#element(type, key)) : [];
      }
      case 'conditional_expression':
        return [node.children[0], node.children[2]].flatMap((arm) => (arm ? this.typesOf(arm, depth) : []));
      case 'boolean_operator':
        return [node.get('left'), node.get('right')].flatMap((arm) => (arm ? this.typesOf(arm, depth) : []));
      case 'named_expression':
        return node.get('value') ? this.typesOf(node.get('value') as PyNode, depth) : [];
      case 'list': {
        const inner = node.children[0] ? this.typesOf(node.children[0], depth) : [];
        return inner.length > 0 ? inner.map(listOf) : [parseType('list')];
      }
      case 'dictionary':
        return [parseType('dict')];
      case 'list_comprehension':
      case 'generator_expression': {
        const body = node.get('body');
        return body ? this.typesOf(body, depth).map(listOf) : [];
      }
      case 'as_pattern':
        return node.children[0] ? this.typesOf(node.children[0], depth) : [];
      default:
        return [];
    }
  }

  #element(type: PyType, key: PyNode | undefined): readonly PyType[] {
    if (MAPS.has(type.name)) return type.args[1] ? [type.args[1]] : [];
    if (type.name === 'tuple' && key) {
      const index = constantOf(key, this.file);
      const arg = typeof index === 'number' ? type.args.at(index) : undefined;
      return arg ? [arg] : [];
    }
    if (type.name === 'list' && key?.kind === 'slice') return [type];
    return ELEMENTS.has(type.name) && type.args[0] ? [type.args[0]] : [];
  }

  #attribute(node: PyNode, depth: number): readonly PyType[] {
    const object = node.get('object');
    const name = node.get('attribute');
    if (!object || !name) return [];
    const member = this.file.textOf(name);
    const own = ownClass(object, this.file);
    if (own) return this.#ownAttribute(own, member, depth);
    return this.typesOf(object, depth).flatMap((type) => {
      const local = this.#localClass(type);
      if (local) return this.#ownAttribute(local, member, depth);
      const known = this.facts.member(type.name, member);
      return known === undefined ? [] : [parseType(known)];
    });
  }

  /** `self.name` in a class of this file: what its methods assign, what its body declares, what its bases have. */
  #ownAttribute(owner: PyNode, member: string, depth: number): readonly PyType[] {
    const attribute = attributesOf(owner, this.file).get(member);
    const found: PyType[] = [];
    for (const { annotation, value, entered } of attribute?.places ?? []) {
      if (annotation) found.push(...this.annotated(annotation));
      else if (value) found.push(...this.typesOf(value, depth).flatMap((type) => (entered ? enter(type) : [type])));
    }
    const filled = found.flatMap((type) => fill(type, attribute?.uses ?? [], this.file, (value) => this.typesOf(value, depth)));
    const property = attribute?.property;
    if (property) filled.push(...this.#result(property, depth));
    if (filled.length > 0) return filled;
    return this.baseTypes(owner).flatMap((base) => {
      const local = this.#localClass(base);
      if (local && local !== owner) return this.#ownAttribute(local, member, depth);
      const known = this.facts.member(base.name, member);
      return known === undefined ? [] : [parseType(known)];
    });
  }

  /** Types that a class of this file derives from. */
  baseTypes(owner: PyNode): readonly PyType[] {
    return argumentsOf(owner, this.file).positional.flatMap((base) => this.#instances(base));
  }

  #localClass(type: PyType): PyNode | undefined {
    return type.name.startsWith('@') ? this.file.bindings.root.names.get(type.name.slice(1))?.sites.find(({ how }) => how === 'class')?.node : undefined;
  }

  /** Instances of a class expression. */
  #instances(callee: PyNode): readonly PyType[] {
    const local = classAt(callee, this.file);
    if (local) return [parseType(`@${this.file.textOf(local.get('name') as PyNode)}`)];
    return originsOf(callee, this.file).flatMap((origin) => {
      const path = this.facts.canonical(origin.path);
      const given = this.facts.returns(path);
      return given === undefined ? [] : [parseType(given)];
    });
  }

  #call(node: PyNode, depth: number): readonly PyType[] {
    const callee = node.get('function');
    if (!callee) return [];
    const direct = this.#instances(callee);
    if (direct.length > 0) return direct;
    const args = argumentsOf(node, this.file);
    const called = calledName(node, this.file);
    const first = args.positional[0];
    if (called === 'cast' && first && args.positional[1]) return this.annotated(first);
    if ((called === 'enter_async_context' || called === 'enter_context') && first) return this.typesOf(first, depth).flatMap(enter);
    if (called === 'wait_for' && first) return this.typesOf(first, depth);
    if ((called === 'list' || called === 'sorted' || called === 'reversed' || called === 'aiter' || called === 'iter') && first)
      return this.typesOf(first, depth).flatMap((type) => (ELEMENTS.has(type.name) ? [listOf(type.args[0] ?? parseType('object'))] : []));
    if ((called === 'dict' || called === 'list' || called === 'set') && callee.kind === 'identifier') return [parseType(called === 'dict' ? 'dict' : 'list')];
    if (called === 'enumerate' && first)
      return this.typesOf(first, depth).flatMap((type) => (type.args[0] ? [listOf({ name: 'tuple', args: [parseType('int'), type.args[0]] })] : []));
    if (called === 'next' && first) return this.typesOf(first, depth).flatMap((type) => this.#element(type, undefined));
    if (callee.kind === 'identifier') {
      const fn = functionAt(callee, this.file);
      return fn ? this.#result(fn, depth) : [];
    }
    const object = callee.get('object');
    if (callee.kind !== 'attribute' || !object || called === undefined) return [];
    const own = ownClass(object, this.file);
    if (own) return this.#method(own, called, depth);
    return this.typesOf(object, depth).flatMap((type) => this.#methodOf(type, called, depth));
  }

  #methodOf(type: PyType, called: string, depth: number): readonly PyType[] {
    const local = this.#localClass(type);
    if (local) return this.#method(local, called, depth);
    if (called === '__aenter__' || called === '__enter__') return enter(type);
    if (MAPS.has(type.name) && type.args[1]) {
      const value = type.args[1];
      if (called === 'get' || called === 'pop' || called === 'setdefault') return [value];
      if (called === 'values') return [listOf(value)];
      if (called === 'items') return [listOf({ name: 'tuple', args: [type.args[0] ?? parseType('object'), value] })];
    }
    if (type.name === 'list' && called === 'copy') return [type];
    if (type.name === 'list' && called === 'pop') return type.args[0] ? [type.args[0]] : [];
    const known = this.facts.returns(`${type.name}.${called}`);
    return known === undefined ? [] : [parseType(known)];
  }

  #method(owner: PyNode, name: string, depth: number): readonly PyType[] {
    const fn = attributesOf(owner, this.file).get(name)?.method;
    if (fn) return this.#result(fn, depth);
    return this.baseTypes(owner).flatMap((base) => (this.#localClass(base) === owner ? [] : this.#methodOf(base, name, depth)));
  }

  /** What calling a function of this file gives. */
  #result(fn: PyNode, depth: number): readonly PyType[] {
    const decorators = decoratorsOf(fn).map((decorator) => this.file.textOf(decorator));
    const manages = decorators.some((text) => /contextmanager\b/.test(text));
    const fixture = decorators.some((text) => /\bfixture\b/.test(text));
    const annotation = fn.get('return_type');
    const declared = annotation
      ? this.annotated(annotation).flatMap((type) =>
          ELEMENTS.has(type.name) && type.name !== 'list' && type.name !== 'tuple' && type.args[0] && (manages || fixture) ? [type.args[0]] : [type],
        )
      : [];
    const yielded = manages || fixture ? outcomesOf(fn, 'yield') : [];
    const values = yielded.length > 0 ? yielded : outcomesOf(fn, 'return_statement');
    const found = declared.length > 0 ? declared : values.flatMap((value) => this.#valueOfOutcome(value, depth));
    return manages ? found.map((type) => ({ name: 'enter', args: [type] })) : found;
  }

  #valueOfOutcome(value: PyNode, depth: number): readonly PyType[] {
    if (value.kind !== 'tuple' && value.kind !== 'expression_list') return this.typesOf(value, depth);
    const args = value.children.map((child) => this.typesOf(child, depth)[0] ?? parseType('object'));
    return [{ name: 'tuple', args }];
  }

  /** The type that one binding place gives to its name. */
  #typesAt(site: BindingSite, depth: number): readonly PyType[] {
    const { node, how } = site;
    if (how === 'parameter') return this.#parameter(node, site, depth);
    if (how === 'annotate' || (how === 'assign' && node.get('type'))) {
      const annotation = node.get('type');
      const declared = annotation ? this.annotated(annotation) : [];
      if (declared.length > 0 || how === 'annotate') return declared;
    }
    const source = this.#sourceOf(site, depth);
    return source.flatMap((type) => along(type, site.path));
  }

  #sourceOf(site: BindingSite, depth: number): readonly PyType[] {
    const { node, how } = site;
    if (how === 'assign') {
      const value = assignedValue(node);
      return value ? this.#valueOfOutcome(unwrap(value), depth) : [];
    }
    if (how === 'walrus') return node.get('value') ? this.typesOf(node.get('value') as PyNode, depth) : [];
    if (how === 'with') {
      const context = node.get('value')?.children[0];
      return context ? this.typesOf(context, depth).flatMap(enter) : [];
    }
    if (how === 'for') {
      const list = node.get('right');
      return list ? this.typesOf(list, depth).flatMap((type) => (ELEMENTS.has(type.name) ? type.args.slice(0, 1) : [])) : [];
    }
    if (how === 'except') {
      const caught = node.get('value')?.children[0];
      const classes = caught?.kind === 'tuple' ? caught.children : caught ? [caught] : [];
      return classes.flatMap((each) => this.#instances(each));
    }
    return [];
  }

  #parameter(node: PyNode, site: BindingSite, depth: number): readonly PyType[] {
    const fn = node.parent?.parent;
    if (!fn || !isFunction(fn)) return [];
    const parameter = parametersOf(fn, this.file).find(({ identifier }) => identifier === site.identifier);
    if (!parameter) return [];
    const declared = parameter.annotation ? this.annotated(parameter.annotation) : [];
    if (declared.length > 0) return parameter.form === 'args' ? declared.map(listOf) : declared;
    const owner = classOfMethod(fn);
    if (owner && parametersOf(fn, this.file)[0] === parameter && !decoratorsOf(fn).some((decorator) => this.file.textOf(decorator) === 'staticmethod'))
      return [parseType(`@${this.file.textOf(owner.get('name') as PyNode)}`)];
    // A test names a fixture by a parameter.
    const fixture = this.file.bindings.root.names.get(parameter.name)?.sites.find(({ how }) => how === 'function')?.node;
    if (fixture && fixture !== fn && decoratorsOf(fixture).some((decorator) => /\bfixture\b/.test(this.file.textOf(decorator))))
      return this.#result(fixture, depth);
    return parameter.value ? this.typesOf(parameter.value, depth) : [];
  }

  /** A list or dictionary without known elements takes its elements from what is put into it. */
  #filled(type: PyType, binding: Binding, depth: number): readonly PyType[] {
    if (type.args.length > 0 || (type.name !== 'list' && type.name !== 'dict')) return [type];
    return fill(type, this.file.bindings.usesOf(binding), this.file, (value) => this.typesOf(value, depth));
  }
}

/** What `with` hands out. Anything that is not known to hand out something else hands out itself. */
export const enter = (type: PyType): readonly PyType[] => (type.name === 'enter' ? type.args.slice(0, 1) : [type]);

/** The part of a tuple or list that an unpacked name gets. */
function along(type: PyType, path: readonly (number | '*')[]): readonly PyType[] {
  let at: PyType | undefined = type;
  for (const step of path) {
    if (step === '*' || !at) return [];
    at = at.name === 'tuple' ? at.args[step] : ELEMENTS.has(at.name) ? at.args[0] : undefined;
  }
  return at && at.name !== 'object' ? [at] : [];
}

function distinct(types: readonly PyType[]): readonly PyType[] {
  if (types.length < 2) return types;
  const seen = new Map(types.map((type) => [typeText(type), type]));
  return [...seen.values()];
}

/** The class whose `self` or `cls` an expression is. */
export function ownClass(object: PyNode, file: PythonFile): PyNode | undefined {
  if (object.kind !== 'identifier') return undefined;
  const site = file.bindings.of(object)?.sites[0];
  const fn = site?.how === 'parameter' ? site.node.parent?.parent : undefined;
  const owner = fn && classOfMethod(fn);
  if (!owner || parametersOf(fn, file)[0]?.identifier !== site?.identifier) return undefined;
  return decoratorsOf(fn).some((decorator) => file.textOf(decorator) === 'staticmethod') ? undefined : owner;
}

/** The class definition of this file that a name stands for. */
export function classAt(node: PyNode, file: PythonFile): PyNode | undefined {
  const target = node.kind === 'subscript' ? node.get('value') : node;
  const site = target?.kind === 'identifier' ? file.bindings.of(target)?.sites.find(({ how }) => how === 'class') : undefined;
  return site?.node;
}

/** The function definition of this file that a name stands for. */
export function functionAt(node: PyNode, file: PythonFile): PyNode | undefined {
  if (node.kind !== 'identifier') return undefined;
  return file.bindings.of(node)?.sites.find(({ how }) => how === 'function')?.node;
}
