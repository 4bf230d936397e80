import { ts } from 'ts-morph';
import type { FileChange, Need, TextEdit } from '../../../src/core/index.js';
import { type FunctionNode, type TypeScriptFile, constantOf, eachNode } from '../../../src/languages/typescript/index.js';
import { indentOf, linesAt, startWithComments } from '../../_mcp/typescript/emit/edits.js';
import { calledMember, isFunctionNode, nameText, receiverOf, statementOf, unwrap } from '../../_mcp/typescript/nodes.js';
import { localFunction } from '../../_mcp/typescript/servers.js';
import { requestNames } from '../entry/names.js';
import type { Served } from '../served.js';
import { type Beside, type NoBeside, noBeside } from './model.js';
import { type Rename, pathBeside } from './path.js';

const OWN_STATEMENT = 'Register the route in a statement of its own, on an application that has a name.';

/** Parameters of the new handler, by how the framework calls it. */
const NAMES: Readonly<Partial<Record<Served['form'], readonly string[]>>> = {
  hono: ['c'],
  fastify: ['request', 'reply'],
  koa: ['ctx'],
  elysia: ['request'],
};

/** A new registration in front of the old ones, on the same application or router, with the middleware of the one that takes POST requests. */
export function besideRoute(all: readonly Served[], file: TypeScriptFile, rename: Rename): Beside | NoBeside {
  const [first] = all;
  const main = all.find(({ verbs }) => verbs.includes('POST')) ?? all.find(({ verbs }) => verbs.includes('ALL')) ?? first;
  if (first === undefined || main === undefined || !ts.isCallExpression(main.node))
    return { ok: false, reason: { why: 'no registration of the route was found', next: OWN_STATEMENT, sites: [] } };
  const { node } = main;
  const path = pathBeside(main.pathNode, main.path, rename, file);
  if (path === undefined)
    return noBeside('the path of the route is no literal, so it cannot be told which path is free beside it', 'Add the modern route by hand.', file, node);
  const statement = statementOf(node);
  const root = main.form === 'elysia' ? chainOf(node, all) : rootOf(node, statement);
  if (statement === undefined || root === undefined) return noBeside('the route is registered in the middle of an expression', OWN_STATEMENT, file, node);
  const exact = exactMiddleware(main, all, file);
  const repeated = exact.filter((call) => isRepeatable(call, node));
  const alone = exact.find((call) => !repeated.includes(call));
  if (alone !== undefined)
    return noBeside(
      `what is registered for ${main.path ?? 'the path'} alone would not run for ${path.full}`,
      'Register it for the new path too, or for everything below the old one.',
      file,
      alone,
    );
  const places = all.map((served) => statementOf(served.node)).filter((place) => place?.parent === statement.parent);
  const place = root.behind ? statement : ([...places].sort((a, b) => (a?.pos ?? 0) - (b?.pos ?? 0))[0] ?? statement);
  const fn = functionBehind(main.handlerNode, file);
  const own = fn === undefined ? [] : requestNames(fn, main.form);
  const wanted = NAMES[main.form] ?? ['request'];
  // A name that says that its value is not used is none for one that is.
  const names = wanted.every((_, index) => own[index] !== undefined && !own[index].startsWith('_')) ? own.slice(0, wanted.length) : wanted;
  return {
    ok: true,
    path: path.full,
    place,
    passed: [fn?.body ?? main.handlerNode],
    selectors: [],
    shared: [],
    form: main.form,
    names,
    repeated,
    write({ declared, handled, mark, options = [], amended = (node) => file.textOf(node) }) {
      const lines = [
        ...declared,
        ...repeated.map((call) => useText(call, path.text, amended)),
        ...registration(main, root.text, path.text, names, handled, options, file),
      ];
      const indent = indentOf(place, file);
      const start = root.behind ? place.end : startWithComments(place, file);
      if (root.link !== undefined) return inChain(root.link, lines, declared.length, mark, place, file);
      const edit: TextEdit = root.behind
        ? { start, end: start, text: file.eol + file.eol + indent + linesAt(lines, indent, file) }
        : { start, end: start, text: linesAt([...lines, '', mark, ''], indent, file) + indent };
      return { changes: [{ kind: 'edit', file: file.path, edits: [edit] }], file: file.path, needs: [] as readonly Need[] };
    },
  };
}

