import { ts } from 'ts-morph';
import { type Declaration, type TypeScriptFile, exportsOf, isFunctionNode, symbolOfDeclaration, unwrap } from '../../../src/languages/typescript/index.js';
import { hostOf, remembered } from '../emit.js';
import { type HostFile, NOTHING_SERVED, type Served } from '../served.js';

const VERBS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']);
const APP_ROUTE = /(?:^|\/)app\/(?:(.+)\/)?route\.[cm]?[jt]sx?$/;
const PAGES_ROUTE = /(?:^|\/)pages\/(api\/.+)\.[cm]?[jt]sx?$/;

const read = remembered((file): HostFile => {
  const app = APP_ROUTE.exec(file.path);
  if (app !== null) return { served: appRoutes(file, app[1] ?? ''), listens: [] };
  const pages = PAGES_ROUTE.exec(file.path);
  return pages === null ? NOTHING_SERVED : { served: pageRoute(file, pages[1] ?? ''), listens: [] };
});

/** `app/api/mcp/route.ts` exports a function for each verb; groups in parentheses are no part of the path. */
function appRoutes(file: TypeScriptFile, folder: string): readonly Served[] {
  const path = `/${folder
    .split('/')
    .filter((part) => part !== '' && !/^\(.*\)$/.test(part))
    .join('/')}`;
  return exportsOf(file).flatMap(({ name, declaration }): readonly Served[] => {
    const fn = declaration === undefined || !VERBS.has(name) ? undefined : functionBehind(declaration);
    if (declaration === undefined || fn === undefined) return [];
    return [{ ...common(file, declaration, fn), verbs: [name], path, form: 'web', parser: 'none' }];
  });
}

/** `pages/api/mcp.ts` exports one function for every verb; Next.js parses the body unless the file says no. */
function pageRoute(file: TypeScriptFile, stem: string): readonly Served[] {
  const declaration = exportsOf(file).find(({ name }) => name === 'default')?.declaration;
  const fn = declaration === undefined ? undefined : functionBehind(declaration);
  if (declaration === undefined || fn === undefined) return [];
  const raw = /bodyParser\s*:\s*false/.test(file.text);
  return [
    {
      ...common(file, declaration, fn),
      verbs: ['ALL'],
      path: `/${stem.replace(/\/index$/, '')}`,
      form: raw ? 'node' : 'node-parsed',
      parser: raw ? 'none' : 'before',
    },
  ];
}

const common = (
  file: TypeScriptFile,
  declaration: Declaration,
  fn: ts.Node,
): Pick<Served, 'node' | 'pathNode' | 'app' | 'handler' | 'handlerNode' | 'middleware' | 'guards'> => ({
  node: fn,
  pathNode: undefined,
  app: undefined,
  handler: symbolOfDeclaration(declaration, file),
  handlerNode: fn,
  middleware: [],
  guards: [],
});

function functionBehind({ node }: Declaration): ts.Node | undefined {
  if (isFunctionNode(node)) return node;
  const value = ts.isVariableDeclaration(node) && node.initializer !== undefined ? unwrap(node.initializer) : undefined;
  return value !== undefined && isFunctionNode(value) ? value : undefined;
}

/** What a route file of Next.js serves. */
export const nextFile = read;

/** Next.js: functions that files under `app/` and `pages/api/` export. The place of the file says so, as it does to Next.js. */
export const nextjs = hostOf('nextjs', 'Next.js', ['route', 'pages/api', 'next'], read);
