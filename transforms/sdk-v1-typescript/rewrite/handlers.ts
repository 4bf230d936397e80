import { ts } from 'ts-morph';
import type { TextEdit } from '../../../src/core/index.js';
import { type TypeScriptFile, declarationOf, referencesOf } from '../../../src/languages/typescript/index.js';
import { methodOf } from '../../_mcp/sdk-table.js';
import { type Registration, functionOf, registrationsOf } from '../registrations.js';
import { usesName } from '../nodes.js';
import type { Repair } from './context.js';
import type { Todo } from './markers.js';

const text = (file: TypeScriptFile, value: string): string => file.quote + value + file.quote;

/** `.tool(name, annotations, handler)`: v1 told an object of annotations from a schema at run time, the codemod does not. */
function annotationsForm(registration: Registration, file: TypeScriptFile): readonly TextEdit[] {
  const { call } = registration;
  const args = call.arguments;
  const second = args[1];
  const annotations = args.at(-2);
  if (!second || !annotations) return [];
  const described = second !== annotations;
  const config = described
    ? `{ description: ${file.textOf(second)}, annotations: ${file.textOf(annotations)} }`
    : `{ annotations: ${file.textOf(annotations)} }`;
  return [
    { ...file.span(call.expression.name), text: 'registerTool' },
    { start: second.getStart(file.tree), end: annotations.end, text: config },
  ];
}

/** Schema of a method of one's own: `z.object({ method: z.literal('acme/echo'), params: … })` bound to a constant. */
function customSchema(expression: ts.Expression, file: TypeScriptFile): { readonly method: string; readonly params: boolean } | undefined {
  if (!ts.isIdentifier(expression)) return undefined;
  const node = declarationOf(expression, file)?.node;
  const value = node && ts.isVariableDeclaration(node) ? node.initializer : undefined;
  if (!value || !ts.isCallExpression(value) || !ts.isPropertyAccessExpression(value.expression) || value.expression.name.text !== 'object') return undefined;
  const shape = value.arguments[0];
  if (!shape || !ts.isObjectLiteralExpression(shape) || shape.properties.some(ts.isSpreadAssignment)) return undefined;
  const property = (name: string): ts.Expression | undefined =>
    shape.properties.flatMap((entry) => (ts.isPropertyAssignment(entry) && entry.name.getText(file.tree) === name ? [entry.initializer] : []))[0];
  const method = property('method');
  const params = property('params');
  if (!method || !ts.isCallExpression(method) || !ts.isPropertyAccessExpression(method.expression) || method.expression.name.text !== 'literal')
    return undefined;
  const literal = method.arguments[0];
  if (!literal || !ts.isStringLiteralLike(literal)) return undefined;
  return {
    method: literal.text,
    params: params !== undefined && params.getText(file.tree).includes('.object(') && !/\.(optional|nullish)\(\)$/.test(params.getText(file.tree)),
  };
}

/** `setRequestHandler(EchoSchema, async (request) => … request.params.text …)` in the form of v2, whose handler gets the parameters. */
function customForm(registration: Registration, file: TypeScriptFile): readonly TextEdit[] | undefined {
  const [first] = registration.call.arguments;
  const schema = first && customSchema(first, file);
  const handler = functionOf(registration.handler, file);
  if (
    !first ||
    !schema?.params ||
    !handler ||
    registration.call.arguments.length !== 2 ||
    !(ts.isArrowFunction(handler) || ts.isFunctionExpression(handler)) ||
    handler !== registration.handler
  )
    return undefined;
  const edits: TextEdit[] = [{ ...file.span(first), text: `${text(file, schema.method)}, { params: ${file.textOf(first)}.shape.params }` }];
  const parameter = handler.parameters[0];
  if (!parameter) return edits;
  const declaration = ts.isIdentifier(parameter.name) ? declarationOf(parameter.name, file) : undefined;
  if (!declaration || (parameter.type && parameter.type.kind !== ts.SyntaxKind.AnyKeyword)) return undefined;
  const uses = referencesOf(declaration, file);
  if (
    usesName(handler, 'params') ||
    !uses.every((use) => ts.isPropertyAccessExpression(use.parent) && use.parent.expression === use && use.parent.name.text === 'params')
  )
    return undefined;
  edits.push({ ...file.span(parameter.name), text: 'params' });
  for (const use of uses) edits.push({ ...file.span(use.parent), text: 'params' });
  return edits;
}