/** The handler, written in place or named. */
function functionBehind(handler: ts.Node, file: TypeScriptFile): FunctionNode | undefined {
  const value = unwrap(handler);
  if (isFunctionNode(value)) return value;
  return ts.isIdentifier(value) ? localFunction(value, file) : undefined;
}

/** Where a new registration is written. */
interface Root {
  /** What stands in front of `.all(…)`. */
  readonly text: string;
  /** Behind the statement of the old registration, else in front of it. */
  readonly behind: boolean;
  /** The part of a chain that the new registration is written behind. */
  readonly link?: ts.Node;
}

/** A chain gets one more link, in front of its first old registration: all that runs for that one runs for the new one. */
function chainOf(node: ts.CallExpression, all: readonly Served[]): Root | undefined {
  const registrations = new Set<ts.Node>(all.map((served) => served.node));
  let link: ts.Node | undefined = receiverOf(node);
  for (let at = link; at !== undefined && ts.isCallExpression(at); at = receiverOf(at)) if (registrations.has(at)) link = receiverOf(at);
  if (link === undefined) return undefined;
  const value = unwrap(link);
  if (ts.isIdentifier(value) && ts.isExpressionStatement(node.parent)) return { text: value.text, behind: false };
  return { text: '', behind: false, link };
}

/** The entry in front of the statement, the registration as a link of its chain. */
function inChain(
  link: ts.Node,
  lines: readonly string[],
  declared: number,
  mark: string,
  place: ts.Statement,
  file: TypeScriptFile,
): { readonly changes: readonly FileChange[]; readonly file: string; readonly needs: readonly Need[] } {
  const indent = indentOf(place, file);
  const start = startWithComments(place, file);
  const next = link.parent;
  const dot = ts.isPropertyAccessExpression(next) ? file.text.slice(link.end, next.name.getStart(file.tree)) : '';
  const own =
    /\n([ \t]*)\??\.$/.exec(dot)?.[1] ?? (/^[ \t]*/.exec(file.text.slice(file.text.lastIndexOf('\n', link.end) + 1))?.[0] ?? indent) + file.indentUnit;
  const edits: TextEdit[] = [
    { start, end: start, text: linesAt([...lines.slice(0, declared), ''], indent, file) + indent },
    {
      start: link.end,
      end: link.end,
      text: file.eol + own + linesAt([...lines.slice(declared), mark], own, file) + (dot.includes('\n') ? '' : file.eol + own),
    },
  ];
  return { changes: [{ kind: 'edit', file: file.path, edits }], file: file.path, needs: [] };
}

/** The application at the head of a registration: a name, or the variable that holds the whole chain. */
function rootOf(node: ts.CallExpression, statement: ts.Statement | undefined): Root | undefined {
  let at: ts.Node = node;
  while (ts.isCallExpression(at)) {
    const receiver = receiverOf(at);
    if (receiver === undefined) return undefined;
    at = receiver;
  }
  if (statement === undefined) return undefined;
  if (ts.isExpressionStatement(statement))
    return (ts.isIdentifier(at) || ts.isPropertyAccessExpression(at)) && /^[\w.$]+$/.test(at.getText()) ? { text: at.getText(), behind: false } : undefined;
  if (!ts.isVariableStatement(statement) || statement.declarationList.declarations.length !== 1) return undefined;
  const [holder] = statement.declarationList.declarations;
  return holder !== undefined && ts.isIdentifier(holder.name) ? { text: holder.name.text, behind: true } : undefined;
}

/** Something else that is registered for exactly the old path: its middleware, a handler in front that may answer or refuse. */
function exactMiddleware(main: Served, all: readonly Served[], file: TypeScriptFile): readonly ts.CallExpression[] {
  const own = main.pathNode === undefined ? undefined : constantOf(main.pathNode, file);
  const registrations = new Set<ts.Node>(all.map(({ node }) => node));
  const found: ts.CallExpression[] = [];
  if (typeof own !== 'string') return found;
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node) || registrations.has(node)) return;
    const method = calledMember(node);
    const [first, second] = node.arguments;
    if (first === undefined || second === undefined || constantOf(first, file) !== own) return;
    // Koa and its routers cover what is below a path, Hono does not.
    if (method === 'use' ? main.form === 'hono' : /^(?:all|post)$/.test(method ?? '') && node.pos < main.node.pos) found.push(node);
  });
  return found;
}

