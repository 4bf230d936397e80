import { ts } from 'ts-morph';
import type { FactOf, SymbolRef } from '../../../src/core/index.js';
import {
  classRef,
  type Declaration,
  type TypeScriptFile,
  declarationOf,
  eachNode,
  isWrite,
  symbolOf,
  symbolOfDeclaration,
} from '../../../src/languages/typescript/index.js';
import { isSessionId } from './ids.js';
import { ancestor, calledMember, isModuleLevel, nameText, receiverOf, unwrap, unwrapAwait, wrapped } from './nodes.js';
import { heldBy, isHttpTransport, serverClass, transportValue } from './sdk.js';
import { sessionCode } from './sessions.js';

type Form = FactOf<'store'>['form'];
type Holds = FactOf<'store'>['holds'];

/** A container with one entry per session, or a slot for the only one. */
export interface SessionStore {
  readonly symbol: SymbolRef;
  /** Where it is declared in this file; `undefined` when another file declares it. */
  readonly declared: ts.Node | undefined;
  readonly declaration: Declaration | undefined;
  readonly form: Form;
  readonly holds: Holds;
  /** Expressions that read, write, remove or test an entry. */
  readonly accesses: readonly ts.Node[];
  /** Keyed by a session id somewhere in this file. */
  readonly keyed: boolean;
  readonly written: boolean;
  readonly cleaned: boolean;
}

interface Draft {
  symbol: SymbolRef;
  declared: ts.Node | undefined;
  declaration: Declaration | undefined;
  form: Form;
  holds: Holds;
  accesses: Set<ts.Node>;
  keyed: boolean;
  written: boolean;
  cleaned: boolean;
}

const cache = new WeakMap<TypeScriptFile, readonly SessionStore[]>();

const ACCESS: ReadonlySet<string> = new Set(['get', 'set', 'has', 'delete', 'add', 'remove', 'peek', 'take', 'getTransport', 'setTransport']);
const REMOVAL: ReadonlySet<string> = new Set(['delete', 'remove', 'clear', 'take']);

/** Containers of sessions in a file, by declared type, by what is put in, and by what they are keyed with. */
export function sessionStores(file: TypeScriptFile, has: (path: string) => boolean): readonly SessionStore[] {
  const known = cache.get(file);
  if (known !== undefined) return known;
  const drafts = new Map<string, Draft>();
  declaredStores(file, drafts);
  eachNode(file.tree, (node) => {
    if (ts.isElementAccessExpression(node)) onElement(node, file, has, drafts);
    else if (ts.isCallExpression(node)) onCall(node, file, has, drafts);
    else if (ts.isIdentifier(node)) onName(node, file, drafts);
  });
  for (const call of sessionCode(file).dispatches) learnFromUse(call, drafts, file);
  const stores = [...drafts.values()].map((draft): SessionStore => ({ ...draft, accesses: [...draft.accesses].sort((a, b) => a.pos - b.pos) }));
  cache.set(file, stores);
  return stores;
}

/** Stores that hold a live transport or server: what the modern entry makes unnecessary. */
export const liveStores = (file: TypeScriptFile, has: (path: string) => boolean): readonly SessionStore[] =>
  sessionStores(file, has).filter(({ holds }) => holds === 'transport' || holds === 'server');

const keyText = (ref: SymbolRef): string => `${ref.file}#${ref.name}`;

const CONTAINER =
  /\b(?:Map|WeakMap|Record|Partial|ReadonlyMap|LRUCache|LRU|QuickLRU|TTLCache|NodeCache|Cache|Keyv|Dict|Dictionary)\b|\[\s*\w+\s*:\s*string\s*\]/;

