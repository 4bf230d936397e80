import { ts } from 'ts-morph';
import type { Need, RewriteContext, TextEdit } from '../../../src/core/index.js';
import { type TypeScriptFile, importBindings } from '../../../src/languages/typescript/index.js';
import { handoverOf, STUCK } from '../handover.js';
import { isBelow } from '../ranges.js';
import type { Obstacle } from './bindings.js';
import { endingOf, freePath, isCommonJs } from './event-store.js';

const SHIM = { exported: 'zod3Schema', stem: 'zod3-schema', template: 'zod3-schema' } as const;

/** Registrations of a package whose zod stays on 3: each schema is handed over with the conversion that SDK v2 asks for. */
export interface KeptZod {
  readonly edits: ReadonlyMap<string, readonly TextEdit[]>;
  readonly needs: readonly Need[];
  /** Schemas that cannot be handed over: with zod 3 the first `tools/list` or `prompts/list` would fail. */
  readonly obstacles: readonly Obstacle[];
}

/**
 * Wraps the schemas of `registerTool`.
 * @param files the texts after all other repairs
 * @param range the range of zod that counts for the package
 */
export function keepZod3(files: readonly TypeScriptFile[], manifest: string, range: string | undefined, context: RewriteContext): KeptZod {
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
    // The first zod 3 that knows the standard interface of schemas.
    if (range === undefined || isBelow(range, 3, 24)) needs.push({ kind: 'dependency', manifest, name: 'zod', range: '^3.25.0' });
  }
  return { edits, needs, obstacles };
}

function wrapsOf(file: TypeScriptFile, obstacles: Obstacle[]): readonly TextEdit[] {
  if (importBindings(file).some(({ name, specifier }) => name === SHIM.exported && specifier.includes(SHIM.stem))) return [];
  const { converted, stuck } = handoverOf(file);
  const next = 'Raise zod to 4.2 by hand (its guide names what changed), then run the migration again.';
  obstacles.push(...stuck.map((node) => ({ file, node, why: STUCK, next })));
  return converted.flatMap((property): readonly TextEdit[] => {
    if (ts.isShorthandPropertyAssignment(property)) return [{ ...file.span(property), text: `${property.name.text}: ${SHIM.exported}(${property.name.text})` }];
    const { initializer } = property;
    const start = initializer.getStart(file.tree);
    return [
      { start, end: start, text: `${SHIM.exported}(` },
      { start: initializer.end, end: initializer.end, text: ')' },
    ];
  });
}
