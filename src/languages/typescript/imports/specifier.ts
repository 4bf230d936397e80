import { posix } from 'node:path';
import type { TypeScriptFile } from '../file.js';
import { moduleRequests } from '../provenance/requests.js';
import { isRelative } from '../resolve.js';

const OUTPUT: Readonly<Record<string, string>> = { '.ts': '.js', '.tsx': '.js', '.jsx': '.js', '.mts': '.mjs', '.cts': '.cjs' };

/**
 * True when a needed module is a path of the repository: it ends like a source file, and is no package (`@scope/pkg/file.js`,
 * `node:…`). Package subpaths that end in `.js` without a scope would be taken for paths.
 */
const isRepositoryPath = (module: string): boolean =>
  !module.startsWith('@') && !module.startsWith('node:') && !isRelative(module) && /\.[cm]?[jt]sx?$/.test(module);

/** How the file spells its own relative imports: with the output's extension, the source's, or none. */
function endingStyle(file: TypeScriptFile): 'output' | 'source' | 'none' {
  let output = 0;
  let source = 0;
  let none = 0;
  for (const { specifier } of moduleRequests(file)) {
    if (!isRelative(specifier)) continue;
    const extension = posix.extname(specifier);
    if (/^\.[cm]?tsx?$/.test(extension)) source++;
    else if (/^\.[cm]?jsx?$/.test(extension)) output++;
    else if (extension !== '.json') none++;
  }
  if (source > output && source > none) return 'source';
  return none > output ? 'none' : 'output';
}

/** The specifier under which `file` imports a module that is given as package specifier or as path relative to the root. */
export function specifierFor(file: TypeScriptFile, module: string): string {
  if (!isRepositoryPath(module)) return module;
  const relative = posix.relative(posix.dirname(file.path), module);
  const dotted = relative.startsWith('.') ? relative : `./${relative}`;
  const extension = posix.extname(dotted);
  const style = endingStyle(file);
  if (style === 'source') return dotted;
  const stem = dotted.slice(0, dotted.length - extension.length);
  return style === 'none' ? stem : stem + (OUTPUT[extension] ?? extension);
}
