import { ts } from 'ts-morph';
import type { TextEdit } from '../../../src/core/index.js';
import { type ModuleRequest, type TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { type ProjectType, modulesOf, targetOf } from '../../_mcp/sdk-table.js';
import { v1Requests } from '../requests.js';
import type { SpecifierRepair } from './specifiers.js';
import type { Todo } from './markers.js';

interface Mock {
  readonly request: ModuleRequest;
  readonly call: ts.CallExpression;
  /** `vi` or `jest`. */
  readonly framework: string;
  /** The object that the factory returns, when it is written out. */
  readonly object: ts.ObjectLiteralExpression | undefined;
  readonly properties: readonly { readonly node: ts.ObjectLiteralElementLike; readonly name: string; readonly to: string; readonly module: string }[];
}

/** `() => ({ … })` without parameters: anything else may look at the real module or keep state. */
function factoryObject(call: ts.CallExpression): ts.ObjectLiteralExpression | undefined {
  const factory = call.arguments[1];
  if (!factory || !ts.isArrowFunction(factory) || factory.parameters.length > 0) return undefined;
  let body: ts.Node = factory.body;
  while (ts.isParenthesizedExpression(body)) body = body.expression;
  return ts.isObjectLiteralExpression(body) ? body : undefined;
}

function mockOf(request: ModuleRequest, file: TypeScriptFile, project: ProjectType): Mock | undefined {
  if (request.form !== 'mock' || !ts.isCallExpression(request.node) || !ts.isPropertyAccessExpression(request.node.expression)) return undefined;
  const { expression } = request.node;
  if (!['mock', 'doMock'].includes(expression.name.text)) return undefined;
  const object = factoryObject(request.node);
  const properties: { node: ts.ObjectLiteralElementLike; name: string; to: string; module: string }[] = [];
  for (const property of object?.properties ?? []) {
    const name = property.name && (ts.isIdentifier(property.name) || ts.isStringLiteral(property.name)) ? property.name.text : undefined;
    const target = name === undefined ? undefined : targetOf(request.specifier, name, project);
    if (name === undefined || target?.status !== 'moved')
      return { request, call: request.node, framework: expression.expression.getText(file.tree), object: undefined, properties: [] };
    properties.push({ node: property, name, to: target.name, module: target.module });
  }
  return { request, call: request.node, framework: expression.expression.getText(file.tree), object, properties };
}

const renamed = (property: Mock['properties'][number], file: TypeScriptFile): string => {
  const { node, name, to } = property;
  if (name === to || !node.name) return file.textOf(node);
  if (ts.isShorthandPropertyAssignment(node)) return `${to}: ${name}`;
  return to + file.text.slice(node.name.end, node.end);
};

/**
 * Several v1 paths become one v2 package, so that two mocks would fight over one specifier and each would hide the rest of the package.
 * They are merged into one that keeps what it does not replace. A mock that cannot be read is left with a marker.
 */
export function repairMocks(file: TypeScriptFile, project: ProjectType): SpecifierRepair {
  const edits: TextEdit[] = [];
  const todos: Todo[] = [];
  const byModule = new Map<string, Mock[]>();
  const opaque = (request: ModuleRequest, text: string): void => {
    todos.push({ file, node: request.node, kind: 'mock-path', text });
  };
  for (const request of v1Requests(file)) {
    if (request.form !== 'mock') continue;
    const mock = mockOf(request, file, project);
    if (!mock) {
      const modules = modulesOf(request.specifier, project);
      const [only] = modules;
      if (modules.length === 1 && only !== undefined) edits.push({ ...file.span(request.literal), text: quote(request, file, only) });
      else
        opaque(
          request,
          `\`${request.specifier}\` is spread over ${modules.length === 0 ? 'no v2 package' : modules.join(' and ')}; take the names that this test needs from there.`,
        );
      continue;
    }
    const modules = [...new Set(mock.properties.map(({ module }) => module))];
    const [module] = modules;
    if (!mock.object || modules.length !== 1 || module === undefined) {
      opaque(
        request,
        `mock the v2 package of these names and keep the rest of it (\`importOriginal\`): ${modulesOf(request.specifier, project).join(', ') || 'there is none'}. Never two mocks of one specifier.`,
      );
      continue;
    }
    byModule.set(module, [...(byModule.get(module) ?? []), mock]);
  }
  for (const [module, mocks] of byModule) edits.push(...merge(module, mocks, file));
  return { edits, todos, obstacles: [] };
}

const quote = (request: ModuleRequest, file: TypeScriptFile, text: string): string => {
  const mark = file.text[request.literal.getStart(file.tree)] ?? "'";
  return mark + text + mark;
};

function merge(module: string, mocks: readonly Mock[], file: TypeScriptFile): readonly TextEdit[] {
  const [first, ...others] = mocks;
  const factory = first?.call.arguments[1];
  if (!first || !factory) return [];
  const specifier = quote(first.request, file, module);
  const seen = new Set<string>();
  const properties = mocks.flatMap((mock) => mock.properties.filter(({ to }) => !seen.has(to) && seen.add(to)).map((property) => renamed(property, file)));
  const whole = first.framework === 'jest' ? `...jest.requireActual(${specifier})` : '...(await importOriginal<object>())';
  const original = file.isJavaScript ? whole.replace('<object>', '') : whole;
  const text =
    first.framework === 'jest'
      ? `() => ({ ${[original, ...properties].join(', ')} })`
      : `async (importOriginal) => ({ ${[original, ...properties].join(', ')} })`;
  return [
    { ...file.span(first.request.literal), text: specifier },
    { ...file.span(factory), text },
    ...others.map(({ call }) => {
      const statement = ts.isExpressionStatement(call.parent) ? call.parent : call;
      const lineEnd = /^[ \t]*(?:\r\n|\n|\r)/.exec(file.text.slice(statement.end))?.[0].length ?? 0;
      return { start: statement.getStart(file.tree), end: statement.end + lineEnd, text: '' };
    }),
  ];
}