/** Form of a container by its type or its initial value; `undefined` when it is a single value. */
function containerForm(type: ts.Node | undefined, initializer: ts.Node | undefined, file: TypeScriptFile): Form | undefined {
  const value = initializer === undefined ? undefined : unwrap(initializer);
  const made = value !== undefined && ts.isNewExpression(value) ? value.expression.getText(file.tree) : '';
  if (/^WeakMap$/.test(made)) return 'weak';
  if (/(?:Map|Cache|LRU|Keyv|Store)$/i.test(made)) return 'map';
  const text = type?.getText(file.tree) ?? '';
  if (CONTAINER.test(text)) return /\bWeakMap\b/.test(text) ? 'weak' : /\bMap\b|Cache|LRU|Keyv/.test(text) ? 'map' : 'object';
  if (value !== undefined && (ts.isObjectLiteralExpression(value) || made === 'Object' || (ts.isCallExpression(value) && calledMember(value) === 'create')))
    return 'object';
  return undefined;
}

/** Type arguments of `new Map<string, T>()`, `{} as Record<string, T>`. */
function typesOf(type: ts.Node | undefined, initializer: ts.Node | undefined): readonly ts.Node[] {
  const types: ts.Node[] = type === undefined ? [] : [type];
  if (initializer === undefined) return types;
  if (ts.isAsExpression(initializer) || ts.isSatisfiesExpression(initializer)) types.push(initializer.type);
  const value = unwrap(initializer);
  if (ts.isNewExpression(value) || ts.isCallExpression(value)) types.push(...(value.typeArguments ?? []));
  return types;
}

function declaredStores(file: TypeScriptFile, drafts: Map<string, Draft>): void {
  eachNode(file.tree, (node) => {
    if (!ts.isVariableDeclaration(node) && !ts.isPropertyDeclaration(node)) return;
    const name = nameText(node.name);
    if (name === undefined) return;
    const types = typesOf(node.type, node.initializer);
    const held = types.map((type) => heldBy(type, file)).find((value) => value !== undefined);
    if (held === undefined && !(node.initializer !== undefined && isHttpTransport(transportValue(node.initializer, file)))) return;
    const form = containerForm(types[0], node.initializer, file);
    const field = ts.isPropertyDeclaration(node);
    if (form === undefined) {
      // One transport for the process: a module variable or field that is no container.
      if (!(field || isModuleLevel(node)) || held === 'server') return;
      const kind = node.initializer === undefined ? undefined : transportValue(node.initializer, file);
      if (kind !== undefined && !isHttpTransport(kind)) return;
      if (types.some((type) => /Stdio|InMemory/.test(type.getText(file.tree)))) return;
      if (kind === undefined && !/StreamableHTTP|SSE/.test(types.map((type) => type.getText(file.tree)).join(' '))) return;
    }
    add(drafts, file, node, { form: form ?? 'slot', holds: held ?? 'transport' });
  });
}

function add(
  drafts: Map<string, Draft>,
  file: TypeScriptFile,
  node: ts.VariableDeclaration | ts.PropertyDeclaration,
  what: { form: Form; holds: Holds },
): Draft | undefined {
  const found = refOf(node, file);
  if (found === undefined) return undefined;
  const draft: Draft = {
    symbol: found.symbol,
    declared: node,
    declaration: found.declaration,
    form: what.form,
    holds: what.holds,
    accesses: new Set(),
    keyed: false,
    written: false,
    cleaned: false,
  };
  drafts.set(keyText(found.symbol), draft);
  return draft;
}

function refOf(
  node: ts.VariableDeclaration | ts.PropertyDeclaration,
  file: TypeScriptFile,
): { symbol: SymbolRef; declaration: Declaration | undefined } | undefined {
  if (ts.isPropertyDeclaration(node)) {
    const owner = ancestor(node, ts.isClassLike);
    return {
      symbol: { file: file.path, name: `${owner === undefined ? '@class' : classRef(owner, file).name}.${nameText(node.name) ?? ''}` },
      declaration: undefined,
    };
  }
  const declaration = declarationOf(node.name, file);
  return declaration === undefined ? undefined : { symbol: symbolOfDeclaration(declaration, file), declaration };
}

