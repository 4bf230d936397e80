import { ts } from 'ts-morph';
import { lineStarts, positionAt } from '../../core/index.js';
import type { Parsed } from '../support.js';
import { TypeScriptFile } from './file.js';
import { typeSyntaxIn } from './syntax.js';

/** The parser's own list of faults; the compiler API keeps it internal. */
interface WithDiagnostics {
  readonly parseDiagnostics: readonly ts.DiagnosticWithLocation[];
}

/** Dialect by extension. `.js` may hold JSX, as bundlers and the compiler allow. */
export function scriptKindOf(path: string): ts.ScriptKind {
  const extension = /\.([cm]?[jt]sx?)$/i.exec(path)?.[1]?.toLowerCase();
  if (extension === undefined) return ts.ScriptKind.TS;
  if (extension === 'tsx') return ts.ScriptKind.TSX;
  if (extension === 'jsx') return ts.ScriptKind.JSX;
  return extension.includes('j') ? ts.ScriptKind.JS : ts.ScriptKind.TS;
}

/** A shebang behind a byte order mark is legal for Node but not for the parser: same length, read as a comment. */
const mask = (text: string): string => (text.startsWith('\uFEFF#!') ? ` //${text.slice(3)}` : text);

/** Parses one file. Never throws: a fault of the text, or nesting that no parser survives, comes back as `problem`. */
export function parse(path: string, text: string): Parsed<TypeScriptFile> {
  let tree: ts.SourceFile;
  try {
    tree = ts.createSourceFile(
      path,
      mask(text),
      { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone },
      true,
      scriptKindOf(path),
    );
  } catch (error) {
    if (error instanceof RangeError) {
      return { problem: { why: 'too-deep', reason: 'The code is nested too deeply for the parser. Exclude the file if it is generated.' } };
    }
    return { problem: { why: 'internal', reason: `The parser failed: ${error instanceof Error ? error.message : String(error)}` } };
  }
  const fault = (tree as ts.SourceFile & WithDiagnostics).parseDiagnostics[0] ?? typeSyntaxIn(tree, path);
  if (fault) {
    const { line, column } = positionAt(lineStarts(text), fault.start);
    return { problem: { why: 'syntax', reason: `${ts.flattenDiagnosticMessageText(fault.messageText, ' ')} (column ${column})`, line } };
  }
  return { file: new TypeScriptFile(path, text, tree) };
}
