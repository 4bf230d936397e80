import { type ImportNeed, type Need, type RewriteContext } from '../../../src/core/index.js';
import { type ImportBinding, type TypeScriptFile, moduleRequests } from '../../../src/languages/typescript/index.js';
import { EVENT_STORE } from '../../_mcp/vocabulary.js';

/** A file whose import of the v1 class was taken out, with the imports that it had. */
export interface EventStoreUse {
  readonly file: TypeScriptFile;
  readonly bindings: readonly ImportBinding[];
}

/** `.ts`, `.mts`, `.js`, …: a copy of the class fits files with the same ending and the same module system. */
export const endingOf = (path: string): string => `${/\.([cm]?[jt])sx?$/.exec(path)?.[1] ?? 't'}s`;

/** Does a JavaScript file load its modules with `require`? */
export function isCommonJs(file: TypeScriptFile): boolean {
  if (!file.isJavaScript || file.path.endsWith('.mjs')) return false;
  return file.path.endsWith('.cjs') || moduleRequests(file).every(({ form }) => form !== 'import' && form !== 'reexport');
}

const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '');

/** A path beside a file that nothing occupies. */
export function freePath(beside: string, stem: string, ending: string, context: RewriteContext, taken: readonly string[]): string {
  for (let index = 1; ; index++) {
    const path = `${folderOf(beside)}${stem}${index === 1 ? '' : `-${String(index)}`}.${ending}`;
    if (!context.exists(path) && !taken.includes(path)) return path;
  }
}

/** One copy of the class for a package (one for each kind of module in it), and the imports that replace those of the example. */
export function eventStoreNeeds(uses: readonly EventStoreUse[], context: RewriteContext): readonly Need[] {
  const needs: Need[] = [];
  const paths = new Map<string, string>();
  for (const { file, bindings } of [...uses].sort((a, b) => (a.file.path < b.file.path ? -1 : 1))) {
    const commonjs = isCommonJs(file);
    const ending = endingOf(file.path);
    const key = `${ending} ${String(commonjs)}`;
    let path = paths.get(key);
    if (path === undefined) {
      path = freePath(file.path, EVENT_STORE.stem, ending, context, [...paths.values()]);
      paths.set(key, path);
      needs.push({ kind: 'shim', template: EVENT_STORE.template, path, model: { typescript: !file.isJavaScript, commonjs } });
    }
    for (const binding of bindings) {
      const need: ImportNeed = {
        kind: 'import',
        file: file.path,
        module: path,
        name: EVENT_STORE.exported,
        ...(binding.local === EVENT_STORE.exported ? {} : { as: binding.local }),
        ...(binding.typeOnly ? { typeOnly: true } : {}),
      };
      needs.push(need);
    }
  }
  return needs;
}
