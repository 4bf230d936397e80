import { ts } from 'ts-morph';
import type { Need, RewriteContext } from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { isFunctionNode, memberName, unwrap } from '../../_mcp/typescript/nodes.js';
import { localFunction } from '../../_mcp/typescript/servers.js';
import { JSON_ERRORS } from '../../_mcp/vocabulary.js';
import { shimPlace } from '../../_mcp/typescript/emit/shim-place.js';
import { applicationText } from './beside.js';
import { type Registration, registrations } from './registrations.js';

/** The error handler of the path, to stand behind the routes. */
export interface ErrorAnswers {
  readonly lines: readonly string[];
  readonly needs: readonly Need[];
  readonly notes: readonly string[];
}

const NONE: ErrorAnswers = { lines: [], needs: [], notes: [] };

/**
 * Express answers a malformed body with a page that shows a stack, unless NODE_ENV is `production`. Precondition: a parser runs in
 * front, the application is built in this file, so that nothing between here and there answers errors, and it has no error handler.
 * @param path the path as it is written, when it is not that of the routes
 */
export function errorAnswers(
  { file, routes }: { readonly file: TypeScriptFile; readonly routes: readonly Registration[] },
  context: RewriteContext,
  path?: string,
): ErrorAnswers {
  const has = (path: string): boolean => context.exists(path);
  const main = routes.find(({ verb }) => verb === 'POST') ?? routes[0];
  if (main?.parser !== 'before' || main.pathNode === undefined || main.app.kind !== 'app' || !main.app.built) return NONE;
  const own = registrations(file, has).filter(({ app }) => app.symbol.name === main.app.symbol.name);
  if (own.some((registration) => handlesErrors(registration, file))) return NONE;
  const app = applicationText(main, file);
  if (app === undefined) return NONE;
  const shim = shimPlace(file, JSON_ERRORS.stem);
  return {
    lines: [`${app}.use(${path ?? file.textOf(main.pathNode)}, ${JSON_ERRORS.exported});`],
    needs: [
      { kind: 'shim', template: JSON_ERRORS.template, path: shim.path, model: { typescript: shim.typescript, commonjs: shim.commonjs } },
      { kind: 'import', file: file.path, module: shim.path, name: JSON_ERRORS.exported },
    ],
    notes: ['Malformed bodies and failures on this path are answered as JSON-RPC errors instead of an error page, for both eras.'],
  };
}

/** A function of four parameters, or a name that sounds like an error handler. */
function handlesErrors({ call, verb }: Registration, file: TypeScriptFile): boolean {
  if (verb !== 'USE') return false;
  return call.arguments.some((argument) => {
    const value = unwrap(argument);
    const fn = isFunctionNode(value) ? value : ts.isIdentifier(value) ? localFunction(value, file) : undefined;
    if (fn !== undefined) return fn.parameters.length === 4;
    const callee = ts.isCallExpression(value) ? unwrap(value.expression) : value;
    return /err/i.test(ts.isIdentifier(callee) ? callee.text : (memberName(callee) ?? ''));
  });
}
