import { ts } from 'ts-morph';
import { type FunctionNode, type TypeScriptFile, isFunctionNode, unwrap } from '../../../src/languages/typescript/index.js';
import { localFunction } from '../../_mcp/typescript/servers.js';
import { hostOf, remembered } from '../emit.js';
import { branchesOf, calledEntry } from '../node-http/branches.js';
import { type HostFile, NOTHING_SERVED, type Served, handlerSymbol } from '../served.js';
import { servesOf } from './serve.js';

const read = remembered((file, has): HostFile => {
  if (!/\bfetch\b|\.serve\b/.test(file.text)) return NOTHING_SERVED;
  const served: Served[] = [];
  const listens: HostFile['listens'][number][] = [];
  for (const serve of servesOf(file)) {
    const node = serve.fetch === undefined ? undefined : unwrap(serve.fetch);
    const fn = node === undefined ? undefined : functionOf(node, file);
    if (node === undefined || fn === undefined) continue;
    listens.push({ node: serve.node, app: undefined, ...serve.address });
    const common = { verbs: ['ALL'], pathNode: undefined, app: undefined, form: 'web', middleware: [], guards: [], parser: 'none' } as const;
    const branches = branchesOf(fn, file);
    const paths = [...new Set(branches.map(({ path }) => path))];
    const whole: Served = {
      ...common,
      node: serve.node,
      path: paths.length === 1 ? paths[0] : undefined,
      handler: handlerSymbol(node, file, has),
      handlerNode: node,
    };
    if (paths.length <= 1 || paths.includes(undefined)) served.push(whole);
    else
      for (const branch of branches) {
        const entry = branch.calls.flatMap((call) => calledEntry(call, file) ?? [])[0];
        const handler = entry === undefined ? undefined : handlerSymbol(entry, file, has);
        served.push({ ...common, node: branch.node, path: branch.path, handler, handlerNode: branch.node });
      }
  }
  return { served, listens };
});

function functionOf(node: ts.Node, file: TypeScriptFile): FunctionNode | undefined {
  const value = unwrap(node);
  if (isFunctionNode(value)) return value;
  return ts.isIdentifier(value) ? localFunction(value, file) : undefined;
}

/** What a file hands to a web-standard runtime. */
export const fetchFile = read;

/** Functions from `Request` to `Response`: Workers, Bun, Deno, `@hono/node-server` without Hono. */
export const fetchHost = hostOf('fetch', 'Web-standard fetch handler', ['fetch', 'Deno.serve', 'Bun.serve'], read);
