import type { RewriteContext } from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';

/** Importers of importers are followed so far: behind a barrel stands another one, seldom a third. */
const MAX_STEPS = 4;

/**
 * Files that may use what some files declare: those with MCP code of the package, and everybody who imports one of them. A name is
 * only taken out when none of these uses it.
 */
export function neighbours(folder: string, files: readonly TypeScriptFile[], context: RewriteContext): readonly TypeScriptFile[] {
  const known = new Map(files.map((file) => [file.path, file]));
  const paths = new Set([...context.filesOf(folder), ...known.keys()]);
  let wave: readonly string[] = [...known.keys()];
  for (let step = 0; wave.length > 0 && step < MAX_STEPS; step++) {
    wave = wave.flatMap((path) => context.importersOf(path)).filter((path) => !paths.has(path));
    for (const path of wave) paths.add(path);
  }
  return [...paths].flatMap((path) => known.get(path) ?? context.file('typescript', path) ?? []);
}
