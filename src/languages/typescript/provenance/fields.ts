import { ts } from 'ts-morph';
import { propertyNameOf } from '../expressions.js';
import { eachNode } from '../walk.js';

const assigned = new WeakMap<ts.ClassLikeDeclaration, ReadonlyMap<string, readonly ts.Expression[]>>();

/** What a class gives to a field: its initializer, then every `this.name = value` inside of it, in source order. A class is walked once, whatever is asked of it. */
export function fieldValues(owner: ts.ClassLikeDeclaration, name: string): readonly ts.Expression[] {
  let known = assigned.get(owner);
  if (!known) {
    const fields = new Map<string, ts.Expression[]>();
    const add = (field: string, value: ts.Expression): void => {
      const values = fields.get(field);
      if (values) values.push(value);
      else fields.set(field, [value]);
    };
    for (const member of owner.members) {
      const field = ts.isPropertyDeclaration(member) ? propertyNameOf(member.name) : undefined;
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
 * The values of a field that a read of it may see, the likeliest first: what its own function has given to it last before the read, else
 * all that the class gives to it. `null` and `undefined`, which a field holds before it is set, are no values.
 */
export function valuesOfField(owner: ts.ClassLikeDeclaration, name: string, read: ts.Node): readonly ts.Expression[] {
  const given = fieldValues(owner, name).filter((value) => !isEmpty(value));
  const fn = ts.findAncestor(read, ts.isFunctionLike);
  const before = given.filter((value) => value.end <= read.pos && ts.findAncestor(value, ts.isFunctionLike) === fn).at(-1);
  return before ? [before] : given;
}

const isEmpty = (value: ts.Expression): boolean =>
  value.kind === ts.SyntaxKind.NullKeyword || ts.isVoidExpression(value) || (ts.isIdentifier(value) && value.text === 'undefined');
