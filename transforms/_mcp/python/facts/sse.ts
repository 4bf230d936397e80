import { argumentsOf, calledName, constantOf, decoratorsOf, enclosingFunction, type PyNode, type PythonFile } from '../../../../src/languages/python/index.js';
import { nodesOf } from '../nodes.js';

/** A route to a function that opens the stream of HTTP+SSE. */
export interface StreamRoute {
  readonly node: PyNode;
  readonly path: string;
  readonly handler: PyNode;
}

/**
 * Where clients open the streams of a transport that is built by hand: the functions that call `connect_sse`, and the paths under which
 * they are registered, by decorator (`@app.get("/sse")`) or by name (`Route("/sse", endpoint=handle_sse)`).
 */
export function streamRoutes(file: PythonFile): readonly StreamRoute[] {
  const openers = [...new Set(nodesOf(file, 'call').flatMap((call) => (calledName(call, file) === 'connect_sse' ? (enclosingFunction(call) ?? []) : [])))];
  return openers.flatMap((handler) => {
    const name = handler.get('name');
    const text = name && file.textOf(name);
    const decorators = decoratorsOf(handler).filter((node) => node.kind === 'call');
    const registrations = nodesOf(file, 'call').filter((call) => {
      if (!/^(?:Route|add_route|add_get|add_api_route|Mount)$/.test(calledName(call, file) ?? '')) return false;
      const args = argumentsOf(call, file);
      return [...args.positional.slice(1), ...args.keywords.map(({ value }) => value)].some((value) => file.textOf(value) === text);
    });
    return [...decorators, ...registrations].flatMap((node) => {
      const args = argumentsOf(node, file);
      const written = args.positional[0] ?? args.keyword('path')?.value;
      const path = written && constantOf(written, file);
      return typeof path === 'string' && path.startsWith('/') ? [{ node, path, handler }] : [];
    });
  });
}
