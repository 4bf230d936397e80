import type { ts } from 'ts-morph';
import { type TypeScriptFile, eachNode } from '../../../src/languages/typescript/index.js';
import { registrationsOf } from '../registrations.js';
import type { Todo } from './markers.js';
import type { OracleAnswer } from './oracle.js';

/** Remarks that our own passes deal with, or that only matter for what those passes do differently. */
const OURS =
  /resource-server auth helpers|Unknown SDK|Namespace import|[Rr]e-export|no public v2|Could not verify|Shorthand|looks like a v1 handler-context|non-string first argument|Custom method handler|no longer the setRequestHandler|takes the method string|ErrorCode is not exported|Raw shapes were|new StreamableHTTPError/;

/** A registration in the form of v1 that the codemod leaves. */
const VARIADIC = 'Could not automatically migrate';

/** Remarks by what they are about, in our words: a marker in somebody's code is read long after the run. */
const KINDS: readonly { readonly matches: RegExp; readonly kind: string; readonly text: string }[] = [
  {
    matches: /Task handler|experimental tasks/,
    kind: 'removed-symbol',
    text: 'SDK v2 has no experimental tasks; remove this use, or keep the task state in tools of your own.',
  },
  {
    matches: /completable\(\)/,
    kind: 'completable-nesting',
    text: 'write `completable(schema, complete).optional()`: v2 finds the completion only under an optional wrapper that is outermost.',
  },
  {
    matches: /SdkErrorCode|one toBeInstanceOf/,
    kind: 'error-class',
    text: 'in v2 time-outs and closed connections are `SdkError` with a text code, all other codes `ProtocolError` with a number; tell them apart here.',
  },
  {
    matches: new RegExp(VARIADIC),
    kind: 'variadic-registration',
    text: 'v2 has no variadic form; write `registerTool(name, { description, inputSchema }, handler)` (or `registerPrompt`, `registerResource`).',
  },
  { matches: /Call-shape assertion/, kind: 'variadic-registration', text: 'the registered schema is a schema object in v2; assert that instead of its shape.' },
];

/** Places of the draft for what the codemod would mark. Its lines count in a text that is no longer there, so a place is found by the text of its line. */
export function remarksToTodos(file: TypeScriptFile, answer: OracleAnswer): readonly Todo[] {
  const todos: Todo[] = [];
  const lines = file.text.split(/\r\n|\n|\r/);
  for (const remark of answer.remarks) {
    if (OURS.test(remark.message)) continue;
    if (remark.message.includes(VARIADIC) && isOurs(file, remark.source.trim())) continue;
    const known = KINDS.find(({ matches }) => matches.test(remark.message));
    const wanted = remark.source.trim();
    const line = lines.findIndex((text) => text.trim() === wanted);
    const start = file.starts[line === -1 ? 0 : line] ?? 0;
    const node = line === -1 ? file.tree.statements[0] : firstNodeFrom(file, start);
    if (node) todos.push({ file, node, kind: known?.kind ?? 'sdk-import', text: known?.text ?? remark.message });
  }
  return todos;
}

/** Is the line that of a registration which `repairDynamic` rewrites, marks or refuses? */
function isOurs(file: TypeScriptFile, line: string): boolean {
  return registrationsOf(file).some(
    ({ call, form, receiver }) => form === 'variadic' && (receiver === 'sdk' || receiver === 'likely') && line.includes(file.textOf(call.expression)),
  );
}

function firstNodeFrom(file: TypeScriptFile, offset: number): ts.Node | undefined {
  let found: ts.Node | undefined;
  eachNode(file.tree, (node) => {
    if (found || node.end <= offset) return false;
    if (node.getStart(file.tree) >= offset) found = node;
    return undefined;
  });
  return found;
}
