import { type PyNode, argumentsOf, calledName, decoratorsOf, eachNode, isFunction } from '../../../src/languages/python/index.js';
import type { Pass } from './pass.js';
import { serverKind } from './registry.js';

const PLAIN =
  /^(?:Exception|RuntimeError|ValueError|TypeError|KeyError|LookupError|PermissionError|FileNotFoundError|TimeoutError|ConnectionError|OSError|NotImplementedError|AssertionError)$/;

/**
 * Notes the tools whose exceptions the model no longer reads. SDK 1.x put the text of any exception into the result; SDK 2.3 does so for `ToolError`
 * only, and says nothing but the name of the tool otherwise.
 */
export function noteToolErrors(pass: Pass): void {
  for (const fn of pass.all('function_definition')) {
    const tool = decoratorsOf(fn).some((decorator) => {
      const object = decorator.get('function')?.get('object');
      return decorator.kind === 'call' && calledName(decorator, pass.file) === 'tool' && object !== undefined && serverKind(pass, object) === 'fast';
    });
    const body = fn.get('body');
    if (!tool || !body) continue;
    const raised = new Set<string>();
    eachNode(body, (node: PyNode) => {
      if (isFunction(node)) return false;
      const thrown = node.kind === 'raise_statement' ? node.children[0] : undefined;
      const name = thrown?.kind === 'call' ? calledName(thrown, pass.file) : undefined;
      if (thrown && name !== undefined && PLAIN.test(name) && argumentsOf(thrown, pass.file).positional.length > 0) raised.add(name);
      return undefined;
    });
    if (raised.size > 0)
      pass.notes.add(
        `${pass.file.path}: \`${pass.text(fn.get('name') ?? fn)}\` raises ${[...raised].map((name) => `\`${name}\``).join(', ')}; the model reads "Error executing tool …" without the text now. Raise \`ToolError\` where it should read it.`,
      );
  }
}
