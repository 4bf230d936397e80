import { ts } from 'ts-morph';
import type { TextEdit } from '../../../src/core/index.js';
import { type ImportBinding, type ModuleRequest, type TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { type ProjectType, isDeepImport, modulesOf, targetOf, v1Module } from '../../_mcp/sdk-table.js';
import { elementNames, patternSite, v1Requests } from '../requests.js';
import type { Obstacle } from './bindings.js';
import type { Todo } from './markers.js';

/** Edits of one file for the places that no import editor reaches. */
export interface SpecifierRepair {
  readonly edits: readonly TextEdit[];
  readonly todos: readonly Todo[];
  readonly obstacles: readonly Obstacle[];
}

interface Out {
  readonly edits: TextEdit[];
  readonly todos: Todo[];
  readonly obstacles: Obstacle[];
}

const quoted = (literal: ts.StringLiteralLike, file: TypeScriptFile, text: string): string => {
  const mark = file.text[literal.getStart(file.tree)] ?? "'";
  return mark + text + mark;
};

const retarget = (request: ModuleRequest, file: TypeScriptFile, module: string): TextEdit => ({
  ...file.span(request.literal),
  text: quoted(request.literal, file, module),
});

/** Modules for a list of names; an unmoved name gives its reason instead. */
function route(
  request: ModuleRequest,
  names: readonly string[],
  project: ProjectType,
): { readonly modules: ReadonlyMap<string, readonly { readonly from: string; readonly to: string }[]>; readonly lost: readonly string[] } {
  const modules = new Map<string, { from: string; to: string }[]>();
  const lost: string[] = [];
  for (const name of names) {
    const target = targetOf(request.specifier, name, project);
    if (target.status !== 'moved') {
      lost.push(name);
      continue;
    }
    const entry = modules.get(target.module) ?? [];
    entry.push({ from: name, to: target.name });
    modules.set(target.module, entry);
  }
  return { modules, lost };
}

const lostName = (request: ModuleRequest, file: TypeScriptFile, names: readonly string[]): Obstacle => ({
  file,
  node: request.node,
  why: `\`${names.join('`, `')}\` of \`${request.specifier}\` has no counterpart in SDK v2.`,
  next: 'Remove this use first, then run the migration again.',
});

/** `const { A } = await import('…')`: the names are known, so each goes to its package; the object of several packages is spread together. */
function repairPattern(request: ModuleRequest, file: TypeScriptFile, project: ProjectType, after: readonly ImportBinding[], out: Out): boolean {
  const site = patternSite(request);
  if (!site) return false;
  const names = site.pattern.elements.map((element) => ({ element, names: elementNames(element) }));
  if (names.some((entry) => entry.names === undefined)) return false;
  const wanted: { readonly element: ts.BindingElement; readonly module: string; readonly text: string; readonly changed: boolean }[] = [];
  for (const { element, names: name } of names) {
    if (!name) continue;
    const target = targetOf(request.specifier, name.name, project);
    if (target.status === 'moved') {
      const text = target.name === name.local ? target.name : `${target.name}: ${name.local}`;
      wanted.push({ element, module: target.module, text, changed: target.name !== name.name });
      continue;
    }
    const parts = name.name === 'ErrorCode' ? after.filter((binding) => ['ProtocolErrorCode', 'SdkErrorCode'].includes(binding.name)) : [];
    if (parts.length === 0) {
      out.obstacles.push(lostName(request, file, [name.name]));
      return true;
    }
    wanted.push({ element, module: parts[0]?.specifier ?? '', text: parts.map((part) => part.local).join(', '), changed: true });
  }
  for (const { element, text, changed } of wanted) if (changed) out.edits.push({ ...file.span(element), text });
  const modules = [...new Set(wanted.map(({ module }) => module))];
  const [first, ...others] = modules;
  if (first === undefined) return false;
  if (others.length === 0) {
    out.edits.push(retarget(request, file, first));
    return true;
  }
  const call = (module: string): string =>
    request.form === 'dynamic' ? `...(await import(${quoted(request.literal, file, module)}))` : `...require(${quoted(request.literal, file, module)})`;
  let whole: ts.Node = request.node;
  if (ts.isAwaitExpression(whole.parent)) whole = whole.parent;
  out.edits.push({ ...file.span(whole), text: `{ ${modules.map(call).join(', ')} }` });
  return true;
}

/** `export { A, B as C } from '…'`: one statement for each package that the names go to. */
function repairReexport(request: ModuleRequest, file: TypeScriptFile, project: ProjectType, out: Out): void {
  const node = request.node;
  if (!ts.isExportDeclaration(node)) return;
  if (!node.exportClause || ts.isNamespaceExport(node.exportClause)) {
    const modules = modulesOf(request.specifier, project);
    const [only] = modules;
    if (only === undefined || modules.length !== 1 || node.exportClause) {
      out.obstacles.push({
        file,
        node,
        why: `\`${request.specifier}\` is re-exported as a whole, and its names are spread over ${modules.length === 0 ? 'no' : modules.join(' and ')} in v2.`,
        next: 'Name what is exported, then run the migration again.',
      });
      return;
    }
    out.edits.push(retarget(request, file, only));
    out.todos.push({ file, node, kind: 'public-api', text: `\`${only}\` exports more than the v1 module did; name what this file should export.` });
    return;
  }
  const { modules, lost } = route(
    request,
    node.exportClause.elements.map((element) => (element.propertyName ?? element.name).text),
    project,
  );
  if (lost.length > 0) {
    out.obstacles.push(lostName(request, file, lost));
    return;
  }
  const clause = (module: string): string[] =>
    (node.exportClause as ts.NamedExports).elements.flatMap((element) => {
      const target = modules.get(module)?.find(({ from }) => from === (element.propertyName ?? element.name).text);
      if (!target) return [];
      const name = target.to === element.name.text ? target.to : `${target.to} as ${element.name.text}`;
      return [`${element.isTypeOnly ? 'type ' : ''}${name}`];
    });
  const [first, ...others] = [...modules.keys()];
  if (first === undefined) return;
  const statement = (module: string): string =>
    `export ${node.isTypeOnly ? 'type ' : ''}{ ${clause(module).join(', ')} } from ${quoted(request.literal, file, module)}${file.text[node.end - 1] === ';' ? ';' : ''}`;
  const renamed = node.exportClause.elements.some(
    (element) => ![...modules.values()].flat().some(({ from, to }) => from === to && from === (element.propertyName ?? element.name).text),
  );
  if (others.length === 0 && !renamed) out.edits.push(retarget(request, file, first));
  else out.edits.push({ ...file.span(node), text: [first, ...others].map(statement).join(file.eol) });
}

/** `import('…').T` in type position. */
function repairImportType(request: ModuleRequest, file: TypeScriptFile, project: ProjectType, out: Out): void {
  const node = request.node;
  if (!ts.isImportTypeNode(node)) return;
  const qualifier = node.qualifier;
  const head = qualifier && (ts.isIdentifier(qualifier) ? qualifier : leftmost(qualifier));
  if (!head) {
    const modules = modulesOf(request.specifier, project);
    if (modules.length === 1 && modules[0] !== undefined) out.edits.push(retarget(request, file, modules[0]));
    else
      out.obstacles.push({
        file,
        node,
        why: `the type of the whole module \`${request.specifier}\` has no counterpart: its names are spread over ${modules.join(' and ')}.`,
        next: 'Name the type that is meant, then run the migration again.',
      });
    return;
  }
  const target = targetOf(request.specifier, head.text, project);
  if (target.status !== 'moved') {
    out.obstacles.push(lostName(request, file, [head.text]));
    return;
  }
  out.edits.push(retarget(request, file, target.module));
  if (target.name !== head.text) out.edits.push({ ...file.span(head), text: target.name });
}

const leftmost = (name: ts.QualifiedName): ts.Identifier => (ts.isIdentifier(name.left) ? name.left : leftmost(name.left));

/** `require('…').A`, `(await import('…')).A`: the member tells the package. */
function repairMember(request: ModuleRequest, file: TypeScriptFile, project: ProjectType, out: Out): boolean {
  let node: ts.Node = request.node;
  while (ts.isAwaitExpression(node.parent) || ts.isParenthesizedExpression(node.parent)) node = node.parent;
  const access = node.parent;
  if (!ts.isPropertyAccessExpression(access) || access.expression !== node) return false;
  if (access.name.text === 'then' && request.form === 'dynamic') return false;
  const target = targetOf(request.specifier, access.name.text, project);
  if (target.status !== 'moved') out.obstacles.push(lostName(request, file, [access.name.text]));
  else {
    out.edits.push(retarget(request, file, target.module));
    if (target.name !== access.name.text) out.edits.push({ ...file.span(access.name), text: target.name });
  }
  return true;
}

/** Names that the place takes from the module are not known: right only when the whole module has one home and keeps its names. */
function repairOpaque(request: ModuleRequest, file: TypeScriptFile, project: ProjectType, out: Out): void {
  const modules = modulesOf(request.specifier, project);
  const module = v1Module(request.specifier);
  const [only] = modules;
  if (module !== undefined && !isDeepImport(request.specifier) && modules.length === 1 && only !== undefined && request.names.length === 0) {
    out.edits.push(retarget(request, file, only));
    return;
  }
  if (isDeepImport(request.specifier) || module === undefined) {
    out.todos.push({
      file,
      node: request.node,
      kind: 'deep-import',
      text: `\`${request.specifier}\` has no public replacement in v2; use what the v2 packages export. Until then \`@modelcontextprotocol/sdk\` stays a dependency for it.`,
    });
    return;
  }
  out.obstacles.push({
    file,
    node: request.node,
    why: `\`${request.specifier}\` is loaded as a whole, and its names are spread over ${modules.join(' and ')} in v2.`,
    next: 'Take the names that are used (`const { … } = …`), then run the migration again.',
  });
}

/** Rewrites every place that names a v1 module and is neither a static import nor a top-level `require` with known names, nor a mock. */
export function repairSpecifiers(file: TypeScriptFile, project: ProjectType, after: readonly ImportBinding[]): SpecifierRepair {
  const out: Out = { edits: [], todos: [], obstacles: [] };
  for (const request of v1Requests(file)) {
    if (request.form === 'reexport') repairReexport(request, file, project, out);
    else if (ts.isImportTypeNode(request.node)) repairImportType(request, file, project, out);
    else if (request.form === 'resolve') {
      out.todos.push({
        file,
        node: request.node,
        kind: 'resolved-path',
        text: `v2 has no file at \`${request.specifier}\`; ask for a path of the v2 package that is meant. Until then \`@modelcontextprotocol/sdk\` stays a dependency for it.`,
      });
    } else if (request.form === 'require' || request.form === 'dynamic') {
      if (patternSite(request)?.topLevel || isTopLevelConstant(request)) continue;
      if (!repairPattern(request, file, project, after, out) && !repairMember(request, file, project, out)) repairOpaque(request, file, project, out);
    } else if (ts.isImportDeclaration(request.node) && !request.node.importClause) repairOpaque(request, file, project, out);
  }
  return out;
}

/** `const mcp = require('…')` at the top of the file: the import editor reads it as a namespace. */
function isTopLevelConstant(request: ModuleRequest): boolean {
  if (request.form !== 'require') return false;
  const declaration = request.node.parent;
  if (!ts.isVariableDeclaration(declaration) || !ts.isIdentifier(declaration.name)) return false;
  return ts.isVariableStatement(declaration.parent.parent) && ts.isSourceFile(declaration.parent.parent.parent);
}
