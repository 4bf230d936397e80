import { ts } from 'ts-morph';
import { propertyNameOf, unwrap } from '../expressions.js';
import type { TypeScriptFile } from '../file.js';
import { isRequireCall } from '../provenance/calls.js';

/** One imported name of a file. */
export interface ImportBinding {
  /** The specifier as written. */
  readonly specifier: string;
  /** Exported name; `default`, or `*` for the module object. */
  readonly name: string;
  /** Name in this file. */
  readonly local: string;
  /** Erased by the compiler. */
  readonly typeOnly: boolean;
}

/** A binding together with the node that makes it: an element of the list, the default name, or the namespace. */
export interface SiteName extends ImportBinding {
  readonly node: ts.Node;
}

/** A top-level statement that imports: `import …`, `import x = require(…)`, `const … = require(…)`. */
export interface ImportSite {
  readonly statement: ts.Statement;
  readonly style: 'import' | 'equals' | 'require';
  readonly specifier: string;
  readonly literal: ts.StringLiteralLike;
  /** The whole statement is `import type`. */
  readonly typeOnly: boolean;
  readonly names: readonly SiteName[];
  /** The list in braces, when there is one. */
  readonly list: ts.NamedImports | ts.ObjectBindingPattern | undefined;
  /** False for what the editor leaves alone: patterns with defaults, rests or nesting. */
  readonly editable: boolean;
}

function siteOfImport(statement: ts.ImportDeclaration): ImportSite | undefined {
  const { importClause: clause, moduleSpecifier: literal } = statement;
  if (!ts.isStringLiteralLike(literal)) return undefined;
  const specifier = literal.text;
  const typeOnly = clause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
  const names: SiteName[] = [];
  if (clause?.name) names.push({ specifier, name: 'default', local: clause.name.text, typeOnly, node: clause.name });
  const bindings = clause?.namedBindings;
  const list = bindings && ts.isNamedImports(bindings) ? bindings : undefined;
  if (bindings && ts.isNamespaceImport(bindings)) names.push({ specifier, name: '*', local: bindings.name.text, typeOnly, node: bindings });
  for (const element of list?.elements ?? []) {
    names.push({
      specifier,
      name: (element.propertyName ?? element.name).text,
      local: element.name.text,
      typeOnly: typeOnly || element.isTypeOnly,
      node: element,
    });
  }
  return { statement, style: 'import', specifier, literal, typeOnly, names, list, editable: true };
}

function siteOfRequire(statement: ts.VariableStatement, file: TypeScriptFile): ImportSite | undefined {
  const [declaration, ...others] = statement.declarationList.declarations;
  if (!declaration?.initializer || others.length > 0) return undefined;
  const call = unwrap(declaration.initializer);
  if (!isRequireCall(call, file)) return undefined;
  const literal = (call as ts.CallExpression).arguments[0];
  if (!literal || !ts.isStringLiteralLike(literal)) return undefined;
  const specifier = literal.text;
  const made = (names: readonly SiteName[], list: ts.ObjectBindingPattern | undefined, editable: boolean): ImportSite => ({
    statement,
    style: 'require',
    specifier,
    literal,
    typeOnly: false,
    names,
    list,
    editable,
  });
  if (ts.isIdentifier(declaration.name))
    return made([{ specifier, name: '*', local: declaration.name.text, typeOnly: false, node: declaration.name }], undefined, true);
  if (!ts.isObjectBindingPattern(declaration.name)) return undefined;
  const names: SiteName[] = [];
  let editable = true;
  for (const element of declaration.name.elements) {
    const name = propertyNameOf(element.propertyName ?? element.name);
    if (name === undefined || !ts.isIdentifier(element.name) || element.dotDotDotToken || element.initializer) editable = false;
    else names.push({ specifier, name, local: element.name.text, typeOnly: false, node: element });
  }
  return made(names, declaration.name, editable);
}

function siteOf(statement: ts.Statement, file: TypeScriptFile): ImportSite | undefined {
  if (ts.isImportDeclaration(statement)) return siteOfImport(statement);
  if (ts.isVariableStatement(statement)) return siteOfRequire(statement, file);
  if (!ts.isImportEqualsDeclaration(statement) || !ts.isExternalModuleReference(statement.moduleReference)) return undefined;
  const literal = statement.moduleReference.expression;
  if (!ts.isStringLiteralLike(literal)) return undefined;
  const { isTypeOnly: typeOnly } = statement;
  const name: SiteName = { specifier: literal.text, name: '*', local: statement.name.text, typeOnly, node: statement.name };
  return { statement, style: 'equals', specifier: literal.text, literal, typeOnly, names: [name], list: undefined, editable: true };
}

/** The importing statements at the top level of a file, in source order. */
export function importSites(file: TypeScriptFile): readonly ImportSite[] {
  return file.tree.statements.flatMap((statement) => siteOf(statement, file) ?? []);
}

/** The names that a file imports at top level, in source order. */
export function importBindings(file: TypeScriptFile): readonly ImportBinding[] {
  return importSites(file).flatMap((site) => site.names.map(({ specifier, name, local, typeOnly }) => ({ specifier, name, local, typeOnly })));
}

/** `require` for CommonJS scripts, `import` for everything else; TypeScript always takes `import`. */
export function importStyleOf(file: TypeScriptFile, sites: readonly ImportSite[]): 'import' | 'require' {
  if (!file.isJavaScript || /\.mjs$/i.test(file.path)) return 'import';
  if (/\.cjs$/i.test(file.path)) return 'require';
  if (ts.isExternalModule(file.tree)) return 'import';
  if (sites.some((site) => site.style === 'require')) return 'require';
  return /\bmodule\.exports\b|\bexports\.\w|\brequire\(/.test(file.text) ? 'require' : 'import';
}
