import { constantOf, eachNode, originsOf, type PyNode, type PythonFile } from '../../../src/languages/python/index.js';

/** Expressions whose value may differ from one round to the next, or that bind names of their own. */
const MOVING = /^(?:attribute|subscript|await|lambda|named_expression|yield|.*comprehension|generator_expression)$/;
/** Models of the protocol: to build one has no effect. */
const MODEL = /^(?:mcp\.types|mcp_types)\.[A-Z]\w*$/;

/**
 * Names that an expression is made of, of those that are known not to change between two rounds of a tool; `undefined` when it is made of
 * anything else: calls, members, names that the module sets more than once.
 */
export function namesIn(expression: PyNode, known: ReadonlySet<string>, file: PythonFile): ReadonlySet<string> | undefined {
  const found = new Set<string>();
  let plain = true;
  eachNode(expression, (node) => {
    if (node.kind === 'call') {
      const callee = node.get('function');
      if (!callee || !originsOf(callee, file).some(({ path }) => MODEL.test(path))) plain = false;
      const args = node.get('arguments');
      const names = args && namesIn(args, known, file);
      if (!names) plain = false;
      for (const name of names ?? []) found.add(name);
      return false;
    }
    if (MOVING.test(node.kind)) plain = false;
    if (node.kind !== 'identifier' || isKeyword(node)) return undefined;
    const name = file.textOf(node);
    if (known.has(name)) found.add(name);
    else if (!isConstant(node, file)) plain = false;
    return undefined;
  });
  return plain ? found : undefined;
}

const isKeyword = (node: PyNode): boolean => node.parent?.kind === 'keyword_argument' && node.parent.get('name') === node;

/** A text or number that the module sets once. */
function isConstant(node: PyNode, file: PythonFile): boolean {
  const binding = file.bindings.of(node);
  const value = constantOf(node, file);
  return binding?.scope.kind === 'module' && binding.sites.length === 1 && (typeof value === 'string' || typeof value === 'number');
}
