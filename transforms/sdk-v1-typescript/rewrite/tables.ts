import { ts } from 'ts-morph';
import type { Site, TextEdit } from '../../../src/core/index.js';
import { type TypeScriptFile, type Wanted, declarationOf, importBindings } from '../../../src/languages/typescript/index.js';
import { sdkOf } from '../../_mcp/sdk-table.js';
import { someNode } from '../nodes.js';
import { isText } from '../argument-roles.js';
import { type Files, declared } from '../declared.js';
import { bare } from '../nodes.js';
import { type Registration, registrationsOf } from '../registrations.js';

/** Registrations of tools that come from a table, in TypeScript. */
export interface TableRegistrations {
  readonly edits: readonly TextEdit[];
  readonly add: readonly Wanted[];
  /** Calls whose table cannot be seen: the type check may name them. */
  readonly open: readonly ts.Node[];
}

/**
 * SDK v2 matches each handler to its schema, so that handlers which take different arguments compile only with a cast. It is written where the
 * table and its differing entries are seen; a cast changes nothing at run time.
 */
export function repairTables(file: TypeScriptFile, files: Files): TableRegistrations {
  const edits: TextEdit[] = [];
  const open: ts.Node[] = [];
  const add: Wanted[] = [];
  if (file.isJavaScript) return { edits, add, open };
  for (const registration of registrationsOf(file)) {
    const { call, name, receiver, handler } = registration;
    const [first] = call.arguments;
    const given = bare(handler);
    if (name !== 'registerTool' || receiver !== 'sdk' || first === undefined || isText(first)) continue;
    if (ts.isArrowFunction(given) || ts.isFunctionExpression(given)) continue;
    const cast = handler === given && isMixed(registration, file, files) ? castOf(file) : undefined;
    if (cast === undefined) {
      open.push(call);
      continue;
    }
    edits.push({ start: handler.end, end: handler.end, text: ` as unknown as ${cast.text}` });
    if (cast.wanted) add.push(cast.wanted);
  }
  return { edits, add, open };
}

/** `server.registerTool(tool.name, { inputSchema: z.object(tool.inputSchema) }, tool.execute)` in a loop over entries that are written out and have no type. */
function isMixed({ call, handler }: Registration, file: TypeScriptFile, files: Files): boolean {
  if (!ts.isPropertyAccessExpression(handler) || !ts.isIdentifier(handler.expression)) return false;
  const entry = declarationOf(handler.expression, file);
  const config = call.arguments[1];
  const isFromEntry = (node: ts.Node): boolean => ts.isIdentifier(node) && declarationOf(node, file) === entry;
  if (entry === undefined || config === undefined || !ts.isObjectLiteralExpression(config)) return false;
  const schema = config.properties.find((property) => property.name?.getText(file.tree) === 'inputSchema');
  if (schema === undefined || !someNode(schema, isFromEntry)) return false;
  const table = tableOf(entry.node);
  const found = table && declared(table, file, files);
  const node = found?.node;
  const value =
    node && ts.isVariableDeclaration(node) && node.type === undefined ? node.initializer : node && ts.isExportAssignment(node) ? node.expression : undefined;
  if (value === undefined) return false;
  if (ts.isArrayLiteralExpression(value)) return value.elements.length > 1 && !value.elements.some(ts.isSpreadElement);
  return ts.isObjectLiteralExpression(value) && value.properties.length > 1 && !value.properties.some(ts.isSpreadAssignment);
}

/** What is gone over, where each entry is named: `for (const tool of Object.values(tools))`, `tools.forEach((tool) => …)`. */
function tableOf(entry: ts.Node): ts.Expression | undefined {
  let over: ts.Expression | undefined;
  if (ts.isVariableDeclaration(entry) && ts.isForOfStatement(entry.parent.parent)) over = entry.parent.parent.expression;
  else if (ts.isParameter(entry) && entry.type === undefined) {
    const call = entry.parent.parent;
    if (ts.isCallExpression(call) && ts.isPropertyAccessExpression(call.expression) && call.expression.name.text === 'forEach')
      over = call.expression.expression;
  }
  if (over === undefined) return undefined;
  const inner = bare(over);
  const isValues = ts.isCallExpression(inner) && /^Object\.values$/.test(inner.expression.getText());
  return isValues ? inner.arguments[0] : inner;
}

/** The type of a handler that takes any object, by the names that the file has for it; `undefined` when the file has another use for the name. */
function castOf(file: TypeScriptFile): { readonly text: string; readonly wanted?: Wanted } | undefined {
  const bindings = importBindings(file);
  const z = bindings.find(({ specifier, name, typeOnly }) => specifier === 'zod' && !typeOnly && (name === 'z' || name === 'default'));
  const known = bindings.find(({ specifier, name }) => sdkOf(specifier) === 2 && name === 'ToolCallback');
  if (z === undefined) return undefined;
  if (known !== undefined) return { text: `${known.local}<${z.local}.ZodObject>` };
  if (someNode(file.tree, (node) => ts.isIdentifier(node) && node.text === 'ToolCallback')) return undefined;
  return {
    text: `ToolCallback<${z.local}.ZodObject>`,
    wanted: { specifier: '@modelcontextprotocol/server', name: 'ToolCallback', local: 'ToolCallback', typeOnly: true },
  };
}

/** Says where, with the lines of before. */
export function tableNote(sites: readonly Site[]): string {
  const places = sites.slice(0, 3).map(({ file, line }) => `${file}:${String(line)}`);
  const more = sites.length > 3 ? ` and ${String(sites.length - 3)} more` : '';
  return `SDK v2 matches the handler of a tool to its schema. Where tools come from a table and the type check names the registration (it may at ${places.join(', ')}${more}), cast the handler, e.g. \`as unknown as ToolCallback<z.ZodObject>\`.`;
}
