import { ts } from 'ts-morph';
import type { FactOf } from '../../../src/core/index.js';
import { type TypeScriptFile, constantOf, eachNode } from '../../../src/languages/typescript/index.js';
import { calledMember, isFunctionNode, memberName, receiverOf, unwrap } from '../../_mcp/typescript/nodes.js';
import { localFunction } from '../../_mcp/typescript/servers.js';
import { type ExpressApp, appOf, assumedApp } from './apps.js';
import { type HandlerRef, type Middleware, handlerOf, middlewareOf } from './middleware.js';

/** A call that registers handlers on an application or router. */
export interface Registration {
  readonly call: ts.CallExpression;
  readonly app: ExpressApp;
  /** Upper-case verb, `ALL`, or `USE` for middleware of every route below a path. */
  readonly verb: string;
  /** As written; `undefined` when it is no literal; `/` for `use` without one. */
  readonly paths: readonly (string | undefined)[];
  readonly pathNode: ts.Node | undefined;
  readonly middleware: readonly Middleware[];
  /** What answers; absent for `use` of plain middleware and for mounts. */
  readonly handler: HandlerRef | undefined;
  /** A router that is mounted here. */
  readonly mounts: ExpressApp | undefined;
  readonly parser: FactOf<'route'>['parser'];
}

const VERBS: Readonly<Record<string, string>> = {
  get: 'GET',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  del: 'DELETE',
  all: 'ALL',
  options: 'OPTIONS',
  head: 'HEAD',
};

interface Raw {
  readonly call: ts.CallExpression;
  readonly app: ExpressApp;
  readonly verb: string;
  readonly paths: readonly (string | undefined)[];
  readonly pathNode: ts.Node | undefined;
  readonly handlers: readonly ts.Node[];
}

const cache = new WeakMap<TypeScriptFile, readonly Registration[]>();

/** All registrations of a file in the order in which they run: the order of the text, chains from left to right. */
export function registrations(file: TypeScriptFile, has: (path: string) => boolean): readonly Registration[] {
  const known = cache.get(file);
  if (known !== undefined) return known;
  const found = collect(file, has).map((raw, index, all) => complete(raw, all.slice(0, index), all, file, has));
  cache.set(file, found);
  return found;
}

function collect(file: TypeScriptFile, has: (path: string) => boolean): readonly Raw[] {
  const raws: Raw[] = [];
  const named = /\bexpress\b|createMcpExpressApp/i.test(file.text);
  /** An application by what this file shows; else one that another file has to vouch for, when the call looks like a registration. */
  const registeredOn = (node: ts.Node, path: ts.Node | undefined, last: ts.Node | undefined): ExpressApp | undefined => {
    const known = named ? appOf(node, file) : undefined;
    if (known !== undefined) return known;
    return last !== undefined && (path === undefined || looksLikePath(path, file)) && looksLikeHandler(last) ? assumedApp(node, file, has) : undefined;
  };
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node)) return;
    const method = calledMember(node);
    const receiver = receiverOf(node);
    if (method === undefined || receiver === undefined || !(method in VERBS || method === 'use')) return;
    const route = method === 'use' ? undefined : routeOf(receiver);
    if (route !== undefined) {
      const path = route.arguments[0];
      const app = registeredOn(receiverOf(route) as ts.Node, path, node.arguments.at(-1));
      if (app !== undefined && path !== undefined)
        raws.push({ call: node, app, verb: VERBS[method] ?? 'ALL', paths: pathsOf(path, file), pathNode: path, handlers: flatten(node.arguments) });
      return;
    }
    const [first, ...rest] = node.arguments;
    const bare = method === 'use' && first !== undefined && !isPath(first, file);
    const app = registeredOn(receiver, bare ? undefined : first, node.arguments.length > 1 || bare ? node.arguments.at(-1) : undefined);
    if (app === undefined || first === undefined) return;
    if (method === 'use') {
      const named = isPath(first, file);
      raws.push({
        call: node,
        app,
        verb: 'USE',
        paths: named ? pathsOf(first, file) : ['/'],
        pathNode: named ? first : undefined,
        handlers: flatten(named ? rest : [...node.arguments]),
      });
    } else if (rest.length > 0) {
      raws.push({ call: node, app, verb: VERBS[method] ?? 'ALL', paths: pathsOf(first, file), pathNode: first, handlers: flatten(rest) });
    }
  });
  // A chain is visited from its outermost call, which runs last.
  return raws.sort((a, b) => a.call.expression.end - b.call.expression.end);
}

