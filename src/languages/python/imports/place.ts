import type { PythonFile } from '../file.js';
import type { PyNode } from '../node.js';

/** Where a new import statement goes, and the line ends around it. */
export interface ImportPlace {
  readonly offset: number;
  readonly before: string;
  readonly after: string;
}

const IMPORTS: ReadonlySet<string> = new Set(['import_statement', 'import_from_statement', 'future_import_statement']);

const isDocstring = (statement: PyNode): boolean =>
  statement.kind === 'expression_statement' && (statement.children[0]?.kind === 'string' || statement.children[0]?.kind === 'concatenated_string');

/** End of the line that an offset is on, before its line break. */
function endOfLine(text: string, from: number): number {
  const found = /[\r\n]/.exec(text.slice(from));
  return found ? from + found.index : text.length;
}

/**
 * Behind the last import of the first run of imports at the top of the module, so that it runs before everything that uses it and
 * after `from __future__`. Without one: behind the docstring; else before the first statement, behind shebang, encoding and
 * licence comments.
 */
export function placeForImport(file: PythonFile): ImportPlace {
  const statements = file.tree.children;
  let anchor: PyNode | undefined;
  for (const statement of statements) {
    if (IMPORTS.has(statement.kind)) anchor = statement;
    else if (isDocstring(statement) && !anchor) anchor = statement;
    else if (anchor && IMPORTS.has(anchor.kind)) break;
    else break;
  }
  if (anchor) {
    const blank = IMPORTS.has(anchor.kind) ? '' : file.eol;
    return { offset: endOfLine(file.text, anchor.end), before: `${file.eol}${blank}`, after: '' };
  }
  const first = statements[0];
  if (!first) {
    const end = file.text.length;
    const closed = end === 0 || /[\r\n]$/.test(file.text);
    return { offset: end, before: closed ? '' : file.eol, after: file.eol };
  }
  return { offset: first.start, before: '', after: `${file.eol}${file.eol}` };
}
