import { ts } from 'ts-morph';
import type { ImportNeed, TextEdit } from '../../../src/core/index.js';
import { type ImportBinding, type TypeScriptFile, declarationOf, eachNode, importBindings, referencesOf } from '../../../src/languages/typescript/index.js';
import { type ProjectType, errorCodeOf, isDeepImport, isUnmapped, packageOf, sdkOf, targetOf } from '../../_mcp/sdk-table.js';
import { EVENT_STORE } from '../../_mcp/vocabulary.js';
import { someNode } from '../nodes.js';
import type { OracleAnswer } from './oracle.js';
import type { Todo } from './markers.js';

type Need = Omit<ReturnType<(typeof ImportNeed)['parse']>, never>;

/** A use of v1 that has no counterpart in v2; the item is refused unless it can stay on v1 on purpose. */
export interface Obstacle {
  readonly file: TypeScriptFile;
  readonly node: ts.Node;
  readonly why: string;
  readonly next: string;
}

/** How the imports of a file change, and what cannot. */
export interface Rebinding {
  readonly remove: readonly ImportBinding[];
  readonly add: readonly Need[];
  /** Edits of uses: members of namespaces that move or are renamed. */
  readonly edits: readonly TextEdit[];
  readonly todos: readonly Todo[];
  readonly obstacles: readonly Obstacle[];
  /** Imports of `InMemoryEventStore`, whose class is written into the project. */
  readonly eventStores: readonly ImportBinding[];
}

/** Where names of the server's auth modules go; see `auth.ts`. `undefined` leaves the choice of the codemod. */
export type AuthRoute = (name: string) => string | undefined;

/** Names that the codemod takes apart instead of renaming; what replaces them is among its own imports. */
const SPLIT: ReadonlySet<string> = new Set(['ErrorCode', 'RequestHandlerExtra', 'IsomorphicHeaders', 'StreamableHTTPError', 'SchemaInput']);

/**
 * v1 objects that a v2 peer takes as they are, because v2 asks for the interface and not for the class. Measured: client 2.4.0 connects and calls
 * a tool over the v1 transport, on a stand-in for the socket.
 */
const STRUCTURAL: ReadonlySet<string> = new Set(['WebSocketClientTransport']);

const need = (file: TypeScriptFile, module: string, name: string, local: string, typeOnly: boolean): Need => ({
  kind: 'import',
  file: file.path,
  module,
  name,
  ...(local === name ? {} : { as: local }),
  ...(typeOnly ? { typeOnly: true } : {}),
});

const keyOfBinding = (binding: ImportBinding): string => `${binding.specifier}\n${binding.name}\n${binding.local}`;

function firstUse(file: TypeScriptFile, local: string): ts.Identifier | undefined {
  let found: ts.Identifier | undefined;
  eachNode(file.tree, (node) => {
    if (found) return false;
    if (ts.isImportDeclaration(node)) return false;
    if (ts.isIdentifier(node) && node.text === local && declarationOf(node, file)?.kind === 'import') found = node;
    return undefined;
  });
  return found;
}

function importNode(file: TypeScriptFile, binding: ImportBinding): ts.Node {
  for (const statement of file.tree.statements) {
    if (ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier) && statement.moduleSpecifier.text === binding.specifier)
      return statement;
  }
  return firstUse(file, binding.local) ?? file.tree;
}

/** Uses of an imported name, in the text as it is after the codemod's edits. */
function usesOf(file: TypeScriptFile, local: string): readonly ts.Identifier[] {
  const declaration = file.bindings.root.values.get(local) ?? file.bindings.root.types.get(local);
  return declaration ? referencesOf(declaration, file) : [];
}

