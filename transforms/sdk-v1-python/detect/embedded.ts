import { argumentsOf, calledName, constantOf, decoratorsOf, enclosingFunction, type PyNode } from '../../../src/languages/python/index.js';
import { nodesOf } from '../../_mcp/python/nodes.js';
import type { Scene } from './scene.js';

const PROGRAM = /^[ \t]*(?:from|import) mcp(?:\.|\b)[^\n]*$/m;
/** Modules that only SDK v2 has: such a program has moved already. */
const MOVED = /\bmcp\.server\.mcpserver\b|\bMCPError\b|\bmcp_handlers\b/;
/** Calls that put a text into a file, or run it. */
const WRITES: ReadonlySet<string> = new Set(['write_text', 'write', 'writelines', 'write_bytes', 'exec', 'makepyfile', 'run_python', 'create_file']);

/** Something in the file starts programs; a scanner only reads what its tests write out. */
const STARTS =
  /sys\.executable|\bsubprocess\b|\bPopen\b|StdioServerParameters|stdio_client|["']python3?["']|\bpytester\b|\bcommand\s*=|["']command["']|\brunpy\b/;

/** Programs in strings that are written out or run; a program that is only data stays what it is. */
export function detectEmbedded({ file, say }: Scene): void {
  for (const node of nodesOf(file, 'string')) {
    if (node.end - node.start < 60 || !PROGRAM.test(file.textOf(node)) || MOVED.test(file.textOf(node))) continue;
    if (isRun(node, { file }, 0)) say('embedded-source', { start: node.start, end: Math.min(node.end, node.start + 3) });
  }
}

function isRun(node: PyNode, scene: Pick<Scene, 'file'>, depth: number): boolean {
  const { file } = scene;
  if (depth > 6) return false;
  const { parent } = node;
  if (!parent) return false;
  if (parent.kind === 'argument_list' && parent.parent?.kind === 'call') {
    const call = parent.parent;
    const called = calledName(call, file);
    if (called !== undefined && WRITES.has(called)) return called === 'exec' || called === 'run_python' || STARTS.test(file.text);
    // `dedent(text)`, `text.format(…)` are the text; `Path(…)` and analysers are not.
    return called === 'dedent' || called === 'cleandoc' || called === 'strip' ? isRun(call, scene, depth + 1) : false;
  }
  if (parent.kind === 'list' || parent.kind === 'tuple' || parent.kind === 'expression_list')
    return parent.children.some((other) => other !== node && constantOf(other, file) === '-c');
  if (parent.kind === 'attribute' && parent.parent?.kind === 'call') return isRun(parent.parent, scene, depth + 1);
  if (parent.kind === 'parenthesized_expression' || parent.kind === 'binary_operator' || parent.kind === 'concatenated_string')
    return isRun(parent, scene, depth + 1);
  if (parent.kind === 'assignment' && node.field === 'right') {
    const left = parent.get('left');
    const binding = left?.kind === 'identifier' ? file.bindings.of(left) : undefined;
    return binding !== undefined && file.bindings.usesOf(binding).some((use) => isRun(use, scene, depth + 1));
  }
  if (parent.kind === 'return_statement') {
    const fn = enclosingFunction(node);
    const name = fn?.get('name');
    if (!fn || !name) return false;
    const text = file.textOf(name);
    const fixture = decoratorsOf(fn).some((decorator) => /\bfixture\b/.test(file.textOf(decorator)));
    // A fixture is used through parameters of its name.
    const uses = fixture
      ? nodesOf(file, 'identifier').filter((use) => use !== name && file.textOf(use) === text && use.parent?.kind !== 'parameters')
      : nodesOf(file, 'call').filter((call) => calledName(call, file) === text && argumentsOf(call, file).positional.length <= 2);
    return uses.some((use) => isRun(use, scene, depth + 1));
  }
  return false;
}
