import { getMigration } from '@modelcontextprotocol/codemod';
import { ts, type Project } from 'ts-morph';
import { PROJECT_TYPES, V1, type Entry, type ProjectType, type Table } from './table.js';

/** Runs the official transforms over one synthetic file and returns its statements after them. */
export function probe(project: Project, text: string, projectType: ProjectType): ts.SourceFile {
  const file = project.createSourceFile('/probe.ts', text, { overwrite: true });
  const migration = getMigration('v1-to-v2');
  if (!migration) throw new Error('the official codemod has no v1-to-v2 migration');
  for (const transform of migration.transforms) transform.apply(file, { projectType });
  const after = file.getFullText();
  file.forget();
  return ts.createSourceFile('/probe.ts', after, ts.ScriptTarget.ES2022, true);
}

/** Module and exported name behind the last use in a probe, e.g. `export const use = X;`. */
function targetOf(after: ts.SourceFile): { module: string; name: string } | 'unbound' {
  const last = after.statements.at(-1);
  let used: string | undefined;
  const find = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text !== 'use' && node.text !== 'Use') used ??= node.text;
    ts.forEachChild(node, find);
  };
  if (last && !ts.isImportDeclaration(last)) find(last);
  for (const statement of after.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) continue;
    for (const element of bindings.elements)
      if (element.name.text === used) return { module: statement.moduleSpecifier.text, name: (element.propertyName ?? element.name).text };
  }
  return 'unbound';
}

const hasExport = (v2: Table['v2'], module: string, name: string): boolean => {
  const entry = v2[module];
  return entry !== undefined && (entry.values.includes(name) || entry.types.includes(name));
};

/** Where the codemod sends one export of a 1.x module. */
export function entryOf(project: Project, v2: Table['v2'], specifier: string, name: string, kind: 'value' | 'type'): Entry {
  const use = kind === 'value' ? `export const use = ${name};` : `export type Use = ${name};`;
  const targets = PROJECT_TYPES.map((type) => targetOf(probe(project, `import { ${name} } from '${specifier}';\n${use}\n`, type)));
  const bound = targets.filter((target) => target !== 'unbound');
  if (bound.length < targets.length || bound.some((target) => target.module.startsWith(V1))) return { kind, removed: true };
  const entry: Entry = { kind, to: perProject(bound.map((target) => target.module)) };
  const names = bound.map((target) => target.name);
  if (names.some((renamed) => renamed !== name)) entry.name = perProject(names);
  if (bound.some((target) => !hasExport(v2, target.module, target.name))) entry.missing = true;
  return entry;
}

/** One value when all project types agree, else one for each. */
export function perProject(values: readonly string[]): string | Partial<Record<ProjectType, string>> {
  const [first = ''] = values;
  return values.every((value) => value === first) ? first : Object.fromEntries(PROJECT_TYPES.map((type, i) => [type, values[i] ?? first]));
}

/** Method names that the codemod writes for the request and notification schemas. */
export function probeMethods(project: Project, names: readonly string[]): Record<string, string> {
  const methods: Record<string, string> = {};
  for (const name of names) {
    const after = probe(project, `import { ${name} } from '${V1}/types.js';\nserver.setRequestHandler(${name}, handle);\n`, 'server').text;
    const method = /setRequestHandler\(\s*['"]([^'"]+)['"]/.exec(after)?.[1];
    if (method) methods[name] = method;
  }
  return methods;
}

/** Members that the codemod writes for those of `ErrorCode`. */
export function probeErrorCodes(project: Project, members: readonly string[]): Record<string, string> {
  const codes: Record<string, string> = {};
  for (const member of members) {
    const after = probe(project, `import { ErrorCode } from '${V1}/types.js';\nexport const use = ErrorCode.${member};\n`, 'server').text;
    const target = /use = (\w+\.\w+)/.exec(after)?.[1];
    if (target) codes[member] = target;
  }
  return codes;
}
