import { ts } from 'ts-morph';
import { dominantEol } from '../../core/index.js';

/** How the author of a file writes; what we add follows it. */
export interface Style {
  /** Most frequent line end of the text. */
  readonly eol: '\r\n' | '\n' | '\r';
  /** One level of indentation: a tab, or as many spaces as the smallest indented step. */
  readonly indentUnit: string;
  /** Most frequent quote of string literals, imports first. */
  readonly quote: "'" | '"';
  /** Statements end with a semicolon. */
  readonly semicolons: boolean;
  /** Names in braces are padded: `{ a }` instead of `{a}`. */
  readonly padded: boolean;
}

/** Votes over the steps by which the indentation grows from line to line; comment lines (` *`) do not vote. */
function indentUnitOf(text: string): string {
  const votes = new Map<string, number>();
  let previous = '';
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line.trim() === '' || /^\s*\*/.test(line)) continue;
    const indent = /^[\t ]*/.exec(line)?.[0] ?? '';
    if (indent.length > previous.length && indent.startsWith(previous)) {
      const step = indent.slice(previous.length);
      const unit = step.startsWith('\t') ? '\t' : step;
      if (unit === '\t' || (unit.length > 1 && unit.length <= 8)) votes.set(unit, (votes.get(unit) ?? 0) + 1);
    }
    previous = indent;
  }
  let best = '  ';
  let most = 0;
  for (const [unit, count] of votes) {
    if (count > most) {
      best = unit;
      most = count;
    }
  }
  return best;
}

/** Reads the style off a parsed file: module specifiers and other top-level statements first, the text for the rest. */
export function styleOf(tree: ts.SourceFile, text: string): Style {
  let single = 0;
  let double = 0;
  let ended = 0;
  let open = 0;
  let padded = 0;
  let tight = 0;
  for (const statement of tree.statements) {
    if (ts.isVariableStatement(statement) || ts.isImportDeclaration(statement) || ts.isExpressionStatement(statement) || ts.isExportDeclaration(statement)) {
      if (text[statement.end - 1] === ';') ended++;
      else open++;
    }
    if (ts.isImportDeclaration(statement)) {
      if (text[statement.moduleSpecifier.getStart(tree)] === "'") single += 3;
      else double += 3;
      const names = statement.importClause?.namedBindings;
      if (names && ts.isNamedImports(names) && names.elements.length > 0) {
        if (/\s/.test(text[names.getStart(tree) + 1] ?? '')) padded++;
        else tight++;
      }
    }
  }
  if (single === double) {
    // No import tells: any quoted text does. Apostrophes in prose rarely stand before a closing delimiter.
    single += text.match(/'[^'"\n\r]*'(?=\s*[,;)\]}:])/g)?.length ?? 0;
    double += text.match(/"[^'"\n\r]*"(?=\s*[,;)\]}:])/g)?.length ?? 0;
    if (padded + tight === 0) {
      padded += text.match(/(?:const|let|var) \{ /g)?.length ?? 0;
      tight += text.match(/(?:const|let|var) \{\w/g)?.length ?? 0;
    }
  }
  return { eol: dominantEol(text), indentUnit: indentUnitOf(text), quote: double > single ? '"' : "'", semicolons: ended >= open, padded: padded >= tight };
}
