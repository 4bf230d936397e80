import type { Detector } from '../../src/core/index.js';
import { argumentsOf, calledName, enclosingFunction, stringValue, valueAt, type PyNode, type PythonFile } from '../../src/languages/python/index.js';
import { nodesOf } from '../_mcp/python/nodes.js';
import { CHECKS, routeAtEnd } from './probes.js';

/** Health checks that ask a route of the MCP server: any HEAD, and a GET of a function that is named for it. */
export const python: Detector<'python', 'probe-in-code'> = (file, report) => ({
  end() {
    for (const call of nodesOf(file, 'call')) {
      const called = calledName(call, file);
      if (called === undefined || !/^(?:head|get|request|urlopen)$/.test(called)) continue;
      const args = argumentsOf(call, file);
      const { positional } = args;
      const verb = called === 'request' ? positional[0] && stringValue(positional[0], file)?.toUpperCase() : called === 'head' ? 'HEAD' : 'GET';
      if (verb !== 'HEAD' && verb !== 'GET') continue;
      const url = called === 'request' ? positional[1] : (positional[0] ?? args.keyword('url')?.value);
      const path = url && pathOf(url, file);
      const name = enclosingFunction(call)?.get('name');
      if (path === undefined || (verb === 'GET' && !(name && CHECKS.test(file.textOf(name))))) continue;
      report.finding('probe-in-code', call, { group: file.path, certainty: 'likely', data: { method: verb, path, stage: 'observe' } });
    }
  },
});

/** The MCP route that a URL ends with: written there, or in what its variable was given. */
function pathOf(url: PyNode, file: PythonFile): string | undefined {
  const given = url.kind === 'identifier' ? (file.bindings.of(url)?.sites.flatMap((site) => valueAt(site) ?? []) ?? []) : [url];
  return given.flatMap((value) => routeAtEnd(file.textOf(value)) ?? [])[0];
}
