import { applyEdits } from '../../../src/core/index.js';
import { editImports, loadParser, parse, type PythonFile } from '../../../src/languages/python/index.js';
import { migrateFiles } from '../../../transforms/sdk-v1-python/rewrite/migrate.js';
import { markerEdits } from '../../../transforms/sdk-v1-python/rewrite/markers.js';

await loadParser();

function read(path: string, text: string): PythonFile {
  const { file, problem } = parse(path, text);
  if (!file) throw new Error(`${path} does not parse: ${problem.reason}`);
  return file;
}

/** Texts of a small repository after the migration, with its markers as `kind: text`. */
export function migrated(texts: Readonly<Record<string, string>>): { readonly texts: Readonly<Record<string, string>>; readonly marks: readonly string[] } {
  const files = new Map(Object.entries(texts).map(([path, text]) => [path, read(path, text)]));
  const done = migrateFiles({ files, has: (path) => files.has(path) });
  const after = Object.fromEntries(
    [...files].map(([path, file]) => {
      const edited = read(path, applyEdits(file.text, done.get(path)?.edits ?? []));
      return [path, applyEdits(edited.text, editImports(edited, [], done.get(path)?.wanted ?? []))];
    }),
  );
  return { texts: after, marks: [...done.values()].flatMap(({ marks }) => marks.map(({ kind, text }) => `${kind}: ${text}`)) };
}

/** One file after the migration. It has to parse, and a second migration has to leave it as it is. */
export function after(text: string): string {
  const once = migrated({ 'app.py': text }).texts['app.py'] ?? '';
  const twice = migrated({ 'app.py': once }).texts['app.py'];
  if (twice !== once) throw new Error(`a second migration changes it again:\n${twice ?? ''}`);
  return once;
}

/** Kinds of the markers that stay. */
export const marksOf = (text: string): readonly string[] => migrated({ 'app.py': text }).marks.map((mark) => mark.slice(0, mark.indexOf(':')));

/** A file with its markers written. */
export function marked(text: string): string {
  const file = read('app.py', text);
  const done = migrateFiles({ files: new Map([['app.py', file]]), has: () => false }).get('app.py');
  return applyEdits(text, markerEdits(file, done?.marks ?? []));
}