const looksLikePath = (node: ts.Node, file: TypeScriptFile): boolean => {
  const path = constantOf(node, file);
  return typeof path === 'string' ? path.startsWith('/') : isPath(node, file);
};

const looksLikeHandler = (node: ts.Node): boolean => {
  const value = unwrap(node);
  return (
    isFunctionNode(value) || ts.isIdentifier(value) || ts.isPropertyAccessExpression(value) || ts.isCallExpression(value) || ts.isArrayLiteralExpression(value)
  );
};

/** The `.route(path)` call that a verb is chained on. */
function routeOf(node: ts.Node): ts.CallExpression | undefined {
  let current = unwrap(node);
  while (ts.isCallExpression(current)) {
    const method = calledMember(current);
    if (method === 'route') return current;
    const receiver = receiverOf(current);
    if (receiver === undefined || method === undefined || !(method in VERBS)) return undefined;
    current = receiver;
  }
  return undefined;
}

const flatten = (nodes: readonly ts.Expression[]): readonly ts.Node[] =>
  nodes.flatMap((node) => (ts.isArrayLiteralExpression(unwrap(node)) ? flatten((unwrap(node) as ts.ArrayLiteralExpression).elements) : [node]));

function isPath(node: ts.Node, file: TypeScriptFile): boolean {
  const value = unwrap(node);
  if (ts.isStringLiteralLike(value) || ts.isTemplateExpression(value) || value.kind === ts.SyntaxKind.RegularExpressionLiteral) return true;
  if (ts.isArrayLiteralExpression(value)) return value.elements.length > 0 && value.elements.every((element) => isPath(element, file));
  return (
    typeof constantOf(value, file) === 'string' || /path|endpoint|prefix|base|route$/i.test(ts.isIdentifier(value) ? value.text : (memberName(value) ?? ''))
  );
}

function pathsOf(node: ts.Node, file: TypeScriptFile): readonly (string | undefined)[] {
  const value = unwrap(node);
  if (ts.isArrayLiteralExpression(value)) return value.elements.flatMap((element) => pathsOf(element, file));
  const path = constantOf(value, file);
  return [typeof path === 'string' ? path : undefined];
}

function complete(raw: Raw, before: readonly Raw[], all: readonly Raw[], file: TypeScriptFile, has: (path: string) => boolean): Registration {
  const last = raw.handlers.at(-1);
  const mounts = last === undefined || raw.verb !== 'USE' ? undefined : mountedRouter(last, file);
  const answers = last !== undefined && mounts === undefined && (raw.verb !== 'USE' || (raw.pathNode !== undefined && isTerminal(last, file)));
  const middle = answers ? raw.handlers.slice(0, -1) : mounts === undefined ? raw.handlers : raw.handlers.slice(0, -1);
  const middleware = middle.map((node) => middlewareOf(node, file));
  const handler = answers ? handlerOf(last, file, has) : undefined;
  return {
    call: raw.call,
    app: raw.app,
    verb: raw.verb,
    paths: raw.paths,
    pathNode: raw.pathNode,
    middleware,
    handler,
    mounts,
    parser: parserBefore(raw, middleware, before, all, file),
  };
}

const mountedRouter = (node: ts.Node, file: TypeScriptFile): ExpressApp | undefined => {
  const app = appOf(node, file);
  return app?.kind === 'router' || (app !== undefined && !ts.isCallExpression(unwrap(node))) ? app : undefined;
};