/** The container that an expression names: a variable, an imported variable, a field of `this`. */
function target(
  node: ts.Node,
  file: TypeScriptFile,
  has: (path: string) => boolean,
): { symbol: SymbolRef; declared: ts.Node | undefined; declaration: Declaration | undefined } | undefined {
  const value = unwrap(node);
  if (ts.isPropertyAccessExpression(value) && value.expression.kind === ts.SyntaxKind.ThisKeyword) {
    const owner = ancestor(value, ts.isClassLike);
    const member = owner?.members.find((candidate) => candidate.name !== undefined && nameText(candidate.name) === value.name.text);
    return {
      symbol: { file: file.path, name: `${owner === undefined ? '@class' : classRef(owner, file).name}.${value.name.text}` },
      declared: member,
      declaration: undefined,
    };
  }
  if (!ts.isIdentifier(value) && !ts.isPropertyAccessExpression(value)) return undefined;
  const symbol = symbolOf(value, file, has);
  const declaration = ts.isIdentifier(value) ? declarationOf(value, file) : undefined;
  if (symbol === undefined && declaration === undefined) return undefined;
  const own = symbol ?? (declaration === undefined ? undefined : symbolOfDeclaration(declaration, file));
  if (own === undefined) return undefined;
  const local = declaration !== undefined && declaration.kind !== 'import' && declaration.kind !== 'parameter';
  return { symbol: own, declared: local ? declaration.node : undefined, declaration };
}

function draftFor(node: ts.Node, file: TypeScriptFile, has: (path: string) => boolean, drafts: Map<string, Draft>, keyed: boolean): Draft | undefined {
  const found = target(node, file, has);
  if (found === undefined) return undefined;
  const known = drafts.get(keyText(found.symbol));
  if (known !== undefined || !keyed) return known;
  const holder =
    found.declared !== undefined && (ts.isVariableDeclaration(found.declared) || ts.isPropertyDeclaration(found.declared)) ? found.declared : undefined;
  // Headers, bodies and parameters are indexed too; a store is a declared container or comes from another module.
  if (holder === undefined && found.declaration?.kind !== 'import' && found.declared === undefined) return undefined;
  const form = holder === undefined ? 'external' : (containerForm(holder.type, holder.initializer, file) ?? 'external');
  const draft: Draft = { ...found, declared: holder, form, holds: 'unknown', accesses: new Set(), keyed: false, written: false, cleaned: false };
  drafts.set(keyText(found.symbol), draft);
  return draft;
}

function onElement(node: ts.ElementAccessExpression, file: TypeScriptFile, has: (path: string) => boolean, drafts: Map<string, Draft>): void {
  const keyed = isSessionId(node.argumentExpression, file);
  const draft = draftFor(node.expression, file, has, drafts, keyed);
  if (draft === undefined) return;
  draft.accesses.add(node);
  draft.keyed ||= keyed;
  const outer = wrapped(node);
  const parent = outer.parent;
  if (ts.isBinaryExpression(parent) && parent.left === outer && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    draft.written = true;
    learn(draft, parent.right, file);
  }
  if (ts.isDeleteExpression(parent)) draft.cleaned = true;
}

function onCall(call: ts.CallExpression, file: TypeScriptFile, has: (path: string) => boolean, drafts: Map<string, Draft>): void {
  const method = calledMember(call);
  const receiver = receiverOf(call);
  const key = call.arguments[0];
  if (method === undefined || receiver === undefined) return;
  if (key === undefined) {
    if (method === 'clear') {
      const draft = draftFor(receiver, file, has, drafts, false);
      if (draft !== undefined) draft.cleaned = true;
    }
    return;
  }
  const keyed = ACCESS.has(method) && isSessionId(key, file);
  const draft = draftFor(receiver, file, has, drafts, keyed);
  if (draft === undefined || !(ACCESS.has(method) || keyed)) return;
  draft.accesses.add(call);
  draft.keyed ||= keyed;
  if (method === 'set' || method === 'add' || method === 'setTransport') {
    draft.written = true;
    const value = call.arguments[method === 'add' ? 0 : 1];
    if (value !== undefined) learn(draft, value, file);
  }
  if (REMOVAL.has(method)) draft.cleaned = true;
}

