import { getMigration } from '@modelcontextprotocol/codemod';
import { ts } from 'ts-morph';
import type { Span, TextEdit } from '../../../src/core/index.js';
import { type ImportBinding, type TypeScriptFile, importBindings, parse, scratchProject, tokenDiff } from '../../../src/languages/typescript/index.js';
import { type ProjectType, SDK_V1 } from '../../_mcp/sdk-table.js';
import { someNode } from '../nodes.js';
import { codemodParts, sameParts } from '../argument-roles.js';
import { type Registration, registrationsOf } from '../registrations.js';
import { elementNames, patternSite, v1Requests } from '../requests.js';

/**
 * Transforms whose result is taken over. Not taken: `context` and `mock-paths`. The first renames by name instead of by scope and leaves
 * handlers with one parameter, handlers given by name, and helpers behind; the second turns a mock of a deep path into one of a whole package.
 */
const CONSULTED: ReadonlySet<string> = new Set(['imports', 'symbols', 'removed-apis', 'mcpserver-api', 'handlers', 'schema-params', 'completable-nesting']);

/** A place that the official codemod would mark for a person. */
export interface OracleRemark {
  /** Text of the line that it is about, as the codemod leaves it. */
  readonly source: string;
  readonly message: string;
}

/** What the official codemod makes of one file, imports apart. */
export interface OracleAnswer {
  readonly edits: readonly TextEdit[];
  /** Import bindings after its run; names that it introduces are among them. */
  readonly bindings: readonly ImportBinding[];
  /** Local names that are bound below the top level, by `require` or `import()`; they are among `bindings` all the same. */
  readonly nested: ReadonlySet<string>;
  readonly remarks: readonly OracleRemark[];
}

/** Import and re-export statements are ours to edit: the codemod drops the comments that hang on them. */
function importSpans(tree: ts.SourceFile): readonly Span[] {
  return tree.statements
    .filter((statement) => ts.isImportDeclaration(statement) || (ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined))
    .map((statement) => ({ start: statement.getStart(tree), end: statement.end }));
}

/** Same length, same lines, no tokens. */
function blank(text: string, spans: readonly Span[]): string {
  let result = text;
  for (const { start, end } of spans) result = result.slice(0, start) + result.slice(start, end).replace(/[^\r\n]/g, ' ') + result.slice(end);
  return result;
}

/**
 * The codemod reads static imports only. Destructured `require` and `import()` are shown to it as such, in front of the first line; local
 * names that cannot be changed from here (not at the top level) get an alias, so that it leaves them alone.
 */
function disguise(file: TypeScriptFile): { readonly spans: readonly Span[]; readonly prefix: string; readonly nested: ReadonlySet<string> } {
  const spans: Span[] = [];
  const nested = new Set<string>();
  let prefix = '';
  for (const request of v1Requests(file)) {
    const site = patternSite(request);
    const names = site?.pattern.elements.map(elementNames);
    if (!site || !names || names.some((name) => name === undefined)) continue;
    const list = site.declaration.parent;
    spans.push(file.span(ts.isVariableDeclarationList(list) && list.declarations.length === 1 ? list : site.declaration));
    if (!site.topLevel) for (const name of names) if (name) nested.add(name.local);
    const clauses = names.flatMap((name) => (name ? [site.topLevel && name.name === name.local ? name.name : `${name.name} as ${name.local}`] : []));
    prefix += `import { ${clauses.join(', ')} } from '${request.specifier}'; `;
  }
  // A file that is handed its server registers handlers all the same.
  if (prefix === '' && !file.text.includes(SDK_V1) && registrationsOf(file).some(({ receiver }) => receiver === 'likely'))
    prefix = `import { McpError as __injected } from '${SDK_V1}/types.js'; `;
  return { spans: spans.filter((span) => span.end > span.start), prefix, nested };
}

/**
 * What stands between the method name and the callback of calls that the codemod misreads: it goes by the name of the method alone,
 * and takes whatever is no literal text for a schema.
 */
function misread(file: TypeScriptFile): readonly Span[] {
  return registrationsOf(file)
    .filter((registration) => registration.receiver === 'other' || registration.receiver === 'unknown' || readsOtherwise(registration))
    .map(({ call }) => ({ start: call.expression.name.getStart(file.tree), end: call.arguments.at(-1)?.getStart(file.tree) ?? call.end }));
}

function readsOtherwise({ form, name, parts, call }: Registration): boolean {
  if ((form !== 'variadic' && form !== 'annotations') || name === 'resource') return false;
  return parts === undefined || !sameParts(parts, codemodParts(call.arguments.slice(1, -1)));
}

/** Offset behind a byte order mark and a shebang line, which the codemod loses. */
function headEnd(text: string): number {
  return /^\uFEFF?(?:#![^\r\n]*(?:\r\n|\n|\r)?)?/.exec(text)?.[0].length ?? 0;
}

/** Asks the official codemod about one file. Its text is never used; only the tokens that differ are. */
export function consultCodemod(file: TypeScriptFile, projectType: ProjectType): OracleAnswer {
  const head = headEnd(file.text);
  const { spans, prefix, nested } = disguise(file);
  const baseline = blank(file.text, [...importSpans(file.tree), ...spans]).slice(head);
  const shown = prefix + blank(file.text, spans).slice(head);
  const extension = /\.[cm]?[jt]sx?$/i.exec(file.path)?.[0] ?? '.ts';
  const scratch = scratchProject().createSourceFile(`/file${extension}`, shown, { overwrite: true });
  const remarks: OracleRemark[] = [];
  for (const transform of getMigration('v1-to-v2')?.transforms ?? []) {
    if (!CONSULTED.has(transform.id)) continue;
    for (const remark of transform.apply(scratch, { projectType }).diagnostics) {
      if (!remark.insertComment || remark.advisoryOnly) continue;
      const line = lineOf(remark);
      remarks.push({ source: scratch.getFullText().split(/\r\n|\n|\r/)[line - 1] ?? '', message: remark.message });
    }
  }
  const after = scratch.getFullText();
  scratch.forget();
  const answer = parse(file.path.replace(/\.cjs$/i, '.js'), after);
  if (!answer.file) return { edits: [], bindings: importBindings(file), nested, remarks };
  const foreign = misread(file);
  const edits = tokenDiff(baseline, blank(after, importSpans(answer.file.tree)), { path: file.path })
    .map((edit) => ({ start: edit.start + head, end: edit.end + head, text: edit.text }))
    .filter((edit) => !foreign.some((span) => span.start <= edit.start && edit.end <= span.end) && !dropsTrailingComma(edit, file.text));
  return { edits, bindings: importBindings(answer.file), nested, remarks };
}

/** The line of a remark as the text is then; the codemod fails to tell it for an import that it has removed. */
function lineOf(remark: { readonly line: number; readonly resolveCurrentLine?: () => number | undefined }): number {
  try {
    return remark.resolveCurrentLine?.() ?? remark.line;
  } catch {
    return remark.line;
  }
}

/** The codemod prints argument lists anew and forgets the comma behind the last one. */
const dropsTrailingComma = (edit: TextEdit, text: string): boolean =>
  edit.text === '' && text.slice(edit.start, edit.end).trim() === ',' && /^\s*\)/.test(text.slice(edit.end));

/** True when a file has anything for the codemod to say about; others are never given to it. */
export function concernsSdk(file: TypeScriptFile): boolean {
  if (registrationsOf(file).some(({ receiver }) => receiver === 'sdk' || receiver === 'likely')) return true;
  return someNode(file.tree, (node) => ts.isStringLiteralLike(node) && node.text.startsWith('@modelcontextprotocol/'));
}