/** Does what `use` mounts answer requests, or does it only look at them? */
function isTerminal(node: ts.Node, file: TypeScriptFile): boolean {
  const value = unwrap(node);
  const fn = isFunctionNode(value) ? value : ts.isIdentifier(value) ? localFunction(value, file) : undefined;
  if (fn !== undefined) return fn.parameters.length < 3;
  if (ts.isCallExpression(value)) {
    if (calledMember(value) === 'bind') return true;
    return (
      middlewareOf(value, file).what === 'unknown' &&
      !/auth|limit|cors|guard|valid|log|json|parse|check|middleware|session|error/i.test(value.expression.getText(file.tree))
    );
  }
  const name = ts.isIdentifier(value) ? value.text : (memberName(value) ?? '');
  return !/auth|limit|cors|guard|valid|log(?!in)|json|parse|check|middleware|session(?!s?rout)|error/i.test(name);
}

/** `/api` covers `/api/mcp`; a path that is no literal may cover anything. */
function covers(paths: readonly (string | undefined)[], route: readonly (string | undefined)[]): 'yes' | 'no' | 'maybe' {
  if (paths.some((path) => path === '/' || path === '' || path === '*')) return 'yes';
  const known = route.filter((path) => path !== undefined);
  if (paths.includes(undefined) || known.length < route.length) return 'maybe';
  return known.some((path) => paths.some((prefix) => prefix !== undefined && (path === prefix || path.startsWith(`${prefix.replace(/\/$/, '')}/`))))
    ? 'yes'
    : 'no';
}

function parserBefore(
  raw: Raw,
  own: readonly Middleware[],
  before: readonly Raw[],
  all: readonly Raw[],
  file: TypeScriptFile,
  depth = 0,
): Registration['parser'] {
  if (own.some(({ parsesJson }) => parsesJson)) return 'before';
  if (raw.app.sdk) return 'before';
  let doubt = own.some(({ what, parsesJson }) => what === 'unknown' || (what === 'body-parser' && !parsesJson));
  for (const earlier of before) {
    if (earlier.verb !== 'USE' || earlier.app.symbol.name !== raw.app.symbol.name) continue;
    const reach = covers(earlier.paths, raw.paths);
    if (reach === 'no') continue;
    for (const node of earlier.handlers) {
      if (mountedRouter(node, file) !== undefined) continue;
      const middleware = middlewareOf(node, file);
      if (middleware.parsesJson) {
        if (reach === 'yes') return 'before';
        doubt = true;
      }
      if (middleware.what === 'unknown' || (middleware.what === 'body-parser' && !middleware.parsesJson)) doubt = true;
    }
  }
  if (raw.app.kind === 'router' && depth < 4) {
    const mounts = all.filter((other) => other.verb === 'USE' && other.handlers.some((node) => mountedRouter(node, file)?.symbol.name === raw.app.symbol.name));
    if (mounts.length === 0) return 'unknown';
    const outer = mounts.map((mount) =>
      parserBefore(
        { ...mount, paths: mount.paths },
        mount.handlers.slice(0, -1).map((node) => middlewareOf(node, file)),
        all.slice(0, all.indexOf(mount)),
        all,
        file,
        depth + 1,
      ),
    );
    if (outer.every((value) => value === 'before')) return 'before';
    if (!outer.every((value) => value === 'none')) return 'unknown';
  }
  return doubt || !raw.app.built ? 'unknown' : 'none';
}

/** Paths of a registration with the mounts of this file in front, and whether a mount elsewhere may add more. */
export function fullPaths(registration: Registration, all: readonly Registration[], depth = 0): readonly (string | undefined)[] {
  const mounts =
    registration.app.kind === 'router' && depth < 6 ? all.filter(({ mounts: router }) => router?.symbol.name === registration.app.symbol.name) : [];
  if (mounts.length === 0) return registration.paths;
  return mounts.flatMap((mount) =>
    fullPaths(mount, all, depth + 1).flatMap((prefix) =>
      registration.paths.map((path) => (prefix === undefined || path === undefined ? undefined : join(prefix, path))),
    ),
  );
}

const join = (prefix: string, path: string): string => {
  const joined = `${prefix}/${path}`.replace(/\/{2,}/g, '/');
  return joined.length > 1 ? joined.replace(/\/$/, '') : joined;
};