/** A name that v2 lacks: kept on v1 where that is known to work, else an obstacle. */
function keepOrRefuse(
  file: TypeScriptFile,
  binding: ImportBinding,
  out: { remove: ImportBinding[]; todos: Todo[]; obstacles: Obstacle[]; eventStores: ImportBinding[] },
): void {
  const node = importNode(file, binding);
  if (binding.name === EVENT_STORE.exported && isUnmapped(binding.specifier)) {
    out.remove.push(binding);
    out.eventStores.push(binding);
    return;
  }
  const lost = targetOf(binding.specifier, binding.name, 'both');
  const typeOnly = binding.typeOnly || (lost.status === 'removed' && lost.kind === 'type');
  if (STRUCTURAL.has(binding.name) || isTypeUse(file, binding.local)) {
    out.todos.push({
      file,
      node,
      kind: 'unmapped-import',
      text: `\`${binding.name}\` has no counterpart in v2. Until then \`@modelcontextprotocol/sdk\` stays a dependency for this import.`,
    });
    return;
  }
  out.obstacles.push({
    file,
    node: firstUse(file, binding.local) ?? node,
    why: isDeepImport(binding.specifier)
      ? `\`${binding.specifier}\` reaches into the build output of SDK v1; v2 has no such path.`
      : `\`${binding.name}\` of \`${binding.specifier}\` has no counterpart in SDK v2${typeOnly ? ' (a type)' : ''}.`,
    next: 'Remove this use first (or replace it by code of your own), then run the migration again.',
  });
}

function isTypeUse(file: TypeScriptFile, local: string): boolean {
  const uses = usesOf(file, local);
  return (
    uses.length > 0 && uses.every((use) => ts.isTypeReferenceNode(use.parent) || ts.isExpressionWithTypeArguments(use.parent) || ts.isQualifiedName(use.parent))
  );
}

/** Is `ErrorCode` left as a type only, in a file whose codes are all those of the protocol? `SdkErrorCode` holds texts, so a mix is for a person. */
function isProtocolCode(file: TypeScriptFile, local: string): boolean {
  return (
    usesOf(file, local).every((use) => ts.isTypeReferenceNode(use.parent) && use.parent.typeName === use) &&
    usesByText(file, 'ProtocolErrorCode') &&
    !usesByText(file, 'SdkErrorCode')
  );
}

/** `import * as types from '…'`: each member goes where the table says; members of other packages become named imports. */
function rebindNamespace(
  file: TypeScriptFile,
  binding: ImportBinding,
  project: ProjectType,
  out: { remove: ImportBinding[]; add: Need[]; edits: TextEdit[]; todos: Todo[]; obstacles: Obstacle[] },
): void {
  const uses = usesOf(file, binding.local);
  const members: {
    readonly use: ts.Identifier;
    readonly name: ts.Node;
    readonly text: string;
    readonly module: string;
    readonly target: string;
    readonly type: boolean;
  }[] = [];
  for (const use of uses) {
    const parent = use.parent;
    const name =
      ts.isPropertyAccessExpression(parent) && parent.expression === use
        ? parent.name
        : ts.isQualifiedName(parent) && parent.left === use
          ? parent.right
          : undefined;
    if (!name) {
      out.obstacles.push({
        file,
        node: use,
        why: `\`${binding.local}\`, the whole of \`${binding.specifier}\`, is used as a value; its names are spread over several v2 packages.`,
        next: 'Import the names that are used, then run the migration again.',
      });
      return;
    }
    const code =
      name.text === 'ErrorCode' && ts.isPropertyAccessExpression(parent.parent) && parent.parent.expression === parent
        ? errorCodeOf(parent.parent.name.text)
        : undefined;
    const target =
      code === undefined
        ? targetOf(binding.specifier, name.text, project)
        : {
            status: 'moved' as const,
            module: `@modelcontextprotocol/${project === 'client' ? 'client' : 'server'}`,
            name: code.split('.')[0] ?? 'ProtocolErrorCode',
            kind: 'value' as const,
          };
    if (target.status !== 'moved') {
      out.obstacles.push({
        file,
        node: use,
        why: `\`${name.text}\` of \`${binding.specifier}\` has no counterpart in SDK v2.`,
        next: 'Remove this use first, then run the migration again.',
      });
      return;
    }
    members.push({ use, name, text: name.text, module: target.module, target: target.name, type: ts.isQualifiedName(parent) });
  }
  const counts = new Map<string, number>();
  for (const { module } of members) counts.set(module, (counts.get(module) ?? 0) + 1);
  const home = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
  out.remove.push(binding);
  if (home !== undefined) out.add.push(need(file, home, '*', binding.local, binding.typeOnly));
  for (const member of members) {
    if (member.module === home) {
      if (member.text !== member.target) out.edits.push({ ...file.span(member.name), text: member.target });
      continue;
    }
    const bound = file.bindings.root.values.has(member.target) || file.bindings.root.types.has(member.target);
    const local = bound ? `${member.target}FromSdk` : member.target;
    out.add.push(need(file, member.module, member.target, local, binding.typeOnly || member.type));
    out.edits.push({ start: member.use.getStart(file.tree), end: member.name.end, text: local });
  }
}

