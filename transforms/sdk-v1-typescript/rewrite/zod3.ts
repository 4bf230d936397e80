import { ts } from 'ts-morph';
import type { Need, RewriteContext, TextEdit } from '../../../src/core/index.js';
import { type TypeScriptFile, importBindings } from '../../../src/languages/typescript/index.js';
import { isBelow } from '../ranges.js';
import { registrationsOf } from '../registrations.js';
import type { Obstacle } from './bindings.js';
import { endingOf, freePath, isCommonJs } from './event-store.js';
import { declaredRange } from './manifest.js';

const SHIM = { exported: 'zod3Schema', stem: 'zod3-schema', template: 'zod3-schema' } as const;

/** Registrations of a package whose zod stays on 3: each schema is handed over with the conversion that SDK v2 asks for. */
export interface KeptZod {
  readonly edits: ReadonlyMap<string, readonly TextEdit[]>;
  readonly needs: readonly Need[];
  /** Schemas that cannot be handed over: with zod 3 the first `tools/list` or `prompts/list` would fail. */
  readonly obstacles: readonly Obstacle[];
}

/** Wraps the schemas of `registerTool`. `files` are the texts after all other repairs. */
export function keepZod3(
  files: readonly TypeScriptFile[],
  manifest: string,
  content: Readonly<Record<string, unknown>> | undefined,
  context: RewriteContext,
): KeptZod {
  const edits = new Map<string, readonly TextEdit[]>();
  const needs: Need[] = [];
  const obstacles: Obstacle[] = [];
  const paths = new Map<string, string>();
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const own = wrapsOf(file, obstacles);
    if (own.length === 0) continue;
    edits.set(file.path, own);
    const commonjs = isCommonJs(file);
    const ending = endingOf(file.path);
    const key = `${ending} ${String(commonjs)}`;
    let path = paths.get(key);
    if (path === undefined) {
      path = freePath(file.path, SHIM.stem, ending, context, [...paths.values()]);
      paths.set(key, path);
      needs.push({ kind: 'shim', template: SHIM.template, path, model: { typescript: !file.isJavaScript, commonjs } });
    }
    needs.push({ kind: 'import', file: file.path, module: path, name: SHIM.exported });
  }
  if (edits.size > 0 && context.exists(manifest)) {
    needs.push({ kind: 'dependency', manifest, name: 'zod-to-json-schema', range: '^3.25.1' });
    const range = declaredRange(content, 'zod');
    // The first zod 3 that knows the standard interface of schemas.
    if (range === undefined || isBelow(range, 3, 24)) needs.push({ kind: 'dependency', manifest, name: 'zod', range: '^3.25.0' });
  }
  return { edits, needs, obstacles };
}

function wrapsOf(file: TypeScriptFile, obstacles: Obstacle[]): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  if (importBindings(file).some(({ name, specifier }) => name === SHIM.exported && specifier.includes(SHIM.stem))) return edits;
  const block = (node: ts.Node): void => {
    obstacles.push({
      file,
      node,
      why: 'Schemas of zod 3 reach the SDK here in a form that cannot be handed over, and zod is not proved to be replaceable by zod 4.',
      next: 'Raise zod to 4.2 by hand (its guide names what changed), then run the migration again.',
    });
  };
  // Schemas of zod 4 under a path of their own are none that the conversion of zod 3 can read.
  const mixed = importBindings(file).some(({ specifier }) => specifier.startsWith('zod/') && specifier !== 'zod/v3');
  for (const { call, name, form, receiver } of registrationsOf(file)) {
    if (form !== 'register' || receiver === 'other' || receiver === 'unknown' || name === 'registerResource') continue;
    const config = call.arguments[1];
    if (mixed || config === undefined || !ts.isObjectLiteralExpression(config) || config.properties.some(ts.isSpreadAssignment)) {
      block(call);
      continue;
    }
    for (const property of config.properties) {
      const key = property.name?.getText(file.tree).replace(/['"]/g, '');
      if (key === 'argsSchema') block(property);
      if (key !== 'inputSchema' && key !== 'outputSchema') continue;
      if (ts.isShorthandPropertyAssignment(property)) edits.push({ ...file.span(property), text: `${key}: ${SHIM.exported}(${key})` });
      else if (ts.isPropertyAssignment(property)) {
        const { initializer } = property;
        edits.push(
          { start: initializer.getStart(file.tree), end: initializer.getStart(file.tree), text: `${SHIM.exported}(` },
          { start: initializer.end, end: initializer.end, text: ')' },
        );
      } else block(property);
    }
  }
  return edits;
}
