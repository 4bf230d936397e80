import { ts } from 'ts-morph';
import { type TypeScriptFile, constantOf, eachNode, functionRef, originOf } from '../../../src/languages/typescript/index.js';
import { calledMember, receiverOf, unwrap } from '../../_mcp/typescript/nodes.js';
import { readOptions } from '../../_mcp/typescript/options.js';
import { listenAddress } from '../address.js';
import { type AppKind, appBehind } from '../apps.js';
import { hostOf, remembered } from '../emit.js';
import { type HostFile, type HostGuard, NOTHING_SERVED, type RequestForm, type Served } from '../served.js';

const VERBS: Readonly<Record<string, string>> = {
  Get: 'GET',
  Post: 'POST',
  Put: 'PUT',
  Patch: 'PATCH',
  Delete: 'DELETE',
  All: 'ALL',
  Options: 'OPTIONS',
  Head: 'HEAD',
};

const nestApp: AppKind = {
  builds: (node, _origin, file) => {
    const callee = unwrap(node.expression);
    const owner = ts.isPropertyAccessExpression(callee) && callee.name.text === 'create' ? originOf(callee.expression, file) : undefined;
    return owner?.module === '@nestjs/core' && owner.name === 'NestFactory';
  },
  typed: (origin) => origin.module.startsWith('@nestjs/') && /Nest(?:Express|Fastify)?Application$/.test(origin.name),
  chained: new Set([]),
};

/** A decorator of NestJS on a declaration, by its name. */
function decoratorsOf(node: ts.HasDecorators, file: TypeScriptFile): ReadonlyMap<string, ts.CallExpression | undefined> {
  const found = new Map<string, ts.CallExpression | undefined>();
  for (const { expression } of ts.getDecorators(node) ?? []) {
    const call = ts.isCallExpression(expression) ? expression : undefined;
    const origin = originOf(unwrap(call?.expression ?? expression), file);
    if (origin?.module.startsWith('@nestjs/') === true) found.set(origin.name, call);
  }
  return found;
}

const read = remembered((file): HostFile => {
  if (!file.text.includes('@nestjs/')) return NOTHING_SERVED;
  const served: Served[] = [];
  const listens: HostFile['listens'][number][] = [];
  eachNode(file.tree, (node) => {
    if (ts.isClassDeclaration(node)) served.push(...controllerRoutes(node, file));
    const receiver = ts.isCallExpression(node) && calledMember(node) === 'listen' ? receiverOf(node) : undefined;
    const app = receiver === undefined ? undefined : appBehind(receiver, file, nestApp);
    if (app !== undefined) listens.push({ node, app: app.symbol, ...listenAddress(node as ts.CallExpression, file) });
  });
  return { served, listens };
});

function controllerRoutes(owner: ts.ClassDeclaration, file: TypeScriptFile): readonly Served[] {
  const own = decoratorsOf(owner, file);
  if (!own.has('Controller')) return [];
  const prefix = pathOf(own.get('Controller'), file);
  return owner.members.flatMap((member): readonly Served[] => {
    if (!ts.isMethodDeclaration(member)) return [];
    const decorators = decoratorsOf(member, file);
    const verbs = [...decorators.keys()].filter((name) => name in VERBS);
    const [verb] = verbs;
    if (verb === undefined) return [];
    const path = pathOf(decorators.get(verb), file);
    const guards = [own.get('UseGuards'), decorators.get('UseGuards')].flatMap((node): HostGuard[] =>
      node === undefined ? [] : [{ node, what: 'authentication', allows: [] }],
    );
    return [
      {
        node: member,
        verbs: verbs.map((name) => VERBS[name] ?? 'ALL'),
        path: prefix === undefined || path === undefined ? undefined : join(prefix, path),
        pathNode: undefined,
        app: undefined,
        handler: functionRef(member, file),
        handlerNode: member,
        form: formOf(member, file),
        middleware: [],
        guards,
        // The platform parses JSON, unless `NestFactory.create` is told not to; that is in another file.
        parser: 'unknown',
      },
    ];
  });
}

/** `@Req() req, @Res() res`: of Express, or of Fastify, whose raw objects are taken then. */
function formOf(method: ts.MethodDeclaration, file: TypeScriptFile): RequestForm {
  const text = method.body === undefined ? '' : file.textOf(method.body);
  return /\b(?:req|request)\.raw\b/.test(text) ? 'fastify' : 'node-parsed';
}

/** `'mcp'`, `{ path: 'mcp' }`, nothing; `undefined` when it is no literal. */
function pathOf(call: ts.CallExpression | undefined, file: TypeScriptFile): string | undefined {
  const [first] = call?.arguments ?? [];
  if (first === undefined) return '';
  const value = unwrap(first);
  const node = ts.isObjectLiteralExpression(value) ? readOptions(value, file).values.get('path') : value;
  const text = node === undefined ? '' : constantOf(node, file);
  return typeof text === 'string' ? text : undefined;
}

const join = (prefix: string, path: string): string => {
  const joined = `/${prefix}/${path}`.replace(/\/{2,}/g, '/');
  return joined.length > 1 ? joined.replace(/\/$/, '') : joined;
};

/** What the controllers of a file serve. */
export const nestFile = read;

/** NestJS controllers whose methods take the raw request and response. */
export const nestjs = hostOf('nestjs', 'NestJS', ['@nestjs/'], read);
