import { ts } from 'ts-morph';
import { eachNode, enclosingFunction, type TypeScriptFile } from '../../../src/languages/typescript/index.js';
import type { SessionStore } from '../../_mcp/typescript/stores.js';
import { ancestor, isWithin, nameText } from '../../_mcp/typescript/nodes.js';
import { CREDENTIAL, LIMITS, PERIOD, POLICY, REFUSES, RESOURCE, RESOURCE_TYPE } from '../words.js';

/** What a store is kept for: the kind under which it is reported, and the words that told it. */
export interface Purpose {
  readonly kind: 'keyed-store' | 'live-resource' | 'policy-key' | 'credential-cache';
  readonly evidence: string;
}

/** Words of a declaration: its name, the type of its entries, and what is put in. */
function wordsOf(store: SessionStore, file: TypeScriptFile): { readonly name: string; readonly type: string; readonly values: string } {
  const declared = store.declared;
  const holder = declared !== undefined && (ts.isVariableDeclaration(declared) || ts.isPropertyDeclaration(declared)) ? declared : undefined;
  const made =
    holder?.initializer !== undefined && ts.isNewExpression(holder.initializer)
      ? (holder.initializer.typeArguments ?? []).map((type) => type.getText(file.tree)).join(' ')
      : '';
  const type = `${holder?.type?.getText(file.tree) ?? ''} ${made}`;
  const values = store.accesses
    .flatMap((access) =>
      ts.isCallExpression(access)
        ? access.arguments.slice(1)
        : ts.isBinaryExpression(access.parent) && access.parent.left === access
          ? [access.parent.right]
          : [],
    )
    .map((value) => value.getText(file.tree))
    .join(' ');
  return { name: store.symbol.name, type: `${type} ${membersOf(type, file)}`, values };
}

/** Members of the interfaces and type literals of the same file that a type text names. */
function membersOf(type: string, file: TypeScriptFile): string {
  const names = new Set(type.match(/\b[A-Z]\w+/g));
  const members: string[] = [];
  eachNode(file.tree, (node) => {
    if ((ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && names.has(node.name.text))
      members.push(node.getText(file.tree).replace(/^[^{]*/, ''));
  });
  return members.join(' ');
}

/** Tells state, resource, credential and policy apart by name, type and stored values; what nothing tells is state. */
export function purposeOf(store: SessionStore, file: TypeScriptFile): Purpose {
  const { name, type, values } = wordsOf(store, file);
  const all = `${name} ${type} ${values}`;
  const word = (pattern: RegExp, text: string): string => pattern.exec(text)?.[0] ?? '';
  if (CREDENTIAL.test(name) || /\b(token|credential|authorization|bearer|apiKey|accessToken|AuthInfo|principal)\b/i.test(`${type} ${values}`))
    return { kind: 'credential-cache', evidence: `"${word(CREDENTIAL, all) || word(/authorization/i, all)}" names a credential or an identity` };
  if (store.holds === 'resource' || RESOURCE_TYPE.test(type) || (RESOURCE.test(name) && RESOURCE.test(`${type} ${values}`)))
    return { kind: 'live-resource', evidence: `"${word(RESOURCE_TYPE, type) || word(RESOURCE, all) || 'resource'}" names something that must be closed` };
  if (POLICY.test(name)) return { kind: 'policy-key', evidence: `"${word(POLICY, name)}" names a limit or a permission` };
  const period = PERIOD.exec(`${type} ${values}`);
  if (period !== null) return { kind: 'policy-key', evidence: `"${period[0]}" of its entries begins a new period of a limit` };
  const refusal = store.accesses.map((access) => refusalOf(access, file)).find((found) => found !== undefined);
  if (refusal !== undefined) return refusal;
  return { kind: 'keyed-store', evidence: 'its entries are read or written with a session id' };
}

/** Callers who are refused because of what an access gives: too often, or not the owner. */
function refusalOf(access: ts.Node, file: TypeScriptFile): Purpose | undefined {
  const fn = enclosingFunction(access);
  if (fn === undefined) return undefined;
  const holder = ancestor(access, ts.isVariableDeclaration);
  const name = holder !== undefined && ts.isIdentifier(holder.name) && enclosingFunction(holder) === fn ? holder.name.text : undefined;
  let found: Purpose | undefined;
  eachNode(fn, (node) => {
    if (found !== undefined || !ts.isIfStatement(node)) return;
    const condition = node.expression.getText(file.tree);
    const asked = isWithin(access, node.expression) || (name !== undefined && new RegExp(`\\b${name}\\b`).test(condition));
    if (!asked) return;
    const then = node.thenStatement.getText(file.tree);
    const limit = LIMITS.exec(then)?.[0];
    if (limit !== undefined) found = { kind: 'policy-key', evidence: `who exceeds it is refused ("${limit}")` };
    else if (/[!=]==?/.test(condition) && !/[!=]==?\s*(?:undefined|null|true|false)\b/.test(condition) && REFUSES.test(then))
      found = { kind: 'credential-cache', evidence: 'its entry is compared with the caller, who is refused when they differ' };
  });
  return found;
}

/** Plain name of a store for messages. */
export const storeName = (store: SessionStore): string =>
  nameText(store.declared !== undefined && ts.isVariableDeclaration(store.declared) ? store.declared.name : undefined) ?? store.symbol.name;
