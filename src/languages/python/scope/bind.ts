import type { PythonFile } from '../file.js';
import type { PyNode } from '../node.js';
import type { Binding, BindingHow, Bindings, BindingSite, Scope } from './model.js';
import { parameterName } from './parameters.js';
import { targetsOf } from './targets.js';

interface OpenScope extends Scope {
  readonly parent: OpenScope | undefined;
  readonly names: Map<string, OpenBinding>;
  /** Names that `global` or `nonlocal` send elsewhere. */
  readonly sent: Map<string, 'global' | 'nonlocal'>;
}
interface OpenBinding extends Binding {
  readonly sites: BindingSite[];
  readonly scope: OpenScope;
}

const COMPREHENSIONS: ReadonlySet<string> = new Set(['list_comprehension', 'set_comprehension', 'dictionary_comprehension', 'generator_expression']);

/** Parameters of a `def` or `lambda`: the nodes that carry a name. */
const PARAMETERS: ReadonlySet<string> = new Set([
  'identifier',
  'default_parameter',
  'typed_parameter',
  'typed_default_parameter',
  'list_splat_pattern',
  'dictionary_splat_pattern',
]);

/** Resolves every name of a file. Two passes: what is bound where, then what each use means. Neither recurses. */
export function bind(file: PythonFile): Bindings {
  return new Binder(file).run();
}

class Binder {
  readonly #root: OpenScope;
  readonly #scopes = new Map<PyNode, OpenScope>();
  readonly #bound = new Map<PyNode, OpenBinding>();
  readonly #silent = new Set<PyNode>();
  readonly #uses: { readonly node: PyNode; readonly scope: OpenScope }[] = [];
  readonly #all: OpenBinding[] = [];
  readonly #stars: PyNode[] = [];
  /** Binding places whose scope is known only when all `global` statements have been seen. */
  readonly #pending: { readonly scope: OpenScope; readonly site: BindingSite; readonly name: string }[] = [];

  constructor(readonly file: PythonFile) {
    this.#root = this.#open('module', file.tree, undefined);
  }

