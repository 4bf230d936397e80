import type { TypeScriptFile } from '../file.js';
import type { ImportBinding } from './sites.js';

/** A string literal in the quotes of the file. */
export const quoted = (file: TypeScriptFile, text: string): string => file.quote + text + file.quote;

/** A name that needs quotes where an export name stands. */
const exportName = (file: TypeScriptFile, name: string): string =>
  /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name) ? name : quoted(file, name);

/** One element of a list in braces: `a`, `a as b`, `type a`, `a: b`. */
export function renderElement(file: TypeScriptFile, binding: ImportBinding, style: 'import' | 'require', inlineType: boolean): string {
  const separator = style === 'import' ? ' as ' : ': ';
  const name = exportName(file, binding.name);
  const text = binding.name === binding.local ? name : name + separator + binding.local;
  return inlineType && style === 'import' ? `type ${text}` : text;
}

/** Braces around elements, padded as the file does it. */
export const renderList = (file: TypeScriptFile, elements: readonly string[]): string => {
  const pad = file.style.padded ? ' ' : '';
  return `{${pad}${elements.join(', ')}${pad}}`;
};

/**
 * Whole statements, without line ends, for the bindings of one module and one kind (type or value). A default goes with the
 * names, a namespace stands alone.
 */
export function renderStatements(file: TypeScriptFile, bindings: readonly ImportBinding[], style: 'import' | 'require'): readonly string[] {
  const end = file.style.semicolons ? ';' : '';
  const first = bindings[0];
  if (!first) return [];
  const module = quoted(file, first.specifier);
  const statements: string[] = [];
  const spaces = bindings.filter((binding) => binding.name === '*');
  const named = bindings.filter((binding) => binding.name !== '*' && (binding.name !== 'default' || style === 'require'));
  const [byDefault, ...moreDefaults] = style === 'import' ? bindings.filter((binding) => binding.name === 'default') : [];
  const list = [...named, ...moreDefaults].map((binding) => renderElement(file, binding, style, false));
  if (style === 'require') {
    for (const space of spaces) statements.push(`const ${space.local} = require(${module})${end}`);
    if (list.length > 0) statements.push(`const ${renderList(file, list)} = require(${module})${end}`);
    return statements;
  }
  const keyword = first.typeOnly ? 'import type' : 'import';
  for (const space of spaces) statements.push(`${keyword} * as ${space.local} from ${module}${end}`);
  // A type-only import holds a default or names, not both.
  if (byDefault && (first.typeOnly || list.length === 0)) statements.push(`${keyword} ${byDefault.local} from ${module}${end}`);
  if (list.length > 0)
    statements.push(`${keyword} ${byDefault && !first.typeOnly ? `${byDefault.local}, ` : ''}${renderList(file, list)} from ${module}${end}`);
  return statements;
}
