import { ts } from 'ts-morph';
import { type TypeScriptFile, importBindings } from '../../src/languages/typescript/index.js';
import { registrationsOf } from './registrations.js';

/** What becomes of the schemas that a file registers, when zod stays on 3. */
export interface Handover {
  /** Schemas that are handed over with a conversion. */
  readonly converted: readonly (ts.PropertyAssignment | ts.ShorthandPropertyAssignment)[];
  /** Registrations and properties whose schemas cannot be: with zod 3 the first `tools/list` or `prompts/list` would fail. */
  readonly stuck: readonly ts.Node[];
}

/** Why, for people. */
export const STUCK = 'Schemas of zod 3 reach the SDK here in a form that cannot be handed over, and zod is not proved to be replaceable by zod 4.';

/** Looks at every registration of the file, in the spelling of v1 or of v2. */
export function handoverOf(file: TypeScriptFile): Handover {
  const converted: (ts.PropertyAssignment | ts.ShorthandPropertyAssignment)[] = [];
  const stuck: ts.Node[] = [];
  // Schemas of zod 4 under a path of their own are none that the conversion of zod 3 can read.
  const mixed = importBindings(file).some(({ specifier }) => specifier.startsWith('zod/') && specifier !== 'zod/v3');
  for (const { call, name, form, receiver, contextIndex } of registrationsOf(file)) {
    if (receiver === 'other' || receiver === 'unknown') continue;
    // The variadic form of a prompt becomes one with `argsSchema`.
    if (form === 'variadic' && name === 'prompt' && contextIndex !== 0) stuck.push(call);
    if (form !== 'register' || name === 'registerResource') continue;
    const config = call.arguments[1];
    if (mixed || config === undefined || !ts.isObjectLiteralExpression(config) || config.properties.some(ts.isSpreadAssignment)) {
      stuck.push(call);
      continue;
    }
    for (const property of config.properties) {
      const key = property.name?.getText(file.tree).replace(/['"]/g, '');
      if (key === 'argsSchema') stuck.push(property);
      if (key !== 'inputSchema' && key !== 'outputSchema') continue;
      if (ts.isShorthandPropertyAssignment(property) || ts.isPropertyAssignment(property)) converted.push(property);
      else stuck.push(property);
    }
  }
  return { converted, stuck };
}