/**
 * Plans how the SDK imports of a file change. `file` is the text after the codemod's edits, its imports still those of v1; `answer` is what
 * the codemod would import instead.
 */
export function planRebinding(file: TypeScriptFile, answer: OracleAnswer, project: ProjectType, route: AuthRoute): Rebinding {
  const out = {
    remove: [] as ImportBinding[],
    add: [] as Need[],
    edits: [] as TextEdit[],
    todos: [] as Todo[],
    obstacles: [] as Obstacle[],
    eventStores: [] as ImportBinding[],
  };
  const bindings = importBindings(file);
  const matched = new Set<string>();
  for (const binding of bindings) {
    if (sdkOf(binding.specifier) !== 1) {
      matched.add(keyOfBinding(binding));
      continue;
    }
    if (binding.name === '*') {
      rebindNamespace(file, binding, project, out);
      for (const after of answer.bindings) if (after.local === binding.local) matched.add(keyOfBinding(after));
      continue;
    }
    const target = targetOf(binding.specifier, binding.name, project);
    const renamed = target.status === 'moved' ? target.name : undefined;
    const after = SPLIT.has(binding.name)
      ? undefined
      : answer.bindings.find((other) => sdkOf(other.specifier) === 2 && (other.local === binding.local || (other.name === renamed && other.local === renamed)));
    if (after) matched.add(keyOfBinding(after));
    const used = usesOf(file, binding.local).length > 0 || (after !== undefined && usesByText(file, after.local));
    if (after && target.status === 'moved') {
      out.remove.push(binding);
      out.add.push(need(file, route(target.name) ?? after.specifier, target.name, after.local, binding.typeOnly));
    } else if (!used && (SPLIT.has(binding.name) || target.status === 'moved')) out.remove.push(binding);
    else if (target.status === 'moved' && !SPLIT.has(binding.name)) {
      // The codemod did not read this import (a `require`): the table says the same.
      out.remove.push(binding);
      out.add.push(
        need(file, route(target.name) ?? target.module, target.name, binding.local === binding.name ? target.name : binding.local, binding.typeOnly),
      );
      if (binding.local === binding.name && target.name !== binding.name)
        for (const use of usesOf(file, binding.local))
          out.edits.push({ ...file.span(use), text: ts.isShorthandPropertyAssignment(use.parent) ? `${use.text}: ${target.name}` : target.name });
    } else if (binding.name === 'ErrorCode' && isProtocolCode(file, binding.local)) {
      out.remove.push(binding);
      for (const use of usesOf(file, binding.local)) out.edits.push({ ...file.span(use), text: 'ProtocolErrorCode' });
    } else keepOrRefuse(file, binding, out);
  }
  for (const after of answer.bindings) {
    if (matched.has(keyOfBinding(after)) || after.local === '__injected' || answer.nested.has(after.local)) continue;
    // Where `ErrorCode` is taken below the top level only, its parts are taken there too.
    if (
      answer.nested.has('ErrorCode') &&
      ['ProtocolErrorCode', 'SdkErrorCode'].includes(after.name) &&
      !bindings.some((binding) => binding.name === 'ErrorCode')
    )
      continue;
    if (bindings.some((binding) => keyOfBinding(binding) === keyOfBinding(after))) continue;
    if (sdkOf(after.specifier) === 1 || (sdkOf(after.specifier) === undefined && packageOf(after.specifier) !== 'zod')) continue;
    if (usesByText(file, after.local)) out.add.push(need(file, after.specifier, after.name, after.local, after.typeOnly));
  }
  return out;
}

/** The name is used although no import binds it yet. */
function usesByText(file: TypeScriptFile, local: string): boolean {
  const isUse = (node: ts.Node): boolean =>
    ts.isIdentifier(node) && node.text === local && !(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node);
  return someNode(file.tree, isUse, ts.isImportDeclaration);
}