const isBlank = (gap: string): boolean => gap.trim() === '';

/**
 * The codemod makes one object of several arguments; where these stood on lines of their own, its parts do too. On one line the object reads as
 * if a person had written it. `made` tells the calls that had no object before.
 */
export function joinConfigs(file: TypeScriptFile, made: (call: ts.CallExpression) => boolean): readonly TextEdit[] {
  return registrationsOf(file).flatMap(({ call, form }) => {
    const config = call.arguments[1];
    if (form !== 'register' || !config || !ts.isObjectLiteralExpression(config) || config.properties.length === 0 || !made(call)) return [];
    const edits: TextEdit[] = [];
    let lineBreak: string | undefined;
    const gap = (start: number, end: number, text: string, movable = false): void => {
      const is = file.text.slice(start, end);
      if ((!isBlank(is) && !movable) || is === text) return;
      if (/[\r\n]/.test(is)) lineBreak ??= is;
      edits.push({ start, end, text });
    };
    const start = config.getStart(file.tree);
    config.properties.forEach((property, index) => {
      const before = config.properties[index - 1];
      const comma = before ? file.text.indexOf(',', before.end) : start;
      gap(comma + 1, property.getStart(file.tree), ' ');
      if (!ts.isPropertyAssignment(property)) return;
      // A comment behind the argument before stays behind it: what is in front of the first value moves in front of the object.
      gap(file.text.indexOf(':', property.name.end) + 1, property.initializer.getStart(file.tree), ' ', index === 0);
      const value = property.initializer;
      const shape = ts.isCallExpression(value) ? value.arguments[0] : undefined;
      if (!shape || !ts.isCallExpression(value) || value.arguments.length !== 1) return;
      gap(shape.pos, shape.getStart(file.tree), '');
      gap(shape.end, value.end - 1, '');
    });
    gap(config.properties.end, config.end - 1, ' ');
    const lead = file.text.slice(config.pos, start);
    if (lineBreak !== undefined && isBlank(lead) && !/[\r\n]/.test(lead)) edits.push({ start: config.pos, end: start, text: lineBreak });
    return edits;
  });
}

/** Registrations that the codemod leaves: schemas reached through an object, methods of one's own, annotations taken for a schema. */
export function repairRegistrations(file: TypeScriptFile): Repair {
  const edits: TextEdit[] = [];
  const todos: Todo[] = [];
  for (const registration of registrationsOf(file)) {
    const { call, form, receiver, schema } = registration;
    if (receiver === 'other') continue;
    const [first] = call.arguments;
    if (form === 'annotations' && receiver !== 'unknown') edits.push(...annotationsForm(registration, file));
    else if (form === 'schema' && first && schema !== undefined && methodOf(schema) !== undefined)
      edits.push({ ...file.span(first), text: text(file, methodOf(schema) ?? '') });
    else if (form === 'opaque' && call.arguments.length === 2) {
      const custom = customForm(registration, file);
      if (custom) edits.push(...custom);
      else if (receiver === 'sdk' || (first && ts.isIdentifier(first) && first.text.endsWith('Schema')))
        todos.push({
          file,
          node: call,
          kind: 'custom-method-handler',
          text: `v2 takes the method as text: \`${registration.name}(method, { params }, handler)\`, and the handler gets the parameters.`,
        });
    } else if (form === 'variadic' && receiver === 'unknown') {
      todos.push({
        file,
        node: call,
        kind: 'variadic-registration',
        text: `if this is an \`McpServer\`, write \`register${registration.name.replace(/^./, (letter) => letter.toUpperCase())}(…)\`: v2 has no \`.${registration.name}()\`.`,
      });
    }
  }
  return { edits, todos };
}
