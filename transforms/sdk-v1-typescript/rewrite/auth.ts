import { ts } from 'ts-morph';
import type { ImportNeed, TextEdit } from '../../../src/core/index.js';
import { type ImportBinding, type TypeScriptFile, importBindings, referencesOf } from '../../../src/languages/typescript/index.js';
import { isExported, v1Module } from '../../_mcp/sdk-table.js';

const LEGACY = '@modelcontextprotocol/server-legacy/auth';
const EXPRESS = '@modelcontextprotocol/express';
const SERVER = '@modelcontextprotocol/server';

/** Names of the v1 auth modules that a resource server uses and that are maintained for Express in v2. */
const MAINTAINED: ReadonlySet<string> = new Set([
  'requireBearerAuth',
  'mcpAuthMetadataRouter',
  'getOAuthProtectedResourceMetadataUrl',
  'OAuthTokenVerifier',
  'BearerAuthMiddlewareOptions',
  'AuthMetadataOptions',
]);

const fromAuth = (binding: ImportBinding): boolean => binding.specifier === LEGACY || /\/server\/auth\/(?!types)/.test(v1Module(binding.specifier) ?? '');

const isErrorClass = (name: string): boolean => name.endsWith('Error') && name !== 'OAuthError' && name !== 'CustomOAuthError';

/** Uses of an error class that v2 can say: `new X(message)` and `e instanceof X`. */
function canConvert(file: TypeScriptFile, binding: ImportBinding): boolean {
  const declaration = file.bindings.root.values.get(binding.local);
  return (
    declaration !== undefined &&
    referencesOf(declaration, file).every(
      (use) =>
        (ts.isNewExpression(use.parent) && use.parent.expression === use && (use.parent.arguments?.length ?? 0) <= 2) ||
        (ts.isBinaryExpression(use.parent) && use.parent.right === use && use.parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword),
    )
  );
}

/**
 * How a package uses the auth modules of v1. A pure resource server moves to the maintained Express package, errors included; a package with an
 * authorization server of its own stays on the frozen copy as a whole, because its middleware only knows the frozen error classes.
 */
export function authHome(files: readonly TypeScriptFile[]): 'express' | 'legacy' | 'none' {
  let used = false;
  for (const file of files) {
    for (const binding of importBindings(file)) {
      if (!fromAuth(binding)) continue;
      used = true;
      if (MAINTAINED.has(binding.name)) continue;
      if (isErrorClass(binding.name) && canConvert(file, binding)) continue;
      return 'legacy';
    }
  }
  return used ? 'express' : 'none';
}

/** Target module of a name for packages whose home is Express; `undefined` leaves it where the codemod puts it. */
export const expressRoute = (name: string): string | undefined => (MAINTAINED.has(name) && isExported(EXPRESS, name) ? EXPRESS : undefined);

/** Error classes of the frozen copy become `OAuthError` with a code: the maintained middleware answers 500 to anything else. */
export function repairAuthErrors(file: TypeScriptFile): {
  readonly edits: readonly TextEdit[];
  readonly remove: readonly ImportBinding[];
  readonly add: readonly ReturnType<(typeof ImportNeed)['parse']>[];
} {
  const edits: TextEdit[] = [];
  const remove: ImportBinding[] = [];
  for (const binding of importBindings(file)) {
    if (!fromAuth(binding) || !isErrorClass(binding.name)) continue;
    const declaration = file.bindings.root.values.get(binding.local);
    if (!declaration || !canConvert(file, binding)) continue;
    const code = `OAuthErrorCode.${binding.name.replace(/Error$/, '')}`;
    for (const use of referencesOf(declaration, file)) {
      edits.push({ ...file.span(use), text: 'OAuthError' });
      if (ts.isNewExpression(use.parent)) {
        const open = use.parent.arguments?.pos;
        if (open === undefined) edits.push({ start: use.parent.end, end: use.parent.end, text: `(${code}, '')` });
        else edits.push({ start: open, end: open, text: (use.parent.arguments?.length ?? 0) === 0 ? `${code}, ''` : `${code}, ` });
      } else if (ts.isBinaryExpression(use.parent)) {
        edits.push(
          { start: use.parent.getStart(file.tree), end: use.parent.getStart(file.tree), text: '(' },
          { start: use.parent.end, end: use.parent.end, text: ` && ${file.textOf(use.parent.left)}.code === ${code})` },
        );
      }
    }
    remove.push(binding);
  }
  const add = remove.length === 0 ? [] : ['OAuthError', 'OAuthErrorCode'].map((name) => ({ kind: 'import' as const, file: file.path, module: SERVER, name }));
  return { edits, remove, add };
}

/** A verifier of the frozen copy next to the maintained middleware: found in code that is on v2 already. */
export function mixesAuthErrors(files: readonly TypeScriptFile[]): boolean {
  const bindings = files.flatMap((file) => importBindings(file));
  return (
    bindings.some((binding) => binding.specifier === LEGACY && isErrorClass(binding.name)) &&
    bindings.some((binding) => binding.specifier === EXPRESS && binding.name === 'requireBearerAuth')
  );
}
