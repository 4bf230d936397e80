import type { Endpoint, Need } from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { insertAbove } from '../../_mcp/typescript/emit/edits.js';
import { freeName } from '../../_mcp/typescript/emit/names.js';
import type { ServerPlan } from '../../_mcp/typescript/factory/plan.js';
import { receiverOf, unwrap } from '../../_mcp/typescript/nodes.js';
import { ts } from 'ts-morph';
import type { TextEdit } from '../../../src/core/index.js';
import { LOOPBACK_ORIGINS } from '../entry/guards.js';
import type { Registration } from './registrations.js';

export const EXPRESS_ADAPTER = '@modelcontextprotocol/express';

/** Checks of Host and Origin in front of a new route. */
export interface Fence {
  /** Lines in front of the route. */
  readonly lines: readonly string[];
  /** Middleware of the route, each with a comma behind it. */
  readonly middleware: string;
  readonly needs: readonly Need[];
  readonly todo: readonly string[];
}

/**
 * On a loopback address the list of hosts is known, elsewhere only pages of this machine are let in until the team says more.
 * @param rule rule id of the marker
 */
export function fenceOf(route: Registration, endpoint: Endpoint | undefined, path: string, rule: string, file: TypeScriptFile): Fence {
  const none = { lines: [], middleware: '', needs: [], todo: [] };
  if (route.app.sdk || (endpoint?.originPolicy.length ?? 0) > 0) return none;
  const from = (name: string): Need => ({ kind: 'import', file: file.path, module: EXPRESS_ADAPTER, name });
  if (endpoint?.exposure === 'loopback')
    return {
      ...none,
      middleware: 'localhostHostValidation(), localhostOriginValidation(), ',
      needs: [from('localhostHostValidation'), from('localhostOriginValidation')],
    };
  const what = `name the hosts of the web pages that may call ${path}, and the hosts that it is served under (hostHeaderValidation from ${EXPRESS_ADAPTER}); until then pages of this machine only`;
  return {
    lines: [`// TODO(unsession) ${rule}: ${what}`],
    middleware: `originValidation([${LOOPBACK_ORIGINS.map((host) => file.quote + host + file.quote).join(', ')}]), `,
    needs: [from('originValidation')],
    todo: [what],
  };
}

/** A new route beside an old one. */
export interface NewExpressRoute {
  /** The registration whose application the new one shares. */
  readonly route: Registration;
  /** Middleware of the route, as written. */
  readonly middleware: readonly string[];
  /** The statement in front of which it stands. */
  readonly statement: ts.Statement;
  /** The path as it is written. */
  readonly path: string;
  readonly server: ServerPlan;
  /** Options of `createMcpHandler`, as they are written behind the factory. */
  readonly options: string;
  readonly comment: string;
  readonly fence: Fence;
  /** Lines behind the route. */
  readonly behind: readonly string[];
  /** Comment on the routes that stay. */
  readonly mark: string;
}

/** The application that a registration is made on, at the head of its chain; `undefined` when it has no name. */
export function applicationText({ call }: Registration, file: TypeScriptFile): string | undefined {
  let node: ts.Node = call;
  while (ts.isCallExpression(node)) node = receiverOf(node) ?? unwrap(node.expression);
  const text = file.textOf(node);
  return /^[\w.$]+$/.test(text) ? text : undefined;
}

/** Entry and route in front of a statement, and the mark on what stays. */
export function newRoute(
  { route, middleware, statement, path, server, options, comment, fence, behind, mark }: NewExpressRoute,
  file: TypeScriptFile,
): TextEdit {
  const name = freeName('modern', file);
  const app = applicationText(route, file) ?? 'app';
  const lines = [
    ...server.declaration,
    comment,
    `const ${name} = toNodeHandler(createMcpHandler(${server.async ? 'async ' : ''}() => ${server.expression}${options}));`,
    ...fence.lines,
    `${app}.all(${path}, ${fence.middleware}${middleware.map((text) => `${text}, `).join('')}(req, res) => void ${name}(req, res, req.body));`,
    ...behind,
    '',
    mark,
  ];
  return insertAbove(statement, lines, file);
}

/** Imports of a new route. */
export const newRouteImports = (server: ServerPlan, file: TypeScriptFile): readonly Need[] => [
  ...server.imports,
  { kind: 'import', file: file.path, module: '@modelcontextprotocol/node', name: 'toNodeHandler' },
  { kind: 'import', file: file.path, module: '@modelcontextprotocol/server', name: 'createMcpHandler' },
];
