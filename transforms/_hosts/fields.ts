import { ts } from 'ts-morph';
import { eachNode } from '../../src/languages/typescript/index.js';
import { nameText } from '../_mcp/typescript/nodes.js';

const assigned = new WeakMap<ts.ClassLikeDeclaration, ReadonlyMap<string, readonly ts.Node[]>>();

/** What a class gives to a field: its initializer, then every `this.name = value` inside of it. A class is walked once, whatever is asked of it. */
export function fieldValues(owner: ts.ClassLikeDeclaration, name: string): readonly ts.Node[] {
  let known = assigned.get(owner);
  if (!known) {
    const fields = new Map<string, ts.Node[]>();
    const add = (field: string, value: ts.Node): void => {
      const values = fields.get(field);
      if (values) values.push(value);
      else fields.set(field, [value]);
    };
    for (const member of owner.members) {
      const field = ts.isPropertyDeclaration(member) ? nameText(member.name) : undefined;
      if (field !== undefined && ts.isPropertyDeclaration(member) && member.initializer !== undefined) add(field, member.initializer);
    }
    eachNode(owner, (node) => {
      if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return;
      const { left } = node;
      if (ts.isPropertyAccessExpression(left) && left.expression.kind === ts.SyntaxKind.ThisKeyword) add(left.name.text, node.right);
    });
    known = fields;
    assigned.set(owner, known);
  }
  return known.get(name) ?? [];
}

/**
 * Remembers an answer about a field by its class and name. While it is being found, a question for the same field has no answer: fields that are
 * given to each other lead nowhere, and in several places they would cost a power of them.
 */
export function rememberedField<T>(
  known: WeakMap<ts.ClassLikeDeclaration, Map<string, T | undefined>>,
  owner: ts.ClassLikeDeclaration,
  name: string,
  find: () => T | undefined,
): T | undefined {
  const fields = known.get(owner) ?? new Map<string, T | undefined>();
  known.set(owner, fields);
  if (fields.has(name)) return fields.get(name);
  fields.set(name, undefined);
  const found = find();
  fields.set(name, found);
  return found;
}
