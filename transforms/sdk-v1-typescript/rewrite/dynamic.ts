import { ts } from 'ts-morph';
import type { ImportNeed, TextEdit } from '../../../src/core/index.js';
import { type TypeScriptFile, importBindings } from '../../../src/languages/typescript/index.js';
import { bare, registrationsOf } from '../registrations.js';
import type { Obstacle } from './bindings.js';

/** Registrations in the form of v1 that the codemod left, because their arguments are not written in place. */
export interface DynamicRegistrations {
  readonly edits: readonly TextEdit[];
  readonly add: readonly ImportNeed[];
  /** Registrations whose arguments cannot be told apart: v2 has no such method, so the server would not start. */
  readonly obstacles: readonly Obstacle[];
}

/**
 * `server.tool(name, description, tool.inputSchema.shape, run)` in a loop over definitions becomes `server.registerTool(name, { description, inputSchema: … }, run)`.
 * Told by the shape of the arguments: a text or something called a description, and the `.shape` of a zod object.
 */
export function repairDynamic(file: TypeScriptFile): DynamicRegistrations {
  const edits: TextEdit[] = [];
  const add: ImportNeed[] = [];
  const obstacles: Obstacle[] = [];
  for (const { call, name, form, receiver, handler } of registrationsOf(file)) {
    if (form !== 'variadic' || receiver !== 'sdk') continue;
    const middle = call.arguments.slice(1, -1);
    const description = middle[0] !== undefined && isDescription(middle[0]) ? middle[0] : undefined;
    const rest = description === undefined ? middle : middle.slice(1);
    const [schema] = rest;
    const first = middle[0];
    if (name !== 'tool' || rest.length > 1 || first === undefined || (schema !== undefined && !isShape(schema)) || handler === first) {
      obstacles.push({
        file,
        node: call,
        why: `The arguments of \`${file.textOf(call.expression)}(…)\` are not written in place, so a description, a schema and annotations cannot be told apart.`,
        next: `Write it as \`register${name.replace(/^./, (letter) => letter.toUpperCase())}(name, { … }, handler)\` first (SDK 1.13 and later have it), then run the migration again.`,
      });
      continue;
    }
    const z = schema === undefined ? undefined : zodName(file);
    if (schema !== undefined && z === undefined) add.push({ kind: 'import', file: file.path, module: 'zod', name: 'z' });
    const parts = [
      ...(description === undefined ? [] : [property('description', file.textOf(description))]),
      ...(schema === undefined ? [] : [`inputSchema: ${z ?? 'z'}.object(${file.textOf(schema)})`]),
    ];
    const last = middle.at(-1) ?? first;
    edits.push(
      { ...file.span(call.expression.name), text: 'registerTool' },
      { start: first.getStart(file.tree), end: last.end, text: `{ ${parts.join(', ')} }` },
    );
  }
  return { edits, add, obstacles };
}

const property = (name: string, text: string): string => (text === name ? name : `${name}: ${text}`);

function isDescription(node: ts.Expression): boolean {
  const value = bare(node);
  if (ts.isStringLiteralLike(value) || ts.isTemplateExpression(value)) return true;
  const name = ts.isIdentifier(value) ? value.text : ts.isPropertyAccessExpression(value) ? value.name.text : '';
  return /description$/i.test(name);
}

/** `schema.shape`: the raw shape that v1 took. */
function isShape(node: ts.Expression): boolean {
  const value = bare(node);
  return ts.isPropertyAccessExpression(value) && value.name.text === 'shape';
}

/** How the file spells `z`. */
function zodName(file: TypeScriptFile): string | undefined {
  for (const { specifier, name, local, typeOnly } of importBindings(file)) {
    if (specifier !== 'zod' || typeOnly) continue;
    if (name === 'z' || name === 'default') return local;
    if (name === '*') return `${local}.z`;
  }
  return undefined;
}