  run(): Bindings {
    const work: { readonly node: PyNode; readonly scope: OpenScope }[] = [{ node: this.file.tree, scope: this.#root }];
    for (let item = work.pop(); item; item = work.pop()) {
      const next = this.#enter(item.node, item.scope);
      for (let i = next.length - 1; i >= 0; i--) work.push(next[i] as { node: PyNode; scope: OpenScope });
    }
    for (const { scope, site, name } of this.#pending) this.#settle(scope, site, name);
    const uses = new Map<Binding, PyNode[]>();
    const meaning = new Map<PyNode, Binding>(this.#bound);
    const unresolved: PyNode[] = [];
    for (const { node, scope } of this.#uses) {
      if (this.#bound.has(node) || this.#silent.has(node)) continue;
      const binding = find(this.file.textOf(node), scope);
      if (!binding) {
        unresolved.push(node);
        continue;
      }
      meaning.set(node, binding);
      const known = uses.get(binding);
      if (known) known.push(node);
      else uses.set(binding, [node]);
    }
    return {
      root: this.#root,
      all: this.#all,
      unresolved,
      stars: this.#stars,
      of: (identifier) => meaning.get(identifier),
      usesOf: (binding) => uses.get(binding) ?? [],
      scopeAt: (node) => this.#scopeAt(node),
      lookup: (name, at) => find(name, this.#scopeAt(at)),
    };
  }

  #open(kind: Scope['kind'], node: PyNode, parent: OpenScope | undefined): OpenScope {
    const scope: OpenScope = { kind, node, parent, names: new Map(), sent: new Map() };
    this.#scopes.set(node, scope);
    return scope;
  }

  #scopeAt(node: PyNode): OpenScope {
    // Decorators, defaults and annotations stand outside of the function that they belong to.
    let inside: PyNode = node;
    for (let at = node.parent; at; inside = at, at = at.parent) {
      const scope = this.#scopes.get(at);
      if (scope && (scope.kind === 'module' || scope.kind === 'comprehension' || inside.field === 'body')) return scope;
    }
    return this.#root;
  }

  #declare(name: string, scope: OpenScope, site: BindingSite): void {
    this.#silent.add(site.identifier);
    this.#pending.push({ scope, site, name });
  }

  #settle(from: OpenScope, site: BindingSite, name: string): void {
    let scope: OpenScope = from;
    const sent = scope.sent.get(name);
    if (sent === 'global') scope = this.#root;
    else if (sent === 'nonlocal') scope = find(name, scope.parent ?? this.#root)?.scope ?? scope;
    let binding = scope.names.get(name);
    if (!binding) {
      binding = { name, scope, sites: [] };
      scope.names.set(name, binding);
      this.#all.push(binding);
    }
    binding.sites.push(site);
    this.#bound.set(site.identifier, binding);
  }

  #target(target: PyNode | undefined, scope: OpenScope, how: BindingHow, node: PyNode): void {
    if (!target) return;
    for (const { identifier, path } of targetsOf(target)) this.#declare(this.file.textOf(identifier), scope, { identifier, how, node, path });
  }

  /** Declares what a node binds and says which of its children are read in which scope. */
  #enter(node: PyNode, scope: OpenScope): readonly { readonly node: PyNode; readonly scope: OpenScope }[] {
    const within = (nodes: readonly PyNode[], where: OpenScope = scope) => nodes.map((child) => ({ node: child, scope: where }));
    const holder = scope.kind === 'comprehension' ? outOfComprehensions(scope) : scope;
    switch (node.kind) {
      case 'identifier':
        this.#uses.push({ node, scope });
        return [];
      case 'attribute':
        return within(node.children.filter((child) => child.field !== 'attribute'));
      case 'keyword_argument':
        return within(node.children.filter((child) => child.field !== 'name'));
      case 'function_definition':
      case 'lambda':
        return this.#function(node, scope);
      case 'class_definition': {
        const name = node.get('name');
        if (name) this.#declare(this.file.textOf(name), scope, { identifier: name, how: 'class', node, path: [] });
        const body = this.#open('class', node, scope);
        return node.children.flatMap((child) =>
          child === name ? [] : within([child], child.field === 'body' || child.field === 'type_parameters' ? body : scope),
        );
      }
      case 'assignment':
        this.#target(node.get('left'), holder, node.get('right') ? 'assign' : 'annotate', node);
        return within(node.children);
      case 'augmented_assignment':
        this.#target(node.get('left'), holder, 'augment', node);
        return within(node.children);
      case 'named_expression':
        this.#target(node.get('name'), holder, 'walrus', node);
        return within(node.children);
      case 'for_statement':
        this.#target(node.get('left'), holder, 'for', node);
        return within(node.children);
      case 'for_in_clause':
        this.#target(node.get('left'), scope, 'for', node);
        return within(node.children);
      case 'as_pattern':
        this.#asPattern(node, holder);
        return within(node.children);
      case 'delete_statement':
        for (const child of node.children) this.#target(child, holder, 'delete', node);
        return within(node.children);
      case 'global_statement':
      case 'nonlocal_statement':
        for (const child of node.children) {
          this.#silent.add(child);
          holder.sent.set(this.file.textOf(child), node.kind === 'global_statement' ? 'global' : 'nonlocal');
        }
        return [];
      case 'import_statement':
      case 'import_from_statement':
      case 'future_import_statement':
        this.#imports(node, holder);
        return [];
      case 'case_clause':
        for (const pattern of node.children.filter((child) => child.kind === 'case_pattern')) this.#patterns(pattern, holder, node);
        return within(node.children);
      case 'type_parameter':
        // In a definition these are new names; in `list[int]` the same rule holds types that are read.
        if (node.field === 'type_parameters' || node.parent?.parent?.kind === 'type_alias_statement') {
          for (const child of node.children) {
            const name = child.children.find((inner) => inner.kind === 'identifier');
            if (name) this.#declare(this.file.textOf(name), scope, { identifier: name, how: 'type-parameter', node: child, path: [] });
          }
        }
        return within(node.children);
      case 'type_alias_statement': {
        const left = node.get('left');
        const name = left && firstIdentifier(left);
        if (name) this.#declare(this.file.textOf(name), holder, { identifier: name, how: 'assign', node, path: [] });
        return within(node.children);
      }
      case 'keyword_pattern':
        return within(node.children.slice(1));
      default:
        if (COMPREHENSIONS.has(node.kind)) {
          const inner = this.#open('comprehension', node, scope);
          const first = node.children.find((child) => child.kind === 'for_in_clause')?.get('right');
          // The first source is evaluated before the comprehension has a scope of its own.
          return node.children.flatMap((child) =>
            child.kind === 'for_in_clause' && first?.parent === child
              ? [...this.#enter(child, inner).map((item) => (item.node === first ? { node: first, scope } : item))]
              : within([child], inner),
          );
        }
        return within(node.children);
    }
  }

  #function(node: PyNode, scope: OpenScope): readonly { readonly node: PyNode; readonly scope: OpenScope }[] {
    const isLambda = node.kind === 'lambda';
    const name = isLambda ? undefined : node.get('name');
    if (name) this.#declare(this.file.textOf(name), scope, { identifier: name, how: 'function', node, path: [] });
    const inner = this.#open(isLambda ? 'lambda' : 'function', node, scope);
    const next: { node: PyNode; scope: OpenScope }[] = [];
    for (const child of node.children) {
      if (child === name) continue;
      if (child.field !== 'parameters') {
        next.push({ node: child, scope: child.field === 'body' || child.field === 'type_parameters' ? inner : scope });
        continue;
      }
      for (const parameter of child.children) {
        if (!PARAMETERS.has(parameter.kind)) continue;
        const identifier = parameterName(parameter);
        if (identifier) this.#declare(this.file.textOf(identifier), inner, { identifier, how: 'parameter', node: parameter, path: [] });
        for (const part of parameter.children) if (part.field === 'type' || part.field === 'value') next.push({ node: part, scope });
      }
    }
    return next;
  }

  #asPattern(node: PyNode, scope: OpenScope): void {
    const alias = node.get('alias') ?? (node.parent?.kind === 'case_pattern' ? node.children.at(-1) : undefined);
    if (!alias) return;
    const how = node.parent?.kind === 'with_item' ? 'with' : node.parent?.kind === 'except_clause' ? 'except' : 'match';
    if (alias.kind === 'as_pattern_target') for (const child of alias.children) this.#target(child, scope, how, node.parent ?? node);
    else this.#target(alias, scope, how, node);
  }

