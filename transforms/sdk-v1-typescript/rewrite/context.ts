import { ts } from 'ts-morph';
import type { TextEdit } from '../../../src/core/index.js';
import { type TypeScriptFile, declarationOf, isWrite, originOf, referencesOf } from '../../../src/languages/typescript/index.js';
import { canonical } from '../../_mcp/canonical.js';
import { CONTEXT_KEYS, type ContextPattern, type ContextVariable, type Contexts, TASK_KEYS, isContextType } from '../contexts.js';
import type { Files } from '../declared.js';
import { someNode, usesName } from '../nodes.js';
import type { Todo } from './markers.js';

/** Edits of one file and what stays for a person. */
export interface Repair {
  readonly edits: readonly TextEdit[];
  readonly todos: readonly Todo[];
}

const isAssigned = (node: ts.Node): boolean => {
  const parent = node.parent;
  if (ts.isBinaryExpression(parent) && parent.left === node)
    return parent.operatorToken.kind >= ts.SyntaxKind.FirstAssignment && parent.operatorToken.kind <= ts.SyntaxKind.LastAssignment;
  return ts.isDeleteExpression(parent) || ts.isPostfixUnaryExpression(parent);
};

function climb(node: ts.Node): ts.Node {
  let current = node;
  while (ts.isParenthesizedExpression(current.parent) || ts.isAsExpression(current.parent) || ts.isNonNullExpression(current.parent)) current = current.parent;
  return current;
}

/** `extra` becomes `ctx` where that name is free: every text about v2 calls it so. Other names are the author's choice and stay. */
function renames({ declaration, file }: ContextVariable): readonly TextEdit[] {
  if (declaration.name !== 'extra' || declaration.kind !== 'parameter') return [];
  if (usesName(declaration.scope.node, 'ctx')) return [];
  return [...declaration.identifiers, ...referencesOf(declaration, file)].map((identifier) => ({
    ...file.span(identifier),
    text: ts.isShorthandPropertyAssignment(identifier.parent) ? 'extra: ctx' : 'ctx',
  }));
}

function readsOf({ declaration, file }: ContextVariable): Repair {
  const edits: TextEdit[] = [];
  const todos: Todo[] = [];
  for (const use of referencesOf(declaration, file)) {
    const top = climb(use);
    const access = top.parent;
    let key: string | undefined;
    let at: { readonly start: number; readonly end: number } | undefined;
    let dot = '';
    if (ts.isPropertyAccessExpression(access) && access.expression === top) {
      key = access.name.text;
      at = file.span(access.name);
    } else if (ts.isElementAccessExpression(access) && access.expression === top && ts.isStringLiteralLike(access.argumentExpression)) {
      key = access.argumentExpression.text;
      at = { start: top.end, end: access.end };
      dot = access.questionDotToken ? '?.' : '.';
    } else if (ts.isQualifiedName(access) && access.left === top) {
      // `typeof extra.sendRequest`
      key = access.right.text;
      at = file.span(access.right);
    }
    if (key === undefined || at === undefined) continue;
    if (TASK_KEYS.has(key))
      todos.push({ file, node: access, kind: 'removed-symbol', text: `v2 has no experimental tasks, so the context has no \`${key}\`; remove this use.` });
    const target = Object.hasOwn(CONTEXT_KEYS, key) ? CONTEXT_KEYS[key] : undefined;
    if (target === undefined) continue;
    if (ts.isQualifiedName(access) && target.includes('?'))
      todos.push({
        file,
        node: access,
        kind: 'request-context',
        text: `the type of \`${key}\` is that of \`${target}\` in v2, which a \`typeof\` cannot name.`,
      });
    else if (isAssigned(access))
      todos.push({
        file,
        node: access,
        kind: 'request-context',
        text: `\`${key}\` is read at \`${target}\` in v2 and cannot be assigned here; set it where the request enters (for \`authInfo\`: \`req.auth\`).`,
      });
    else edits.push({ ...at, text: dot + target });
  }
  return { edits, todos };
}

/** Types that say nothing about the context, so that every read of it compiles. */
const OPEN: ReadonlySet<ts.SyntaxKind> = new Set([ts.SyntaxKind.AnyKeyword, ts.SyntaxKind.UnknownKeyword]);

/**
 * A parameter whose type is written by hand: `extra: { signal?: AbortSignal }` gets the form of v2 in place, a type with a name of the project is
 * left to a person, because others may use it.
 */
function typedByHand({ declaration, file }: ContextVariable, files: Files): Repair {
  const parameter = declaration.node;
  const type = ts.isParameter(parameter) ? parameter.type : undefined;
  if (type === undefined || OPEN.has(type.kind) || isContextType(type, file, files)) return { edits: [], todos: [] };
  if (ts.isTypeLiteralNode(type)) {
    const moved = type.members.flatMap((member) => {
      const key = member.name !== undefined && ts.isIdentifier(member.name) ? member.name.text : '';
      const target = Object.hasOwn(CONTEXT_KEYS, key) ? CONTEXT_KEYS[key] : undefined;
      return target === undefined || !ts.isPropertySignature(member) || member.name === undefined ? [] : [{ member, name: member.name, target }];
    });
    // One group for each object of v2: its members follow each other, so that nothing else has to move.
    const [first] = moved;
    const last = moved.at(-1);
    if (first === undefined || last === undefined) return { edits: [], todos: [] };
    const together = type.members.indexOf(last.member) - type.members.indexOf(first.member) === moved.length - 1;
    if (together && moved.every(({ target }) => topOf(target) === topOf(first.target))) {
      const optional = first.target.startsWith('http?') ? '?' : '';
      const closing = /[;,]$/.exec(file.textOf(last.member))?.[0] ?? '';
      const end = last.member.end - closing.length;
      return {
        edits: [
          { start: first.member.getStart(file.tree), end: first.member.getStart(file.tree), text: `${topOf(first.target)}${optional}: { ` },
          ...moved.map(({ name, target }) => ({ ...file.span(name), text: target.slice(target.lastIndexOf('.') + 1) })),
          { start: end, end, text: ' }' },
        ],
        todos: [],
      };
    }
  }
  if (namesSdk(type, file)) return { edits: [], todos: [] };
  const text = 'the type of this context is written by hand; make it `ServerContext`, or give it the shape of v2 (`mcpReq`, `http`).';
  return { edits: [], todos: [{ file, node: parameter, kind: 'request-context', text }] };
}

