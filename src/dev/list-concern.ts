const camel = (name: string): string => name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/**
 * The text of `transforms/index.ts` with one more concern, in alphabetical order: one import, one element of `concerns: […]`.
 * @throws Error when the list does not have its usual form
 */
export function listConcern(text: string, name: string): string {
  const imports = [...text.matchAll(/^import \{ concern as \w+ \} from '\.\/([a-z0-9-]+)\/concern\.js';\n/gm)];
  const list = /concerns: \[([^\]]*)\]/.exec(text);
  if (!list || imports.length === 0)
    throw new Error('transforms/index.ts has not the usual form: `import { concern as x } from …` lines and a `concerns: […]` list');
  const next = imports.find(([, folder = '']) => folder > name);
  const last = imports[imports.length - 1];
  const at = next?.index ?? (last ? last.index + last[0].length : 0);
  const folders = [...imports.map(([, folder = '']) => folder), name].sort();
  const withImport = `${text.slice(0, at)}import { concern as ${camel(name)} } from './${name}/concern.js';\n${text.slice(at)}`;
  return withImport.replace(list[0], `concerns: [${folders.map(camel).join(', ')}]`);
}
