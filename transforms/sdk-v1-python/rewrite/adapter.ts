import { posix } from 'node:path';
import { importedNames, resolvePath } from '../../../src/languages/python/index.js';
import type { Pass } from './pass.js';

/** Name of the module that is written beside the code that registers handlers. */
const MODULE = 'mcp_handlers';

/** The emitted module, imported the way that the file imports its neighbours; the name under which it is known here. */
export function handlers(pass: Pass): string {
  const folder = posix.dirname(pass.file.path);
  pass.needs.push({ kind: 'shim', template: 'python-handlers', path: pathIn(folder), model: {} });
  const relative = isPackage(pass, folder) || importedNames(pass.file).some(({ module }) => module.startsWith('.'));
  const main = importedNames(pass.file).length > 0 && !relative;
  const want = main ? { module: MODULE, name: '*' } : { module: '.', name: MODULE };
  if (!pass.wanted.some(({ module, name }) => module === want.module && name === want.name)) pass.wanted.push(want);
  return MODULE;
}

/**
 * Files outside of a package, tests above all, take the module of the package that they import: a second copy beside them is not found
 * where the test runner puts no folder of tests on the path.
 */
export function shareHandlers(passes: readonly Pass[]): void {
  const written = new Set(passes.flatMap(({ needs }) => needs.flatMap((need) => (need.kind === 'shim' ? [posix.dirname(need.path)] : []))));
  for (const pass of passes) {
    const at = pass.wanted.findIndex(({ module, name }) => module === MODULE && name === '*');
    const home = at < 0 ? undefined : importedPackage(pass, written);
    if (home === undefined) continue;
    pass.wanted[at] = { module: home, name: MODULE };
    pass.needs.splice(0, pass.needs.length, ...pass.needs.filter(({ kind }) => kind !== 'shim'));
  }
}

const pathIn = (folder: string): string => (folder === '.' ? `${MODULE}.py` : `${folder}/${MODULE}.py`);

const isPackage = (pass: Pass, folder: string): boolean => pass.project.has(posix.join(folder, '__init__.py'));

/** The dotted name of a package that this file imports from and that the module is written into. */
function importedPackage(pass: Pass, written: ReadonlySet<string>): string | undefined {
  for (const imported of importedNames(pass.file)) {
    const found = resolvePath(pass.file.path, imported.module, (path) => pass.project.has(path));
    if (!found || found.name !== undefined) continue;
    const folder = posix.dirname(found.file);
    if (!written.has(folder) || !isPackage(pass, folder)) continue;
    const inside = posix.basename(found.file) !== '__init__.py';
    const home = inside ? imported.module.slice(0, Math.max(0, imported.module.lastIndexOf('.'))) : imported.module;
    if (home !== '' && !home.startsWith('.')) return home;
  }
  return undefined;
}