/** Something in a type comes from the SDK, e.g. `Parameters<ToolCallback>[1]`: it changes with the SDK. */
const namesSdk = (type: ts.TypeNode, file: TypeScriptFile): boolean =>
  someNode(type, (node) => ts.isIdentifier(node) && canonical(originOf(node, file)) !== undefined);

const topOf = (target: string): string => /^\w+/.exec(target)?.[0] ?? target;

/** Binding elements that can be replaced by reads: plain names of context properties, never written. */
function elementsOf(
  pattern: ts.ObjectBindingPattern,
  file: TypeScriptFile,
): readonly { readonly element: ts.BindingElement; readonly key: string; readonly target: string | undefined }[] | undefined {
  const elements = [];
  for (const element of pattern.elements) {
    if (element.dotDotDotToken || element.initializer || !ts.isIdentifier(element.name)) return undefined;
    const name = element.propertyName ?? element.name;
    if (!ts.isIdentifier(name) && !ts.isStringLiteral(name)) return undefined;
    const key = name.text;
    if (TASK_KEYS.has(key)) return undefined;
    const declaration = declarationOf(element.name, file);
    if (!declaration || referencesOf(declaration, file).some(isWrite)) return undefined;
    elements.push({ element, key, target: Object.hasOwn(CONTEXT_KEYS, key) ? CONTEXT_KEYS[key] : undefined });
  }
  return elements;
}

/** `({ signal, authInfo })` becomes `({ mcpReq, http })`, and each read says where the property is now. */
function takenApart({ pattern, file }: ContextPattern): Repair {
  const elements = elementsOf(pattern, file);
  const concerned = elements
    ? elements.some(({ target }) => target !== undefined)
    : pattern.elements.some((element) => (element.propertyName ?? element.name).getText(file.tree) in CONTEXT_KEYS);
  if (!concerned) return { edits: [], todos: [] };
  const giveUp: Repair = {
    edits: [],
    todos: [
      {
        file,
        node: pattern,
        kind: 'request-context',
        text: 'v2 nests these properties (`mcpReq`, `http`); take the context apart by hand: rest, default and written names cannot be moved safely.',
      },
    ],
  };
  if (!elements) return giveUp;
  const groups = [...new Set(elements.map(({ target, key }) => (target === undefined ? key : topOf(target))))];
  const scope = declarationOf(elements[0]?.element.name ?? pattern, file)?.scope.node ?? file.tree;
  const own = new Set<ts.Node>(elements.map(({ element }) => element.name));
  if (groups.some((group) => (group === 'mcpReq' || group === 'http') && usesName(scope, group, own))) return giveUp;
  const edits: TextEdit[] = [];
  const kept = elements.filter(({ target }) => target === undefined).map(({ element }) => file.textOf(element));
  const names = [...groups.filter((group) => elements.some(({ target }) => target !== undefined && topOf(target) === group)), ...kept];
  const text = file.textOf(pattern);
  const padded = /^\{\s/.test(text);
  edits.push({ ...file.span(pattern), text: padded ? `{ ${names.join(', ')} }` : `{${names.join(', ')}}` });
  for (const { element, target } of elements) {
    const declaration = declarationOf(element.name, file);
    if (target === undefined || !declaration) continue;
    for (const use of referencesOf(declaration, file))
      edits.push({ ...file.span(use), text: ts.isShorthandPropertyAssignment(use.parent) ? `${use.text}: ${target}` : target });
  }
  return { edits, todos: [] };
}

/** The repairs of the request context, file by file. Reads that were moved already are left alone, so that a second run finds nothing. */
export function repairContexts(contexts: Contexts, files: Files): ReadonlyMap<string, Repair> {
  const byFile = new Map<string, { edits: TextEdit[]; todos: Todo[] }>();
  const of = (path: string): { edits: TextEdit[]; todos: Todo[] } => {
    const known = byFile.get(path) ?? { edits: [], todos: [] };
    byFile.set(path, known);
    return known;
  };
  const add = (path: string, repair: Repair): void => {
    of(path).edits.push(...repair.edits);
    of(path).todos.push(...repair.todos);
  };
  for (const variable of contexts.variables) {
    const reads = readsOf(variable);
    add(variable.file.path, reads);
    if (reads.edits.length > 0) add(variable.file.path, typedByHand(variable, files));
    add(variable.file.path, { edits: renames(variable), todos: [] });
  }
  for (const pattern of contexts.patterns) add(pattern.file.path, takenApart(pattern));
  for (const { file, node, into } of contexts.escapes) {
    of(file.path).todos.push({
      file,
      node,
      kind: 'forwarded-context',
      text: `the request context goes into ${into.length > 40 ? 'a call' : into.includes('(') ? `\`${into}\`` : into}; v2 nests it (\`mcpReq\`, \`http\`), so what reads \`authInfo\`, \`signal\` or \`sendNotification\` there needs the new shape.`,
    });
  }
  return byFile;
}
