import type { ts } from 'ts-morph';
import type { ImportNeed, TextEdit } from '../../../src/core/index.js';
import { type TypeScriptFile, importBindings } from '../../../src/languages/typescript/index.js';
import { type Registration, registrationsOf, replacementOf, takenRegistrationsOf } from '../registrations.js';
import type { Obstacle } from './bindings.js';
import type { Todo } from './markers.js';

/** Registrations in the form of v1 that the codemod left or would misread, because their arguments are not written in place. */
export interface DynamicRegistrations {
  readonly edits: readonly TextEdit[];
  readonly add: readonly ImportNeed[];
  /** Registrations whose arguments cannot be told apart: v2 has no such method, so the server would not start. */
  readonly obstacles: readonly Obstacle[];
  /** The same where it is not proved that the object is a server. */
  readonly todos: readonly Todo[];
}

/**
 * `server.tool(name, description, tool.inputSchema.shape, run)` in a loop over definitions becomes
 * `server.registerTool(name, { description, inputSchema: … }, run)`. Which argument is which is told by `argument-roles`.
 */
export function repairDynamic(file: TypeScriptFile): DynamicRegistrations {
  const edits: TextEdit[] = [];
  const add: ImportNeed[] = [];
  const obstacles: Obstacle[] = [];
  const todos: Todo[] = [];
  for (const registration of registrationsOf(file)) {
    const { call, name, form, receiver } = registration;
    if (form !== 'variadic' || (receiver !== 'sdk' && receiver !== 'likely')) continue;
    const replacement = replacementOf(name);
    if (name !== 'resource' && registration.parts !== undefined) {
      edits.push(...configured(registration, replacement, file, add));
      continue;
    }
    if (receiver === 'sdk')
      obstacles.push({
        file,
        node: call,
        why: `The arguments of \`${file.textOf(call.expression)}(…)\` are not written in place, so a description, a schema and annotations cannot be told apart.`,
        next: `Write it as \`${replacement}(name, { … }, handler)\` first (SDK 1.13 and later have it), then run the migration again.`,
      });
    else
      todos.push({
        file,
        node: call,
        kind: 'variadic-registration',
        text: `if this is an \`McpServer\`, write \`${replacement}(name, { … }, handler)\`: v2 has no \`.${name}()\`, and here a description and a schema cannot be told apart.`,
      });
  }
  for (const { call, name } of takenRegistrationsOf(file))
    obstacles.push({
      file,
      node: call,
      why: `\`.${name}\` was taken off the server before it is called here, and v2 has no such method.`,
      next: `Call \`${replacementOf(name)}(name, { … }, handler)\` on the server itself (SDK 1.13 and later have it), then run the migration again.`,
    });
  return { edits, add, obstacles, todos };
}

/** The call in the form of v2. What stands between the arguments stays where it holds a comment, else the object is one line. */
function configured(registration: Registration, replacement: string, file: TypeScriptFile, add: ImportNeed[]): readonly TextEdit[] {
  const { call, name, handler, parts = {} } = registration;
  const { description, schema, annotations } = parts;
  const z = schema === undefined ? undefined : zodName(file);
  if (schema !== undefined && z === undefined) add.push({ kind: 'import', file: file.path, module: 'zod', name: 'z' });
  const given: readonly (readonly [ts.Expression | undefined, (text: string) => string])[] = [
    [description, (text) => property('description', text)],
    [schema, (text) => `${name === 'prompt' ? 'argsSchema' : 'inputSchema'}: ${z ?? 'z'}.object(${text})`],
    [annotations, (text) => property('annotations', text)],
  ];
  const written = given.flatMap(([node, write]) => (node === undefined ? [] : [{ node, text: write(file.textOf(node)) }]));
  const renamed: TextEdit = { ...file.span(call.expression.name), text: replacement };
  const first = written[0]?.node;
  const last = written.at(-1)?.node;
  if (first === undefined || last === undefined) {
    const start = handler.getStart(file.tree);
    return [renamed, { start, end: start, text: '{}, ' }];
  }
  const gaps = written.slice(1).map(({ node }) => file.text.slice(node.pos, node.getStart(file.tree)));
  if (gaps.every((gap) => gap.trim() === ''))
    return [renamed, { start: first.getStart(file.tree), end: last.end, text: `{ ${written.map(({ text }) => text).join(', ')} }` }];
  return [renamed, ...written.map(({ node, text }) => ({ ...file.span(node), text: `${node === first ? '{ ' : ''}${text}${node === last ? ' }' : ''}` }))];
}

const property = (name: string, text: string): string => (text === name ? name : `${name}: ${text}`);

/** How the file spells `z`. */
function zodName(file: TypeScriptFile): string | undefined {
  for (const { specifier, name, local, typeOnly } of importBindings(file)) {
    if (specifier !== 'zod' || typeOnly) continue;
    if (name === 'z' || name === 'default') return local;
    if (name === '*') return `${local}.z`;
  }
  return undefined;
}
