import { ts } from 'ts-morph';
import type { MessageData } from '../../src/core/index.js';
import { type TypeScriptFile, enclosingClass, enclosingFunction } from '../../src/languages/typescript/index.js';
import { statementOf } from '../_mcp/typescript/nodes.js';
import { sessionCode } from '../_mcp/typescript/sessions.js';
import { handlerProof } from './handlers/proof.js';
import { machineryOf } from './machinery.js';
import { middlewareText } from './middleware.js';
import { dispatchers, guardsIn, shapeOf, storeLeaks, straysIn } from './obstacles.js';
import { planServer } from '../_mcp/typescript/factory/source.js';

/**
 * What one file proves or disproves for the rewrite of a lane that it is a part of. Travels with its findings, so that the plan
 * knows the remedy without reading a text again.
 * - `guards`: lines of checks inside of handlers: neither lane can be written without losing them;
 * - `strays`: lines of other effects inside of handlers: the handler cannot be replaced;
 * - `leaks`: lines of other uses of a session store: the store cannot be removed;
 * - `fixed`: lines in front of the machinery that cannot become middleware;
 * - `server`: why no server can be built for one request.
 */
export function fileProof(file: TypeScriptFile, has: (path: string) => boolean): MessageData {
  const code = sessionCode(file);
  if (code.dispatches.length === 0 && code.connects.length === 0 && code.transports.length === 0) return {};
  const lines = (nodes: readonly { getStart: () => number; readonly end: number }[]): string =>
    [...new Set(nodes.map((node) => String(file.site({ start: node.getStart(), end: node.end }).line)))].join(', ');
  const guards = lines(guardsIn(file, has));
  const strays = lines(straysIn(file, has));
  const leaks = lines(storeLeaks(file, has));
  const fixed = lines(fixedFronts(file, has));
  const server = serverProof(file, has);
  return {
    ...(guards === '' ? {} : { guards }),
    ...(strays === '' ? {} : { strays }),
    ...(leaks === '' ? {} : { leaks }),
    ...(fixed === '' ? {} : { fixed }),
    ...(server === undefined ? {} : { server }),
    ...handlerProof(file, has),
  };
}

/** Leading statements of handlers that cannot become middleware. */
function fixedFronts(file: TypeScriptFile, has: (path: string) => boolean): readonly ts.Node[] {
  const machinery = machineryOf(file, has);
  return dispatchers(file)
    .map((fn) => shapeOf(fn, machinery))
    .filter((shape) => middlewareText(shape, file) === undefined)
    .flatMap(({ leading }) => leading);
}

/** Why no server can be built for one request, as far as this file tells. */
function serverProof(file: TypeScriptFile, has: (path: string) => boolean): string | undefined {
  for (const connect of sessionCode(file).connects) {
    const fn = enclosingFunction(connect);
    const before = statementOf(connect);
    if (fn === undefined || before === undefined || ts.isPropertyAssignment(fn.parent)) continue;
    const plan = planServer(connect, file, { file, before, handler: fn, owner: ts.isMethodDeclaration(fn) ? enclosingClass(fn) : undefined }, [], has);
    if (!plan.ok) return `${plan.reason.why} (${file.path}:${String(plan.reason.sites[0]?.line ?? 0)}). ${plan.reason.next}`;
  }
  return undefined;
}
