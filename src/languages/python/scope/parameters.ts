import type { PyNode } from '../node.js';

/** The name of a parameter in any form; `undefined` for `/` and a lone `*`. */
export function parameterName(parameter: PyNode): PyNode | undefined {
  if (parameter.kind === 'identifier') return parameter;
  const named = parameter.get('name') ?? parameter.children[0];
  if (!named) return undefined;
  return named.kind === 'identifier' ? named : named.children.find((child) => child.kind === 'identifier');
}
