import type { FactOf, Report, Surroundings } from '../../../../src/core/index.js';
import { argumentsOf, calledName, constantOf, type PyNode, type PythonFile } from '../../../../src/languages/python/index.js';

/** The web framework under the apps of the SDK. */
export const HOST = 'starlette';
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|localhost|::1)$/;

/** A file under the eyes of the fact sources. */
export interface Scene {
  readonly file: PythonFile;
  readonly report: Report<string>;
  readonly around: Surroundings;
}

/** Addresses, allow-lists, CORS and authentication around an app. */
export function surroundings(call: PyNode, scene: Scene): void {
  const { file, report } = scene;
  const callee = call.get('function');
  const called = calledName(call, file);
  if (!callee || called === undefined) return;
  const args = argumentsOf(call, file);
  const site = file.site(call);
  if (file.textOf(callee) === 'uvicorn.run' || (called === 'Config' && /\buvicorn\b/.test(file.textOf(callee))))
    listen(call, args.keyword('host')?.value, scene, 'loopback');
  else if (called === 'TransportSecuritySettings') {
    const origins = args.keyword('allowed_origins')?.value;
    if (origins) report.fact({ type: 'guard', site, what: 'origin', allows: listed(origins, file) });
    const hosts = args.keyword('allowed_hosts')?.value;
    if (hosts) report.fact({ type: 'guard', site, what: 'host', allows: listed(hosts, file) });
  }
  const middleware = called === 'add_middleware' || called === 'Middleware' ? args.positional[0] : undefined;
  const name = middleware && file.textOf(middleware);
  if (name === undefined) return;
  if (name.endsWith('CORSMiddleware')) report.fact({ type: 'guard', site, what: 'cors', allows: listed(args.keyword('allow_origins')?.value, file) });
  else if (/auth/i.test(name)) report.fact({ type: 'guard', site, what: 'authentication', allows: [] });
}

const listed = (value: PyNode | undefined, file: PythonFile): readonly string[] =>
  (value && /^(?:list|tuple|set)$/.test(value.kind) ? value.children : value ? [value] : []).flatMap((each) => {
    const text = constantOf(each, file);
    return typeof text === 'string' ? [text] : [];
  });

/** The address that an app is served on. */
export function listen(call: PyNode, address: PyNode | undefined, { file, report }: Scene, otherwise: FactOf<'listen'>['exposure']): void {
  const text = address && constantOf(address, file);
  const known = typeof text === 'string' ? text : undefined;
  report.fact({
    type: 'listen',
    site: file.site(call),
    host: HOST,
    ...(known === undefined ? {} : { address: known }),
    exposure:
      known === undefined
        ? address
          ? 'unknown'
          : otherwise
        : LOOPBACK.test(known)
          ? 'loopback'
          : known === '0.0.0.0' || known === '::'
            ? 'public'
            : 'unknown',
  });
}
