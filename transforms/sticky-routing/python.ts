import type { Detector, Report } from '../../src/core/index.js';
import { argumentsOf, calledName, enclosingFunction, stringValue, valueAt, type PyNode, type PythonFile } from '../../src/languages/python/index.js';
import { nodesOf } from '../_mcp/python/nodes.js';
import { counted, reportInstances } from './instances.js';
import { CHECKS, routeAtEnd } from './probes.js';
import { leadsToMcp, type Kind } from './words.js';

/** Health checks that ask a route of the MCP server: any HEAD, and a GET of a function that is named for it. Beside them, servers that fork. */
export const python: Detector<'python', Kind | 'probe-in-code'> = (file, report) => ({
  end() {
    for (const call of nodesOf(file, 'call')) {
      const called = calledName(call, file);
      if (called === undefined || !/^(?:head|get|request|urlopen|run)$/.test(called)) continue;
      const args = argumentsOf(call, file);
      if (called === 'run') {
        forked(call, args.keyword('workers')?.value, file, report);
        continue;
      }
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

/** Worker processes of `uvicorn.run('app:app', workers=4)`. */
function forked(call: PyNode, workers: PyNode | undefined, file: PythonFile, report: Report<Kind>): void {
  const amount = workers === undefined ? undefined : counted(file.textOf(workers), 'worker processes');
  if (workers === undefined || amount === undefined || !/^(?:uvicorn|hypercorn|granian)\b/.test(file.textOf(call))) return;
  reportInstances(report, workers, { ...amount, holder: 'The start of the server', setting: `workers=${file.textOf(workers)}`, named: leadsToMcp(file.path) });
}

/** The MCP route that a URL ends with: written there, or in what its variable was given. */
function pathOf(url: PyNode, file: PythonFile): string | undefined {
  const given = url.kind === 'identifier' ? (file.bindings.of(url)?.sites.flatMap((site) => valueAt(site) ?? []) ?? []) : [url];
  return given.flatMap((value) => routeAtEnd(file.textOf(value)) ?? [])[0];
}
