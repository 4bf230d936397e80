import { ts } from 'ts-morph';
import { type TypeScriptFile, importBindings } from '../../../src/languages/typescript/index.js';
import { insertBefore } from '../../_mcp/typescript/emit/edits.js';
import { statementOf } from '../../_mcp/typescript/nodes.js';
import type { Served } from '../served.js';
import { type Beside, type NoBeside, noBeside } from './model.js';
import type { Rename } from './path.js';

const MODULE = 'Move the function that builds the server into a module of its own, and import it in the route file.';

/**
 * A route file of its own: Next.js tells paths by the places of files. A route file exports nothing but routes, so the factory has to come
 * from another module.
 */
export function besideFile(all: readonly Served[], file: TypeScriptFile, rename: Rename, has: (path: string) => boolean): Beside | NoBeside {
  const [main] = all;
  const own = main?.path;
  if (main === undefined || own === undefined || /[[\]]/.test(file.path))
    return noBeside('a part of the path is a parameter, so it cannot be told which path is free beside it', 'Add the modern route by hand.', file, file.tree);
  const path = rename(own);
  const ending = path.startsWith(own) ? path.slice(own.length) : undefined;
  const app = /^(.*)\/route\.([cm]?[jt]sx?)$/.exec(file.path);
  const page = /^(.*?)(?:\/index)?\.([cm]?[jt]sx?)$/.exec(file.path);
  const target =
    ending === undefined
      ? undefined
      : app !== null
        ? `${app[1] ?? ''}${ending}/route.${app[2] ?? 'ts'}`
        : page === null
          ? undefined
          : `${page[1] ?? ''}${ending}.${page[2] ?? 'ts'}`;
  if (target === undefined) return noBeside('it cannot be told where the file of the new path goes', 'Add the modern route by hand.', file, file.tree);
  if (has(target) || has(target.replace(/\.(?:[cm]?[jt]sx?)$/, '/index.ts')))
    return noBeside(`${target} exists already`, 'Give one of both another path.', file, file.tree);
  const web = main.form === 'web';
  const names = web ? ['request'] : ['req', 'res'];
  const first = statementOf(main.node);
  const depth = target.split('/').length - file.path.split('/').length;
  return {
    ok: true,
    path,
    place: undefined,
    passed: [main.handlerNode],
    selectors: [],
    shared: [],
    form: web ? 'web' : 'node-parsed',
    names,
    repeated: [],
    write({ declared, handled, mark }) {
      const { quote, eol } = file;
      const typed = !file.isJavaScript;
      const body = handled.map((line) => file.indentUnit + line);
      const imports = importsOf(declared.join('\n'), file, '../'.repeat(depth));
      const handler = web
        ? [
            `async function answer(${typed ? 'request: Request' : 'request'})${typed ? ': Promise<Response>' : ''} {`,
            ...body,
            '}',
            '',
            'export { answer as DELETE, answer as GET, answer as POST };',
          ]
        : [
            `export default async function handler(${typed ? 'req: NextApiRequest, res: NextApiResponse' : 'req, res'})${typed ? ': Promise<void>' : ''} {`,
            ...body,
            '}',
          ];
      const types = web || !typed ? [] : [`import type { NextApiRequest, NextApiResponse } from ${quote}next${quote};`];
      return {
        changes: [
          { kind: 'create', file: target, text: [...types, ...imports, '', ...declared, '', ...handler, ''].join(eol) },
          ...(first === undefined ? [] : [{ kind: 'edit' as const, file: file.path, edits: [insertBefore(first, [mark], file)] }]),
        ],
        file: target,
        needs: [],
      };
    },
  };
}

/** Imports of the old route file that a text uses, as they are written from a folder further down. */
function importsOf(text: string, file: TypeScriptFile, up: string): readonly string[] {
  const used = new Set(text.match(/[A-Za-z_$][\w$]*/g) ?? []);
  const { quote } = file;
  return importBindings(file).flatMap(({ local, name, specifier }) => {
    if (!used.has(local)) return [];
    const from = specifier.startsWith('./') ? up + specifier.slice(2) : specifier.startsWith('../') ? up + specifier : specifier;
    const what = name === 'default' ? local : name === '*' ? `* as ${local}` : `{ ${name === local ? name : `${name} as ${local}`} }`;
    return [`import ${what} from ${quote}${from}${quote};`];
  });
}

/** Names of a factory expression that only the old route file knows. */
export function localToFile(expression: string, file: TypeScriptFile): NoBeside | undefined {
  const imported = new Set(importBindings(file).map(({ local }) => local));
  const names = new Set(expression.match(/(?<![.\w$])[A-Za-z_$][\w$]*/g) ?? []);
  for (const name of names) {
    const declared = file.bindings.root.values.get(name);
    if (declared !== undefined && !imported.has(name))
      return noBeside(
        `the server is built by \`${name}\`, which only this route file knows`,
        MODULE,
        file,
        ts.isVariableDeclaration(declared.node) ? declared.node.name : declared.node,
      );
  }
  return undefined;
}