/** What is put into a container, or taken out and used as, tells what it holds. */
function learn(draft: Draft, node: ts.Node, file: TypeScriptFile): void {
  if (draft.holds === 'transport') return;
  const value = unwrapAwait(node);
  if (isHttpTransport(transportValue(value, file))) draft.holds = 'transport';
  else if (isServer(value, file)) draft.holds = draft.holds === 'unknown' ? 'server' : draft.holds;
  else if (ts.isObjectLiteralExpression(value)) {
    for (const property of value.properties) {
      const inner = ts.isPropertyAssignment(property) ? property.initializer : ts.isShorthandPropertyAssignment(property) ? property.name : undefined;
      if (inner !== undefined) learn(draft, inner, file);
    }
    if (draft.holds === 'unknown') draft.holds = 'state';
  } else if (ts.isIdentifier(value) && nameText(value) === 'undefined') return;
  else if (draft.holds === 'unknown') draft.holds = looksLike(value) ?? 'state';
}

/** What answers requests is a transport: `transports.get(id).handleRequest(…)`, directly or behind a variable. */
function learnFromUse(dispatch: ts.CallExpression, drafts: Map<string, Draft>, file: TypeScriptFile): void {
  const unknown = [...drafts.values()].filter(({ holds, accesses }) => holds === 'unknown' && accesses.size > 0);
  if (unknown.length === 0) return;
  const follow = (node: ts.Node | undefined, depth: number): void => {
    if (node === undefined || depth > 6) return;
    const value = unwrapAwait(node);
    for (const draft of unknown) if (draft.accesses.has(value)) draft.holds = 'transport';
    if (ts.isConditionalExpression(value)) {
      follow(value.whenTrue, depth + 1);
      follow(value.whenFalse, depth + 1);
    } else if (ts.isBinaryExpression(value)) {
      follow(value.left, depth + 1);
      follow(value.right, depth + 1);
    } else if (ts.isIdentifier(value)) {
      const holder = declarationOf(value, file)?.node;
      if (holder !== undefined && ts.isVariableDeclaration(holder)) follow(holder.initializer, depth + 1);
    }
  };
  follow(receiverOf(dispatch), 0);
}

const looksLike = (value: ts.Node): Holds | undefined => (ts.isIdentifier(value) && /transport$/i.test(value.text) ? 'transport' : undefined);

function isServer(value: ts.Node, file: TypeScriptFile, depth = 0): boolean {
  if (depth > 5) return false;
  if (ts.isNewExpression(value)) return serverClass(value.expression, file) !== undefined;
  if (!ts.isIdentifier(value)) return false;
  const node = declarationOf(value, file)?.node;
  if (node === undefined || !ts.isVariableDeclaration(node)) return false;
  return (
    heldBy(node.type, file) === 'server' ||
    (node.initializer !== undefined && isServer(unwrapAwait(node.initializer), file, depth + 1)) ||
    sessionCode(file).connects.some((call) => receiverOf(call)?.getText(file.tree) === value.text)
  );
}

/** Names used as a whole: loops over a store, spread, passing on; slots are read and written by name. */
function onName(node: ts.Identifier, file: TypeScriptFile, drafts: Map<string, Draft>): void {
  for (const draft of drafts.values()) {
    if (draft.declaration?.name !== node.text || declarationOf(node, file) !== draft.declaration) continue;
    if (draft.form !== 'slot' || draft.declaration.identifiers.includes(node)) continue;
    draft.accesses.add(node);
    if (isWrite(node)) draft.written = true;
  }
}