/** `app.use('/mcp', cors())` in a statement of its own, in front of the route: it can be said again for the new path. */
const isRepeatable = (call: ts.CallExpression, main: ts.CallExpression): boolean =>
  calledMember(call) === 'use' &&
  ts.isExpressionStatement(call.parent) &&
  call.parent.parent === statementOf(main)?.parent &&
  call.end <= main.pos &&
  receiverOf(call)?.getText() === receiverOf(main)?.getText();

/** The same middleware for the new path. */
const useText = (call: ts.CallExpression, path: string, text: (node: ts.Node) => string): string =>
  `${text(call.expression)}(${[path, ...call.arguments.slice(1).map(text)].join(', ')});`;

function registration(
  main: Served,
  root: string,
  path: string,
  names: readonly (string | undefined)[],
  handled: readonly string[],
  options: readonly string[],
  file: TypeScriptFile,
): readonly string[] {
  const body = handled.map((line) => file.indentUnit + line);
  const middleware = main.middleware.map((node) => `${file.textOf(node)}, `).join('');
  if (main.form === 'fastify') return fastify(main, root, path, names, body, options, file);
  if (main.form === 'elysia') return elysia(main, root, path, body, file);
  return [`${root}.all(${path}, ${middleware}async (${names.join(', ')}) => {`, ...body, '});'];
}

/** With the context and the hooks of the old route, so that Elysia reads the body for both or for neither; not with what describes its answers. */
function elysia(main: Served, root: string, path: string, body: readonly string[], file: TypeScriptFile): readonly string[] {
  const fn = functionBehind(main.handlerNode, file);
  const [context] = fn?.parameters ?? [];
  const options = (main.node as ts.CallExpression).arguments[2];
  const value = options === undefined ? undefined : unwrap(options);
  const kept =
    value === undefined || !ts.isObjectLiteralExpression(value)
      ? value && file.textOf(value)
      : value.properties
          .filter((property) => !/^(?:response|detail|tags)$/.test(nameText(property.name) ?? ''))
          .map((property) => file.textOf(property))
          .join(', ');
  const hooks = kept === undefined || kept === '' ? '' : value !== undefined && ts.isObjectLiteralExpression(value) ? `, { ${kept} }` : `, ${kept}`;
  const names = context === undefined ? `{ request }` : file.textOf(context);
  return [`${root}.all(${path}, async (${names}) => {`, ...body, `}${hooks})${root === '' ? '' : ';'}`];
}

/** Options of the old route that the new one needs too: its hooks and limits, not what describes its answers. */
function fastify(
  main: Served,
  root: string,
  path: string,
  names: readonly (string | undefined)[],
  body: readonly string[],
  options: readonly string[],
  file: TypeScriptFile,
): readonly string[] {
  const { quote, indentUnit: unit } = file;
  const call = main.node as ts.CallExpression;
  const object = calledMember(call) === 'route' ? call.arguments[0] : call.arguments.length > 2 || isOptions(call.arguments[1]) ? call.arguments[1] : undefined;
  const value = object === undefined ? undefined : unwrap(object);
  const kept =
    value !== undefined && ts.isObjectLiteralExpression(value)
      ? value.properties
          .filter((property) => !/^(?:method|url|path|handler|schema)$/.test(nameText(property.name) ?? ''))
          .map((property) => file.textOf(property))
      : value === undefined
        ? []
        : [`...${file.textOf(value)}`];
  return [
    `${root}.route({`,
    ...[
      ...[...kept, ...(kept.some((text) => text.startsWith('errorHandler')) ? [] : options)].map((text) => `${text},`),
      `method: [${['DELETE', 'GET', 'POST'].map((verb) => quote + verb + quote).join(', ')}],`,
      `url: ${path},`,
      `handler: async (${names.join(', ')}) => {`,
      ...body,
      '},',
    ].map((line) => unit + line),
    '});',
  ];
}

const isOptions = (node: ts.Node | undefined): boolean => node !== undefined && ts.isObjectLiteralExpression(unwrap(node));
