import type { ts } from 'ts-morph';
import type { FileOf, Host, Report, Surroundings } from '../../src/core/index.js';
import type { HostFile } from './served.js';

type TypeScript = FileOf<'typescript'>;

/** Reads what one file tells about one host. `has` follows imports. */
export type ReadHost = (file: TypeScript, has: (path: string) => boolean) => HostFile;

/** Reads a host once for each file: detectors, proofs and rewriters ask for the same registrations. */
export function remembered(read: ReadHost): ReadHost {
  const cache = new WeakMap<TypeScript, HostFile>();
  return (file, has) => {
    let known = cache.get(file);
    if (known === undefined) cache.set(file, (known = read(file, has)));
    return known;
  };
}

/** Longest expression of a path that is kept: a longer one names nothing. */
const LONGEST = 60;

/** Source text of a path that is no literal, on one line; nothing for one that is too long to be a name. */
export function expressionOf(node: ts.Node | undefined, file: TypeScript): { readonly expression?: string } {
  const text = node === undefined ? '' : file.textOf(node).replace(/\s+/g, ' ');
  return text === '' || text.length > LONGEST ? {} : { expression: text };
}

/** Tells `route`, `listen` and `guard` facts of a host. */
function tell(id: string, read: ReadHost, file: TypeScript, report: Report<never>, around: Surroundings): void {
  const { served, listens, guards = [] } = read(file, (path) => around.has(path));
  for (const entry of served) {
    for (const guard of entry.guards)
      report.fact({ type: 'guard', site: file.site(guard.node), what: guard.what, ...(entry.app ? { app: entry.app } : {}), allows: [...guard.allows] });
    for (const verb of entry.verbs)
      report.fact({
        type: 'route',
        site: file.site(entry.node),
        host: id,
        method: verb,
        ...(entry.path === undefined ? expressionOf(entry.pathNode, file) : { path: entry.path }),
        ...(entry.app === undefined ? {} : { app: entry.app }),
        ...(entry.handler === undefined ? {} : { handler: entry.handler }),
        handlerSpan: file.span(entry.handlerNode),
        middleware: entry.middleware.map((node) => file.textOf(node)),
        parser: entry.parser,
      });
  }
  for (const guard of guards)
    report.fact({ type: 'guard', site: file.site(guard.node), what: guard.what, ...(guard.app ? { app: guard.app } : {}), allows: [...guard.allows] });
  for (const listen of listens)
    report.fact({
      type: 'listen',
      site: file.site(listen.node),
      host: id,
      ...(listen.app === undefined ? {} : { app: listen.app }),
      ...(listen.address === undefined ? {} : { address: listen.address }),
      ...(listen.port === undefined ? {} : { port: listen.port }),
      exposure: listen.exposure,
    });
}

/** A host adapter out of a reader of files. */
export const hostOf = (id: string, title: string, literals: readonly string[], read: ReadHost): Host => ({
  id,
  title,
  literals,
  detect: {
    typescript: (file, report, around) => ({
      end() {
        tell(id, read, file, report, around);
      },
    }),
  },
});
