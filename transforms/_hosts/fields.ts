import type { ts } from 'ts-morph';

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
