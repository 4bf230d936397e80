import { ts } from 'ts-morph';
import { parse } from '../parse.js';
import { eachNode } from '../walk.js';

/**
 * Does the code name a package, itself or a module of it? Any string counts: an import, a mock, `require.resolve`, a look into the manifest. Of
 * comments only the types of JSDoc do (`import('name/module.js')`), which the compiler resolves. A text that does not parse is taken to name it.
 */
export function namesPackage(path: string, text: string, name: string): boolean {
  if (!text.includes(name)) return false;
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  if (new RegExp(`import\\(\\s*['"]${escaped}['"/]`).test(text)) return true;
  const { file } = parse(path, text);
  if (!file) return true;
  let named = false;
  eachNode(file.tree, (node) => {
    if (ts.isStringLiteralLike(node)) named ||= node.text === name || node.text.startsWith(`${name}/`);
    else if (ts.isTemplateHead(node)) named ||= node.text.startsWith(`${name}/`);
    return named ? false : undefined;
  });
  return named;
}