  #imports(node: PyNode, scope: OpenScope): void {
    const module = node.get('module_name');
    if (node.first('wildcard_import')) this.#stars.push(node);
    for (const child of node.children) {
      if (child === module || child.field !== 'name') continue;
      const alias = child.kind === 'aliased_import' ? child.get('alias') : undefined;
      const dotted = child.kind === 'aliased_import' ? child.get('name') : child;
      // `import a.b` binds `a`; `from m import b` binds `b`.
      const identifier = alias ?? dotted?.children[0];
      if (identifier) this.#declare(this.file.textOf(identifier), scope, { identifier, how: 'import', node, path: [] });
    }
  }

  /** Captures of a `case`: single names that are not values to compare with. */
  #patterns(pattern: PyNode, scope: OpenScope, clause: PyNode): void {
    const pending: PyNode[] = [pattern];
    for (let at = pending.pop(); at; at = pending.pop()) {
      if (at.kind === 'dotted_name') {
        const name = at.children.length === 1 && at.parent?.kind !== 'class_pattern' ? at.children[0] : undefined;
        if (name && this.file.textOf(name) !== '_') this.#declare(this.file.textOf(name), scope, { identifier: name, how: 'match', node: clause, path: [] });
      } else if (at.kind === 'splat_pattern') {
        const name = at.children.find((child) => child.kind === 'identifier');
        if (name) this.#declare(this.file.textOf(name), scope, { identifier: name, how: 'match', node: clause, path: [] });
      } else if (at.kind === 'keyword_pattern') pending.push(...at.children.slice(1));
      else pending.push(...at.children.filter((child) => child.kind !== 'identifier'));
    }
  }
}

const outOfComprehensions = (scope: OpenScope): OpenScope => {
  let at = scope;
  while (at.kind === 'comprehension' && at.parent) at = at.parent;
  return at;
};

const firstIdentifier = (node: PyNode): PyNode | undefined => {
  let at: PyNode | undefined = node;
  while (at && at.kind !== 'identifier') at = at.children[0];
  return at;
};

/** The scopes of classes are seen only from code that stands directly in them. */
function find(name: string, from: OpenScope): OpenBinding | undefined {
  let direct = true;
  for (let scope: OpenScope | undefined = from; scope; scope = scope.parent) {
    const binding = direct || scope.kind !== 'class' ? scope.names.get(name) : undefined;
    if (binding) return binding;
    if (scope.kind !== 'comprehension') direct = false;
  }
  return undefined;
}
