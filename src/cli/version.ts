import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the package: the nearest one above this file with our manifest; it differs between `src/` and `dist/`. */
export const packageFolder: string = (() => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) throw new Error('the manifest of unsession is missing: install the package again');
  }
})();

/** Version of this tool. */
export const version: string = (JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { readonly version: string }).version;
