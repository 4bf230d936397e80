import { createRequire } from 'node:module';
import type { API, FileInfo, JSCodeshift } from 'jscodeshift';
import { Project, ts } from 'ts-morph';
import type { TextEdit } from '../../core/index.js';
import type { TypeScriptFile } from './file.js';
import { tokenDiff } from './tokens/diff.js';

/** A standard jscodeshift module: returns the new source, or nothing when nothing changes. */
export type Transform = (file: FileInfo, api: API, options: Record<string, unknown>) => string | null | undefined;

/** Parser preset that understands what our own parser accepts for the path. */
function presetOf(path: string): 'ts' | 'tsx' | 'babel' {
  if (/\.[cm]?ts$/i.test(path)) return 'ts';
  return /\.tsx$/i.test(path) ? 'tsx' : 'babel';
}

/** Loaded on first use: scans that rewrite nothing never pay for it. It is CommonJS, so this is synchronous. */
function loadJscodeshift(): JSCodeshift {
  return createRequire(import.meta.url)('jscodeshift') as JSCodeshift;
}

/**
 * Runs a standard jscodeshift module on a file and returns its result as minimal edits: what its printer does to comments,
 * quotes, line ends and layout elsewhere is not taken over.
 * @throws Error when the transform throws or its result does not parse
 */
export function runJscodeshift(transform: Transform, file: TypeScriptFile, options: Record<string, unknown> = {}): readonly TextEdit[] {
  const jscodeshift = loadJscodeshift().withParser(presetOf(file.path));
  const api: API = { j: jscodeshift, jscodeshift, stats: () => undefined, report: () => undefined };
  const result = transform({ path: file.path, source: file.text }, api, options);
  return result === null || result === undefined || result === file.text ? [] : tokenDiff(file.text, result, { path: file.path });
}

/** A fresh in-memory ts-morph project: no disk, no libraries, JavaScript allowed. */
export const scratchProject = (): Project =>
  new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    skipFileDependencyResolution: true,
    compilerOptions: { allowJs: true, noLib: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  });
