import { ts } from 'ts-morph';
import { type ModuleRequest, type TypeScriptFile, importBindings } from '../../../src/languages/typescript/index.js';
import { isDeepImport, isUnmapped, modulesOf, sdkOf, targetOf, v1Module } from '../../_mcp/sdk-table.js';
import type { SdkKind } from '../kinds.js';
import { handoverOf } from '../handover.js';
import { experimentalUses } from '../removed.js';
import { namedModules } from '../requests.js';
import { wrapperOf } from '../wrappers.js';
import type { Say } from './typescript.js';

const SDK_V1 = '@modelcontextprotocol/sdk';
const LEGACY_AUTH = '@modelcontextprotocol/server-legacy/auth';

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** Packages in words; the shared types of v1 are in both halves of v2. */
function targetText(request: ModuleRequest): string {
  const named = request.names.filter((name) => name !== '*' && name !== 'default');
  const server = new Set(named.flatMap((name) => moved(request.specifier, name)));
  const modules = server.size > 0 ? [...server] : modulesOf(request.specifier, 'server');
  return modules.length === 0 ? 'the v2 packages' : code([...modules].sort());
}

function moved(specifier: string, name: string): readonly string[] {
  const project = v1Module(specifier)?.includes('/client/') ? 'client' : 'server';
  const target = targetOf(specifier, name, project);
  return target.status === 'moved' ? [target.module] : [];
}

const isAuth = (specifier: string): boolean => /\/server\/auth\/(?!types)/.test(v1Module(specifier) ?? '');

function kindOf(request: ModuleRequest): SdkKind {
  if (request.form === 'mock') return 'mock-path';
  if (request.form === 'resolve') return 'resolved-path';
  if (isDeepImport(request.specifier)) return 'deep-import';
  if (isUnmapped(request.specifier)) return 'unmapped-import';
  if (isAuth(request.specifier)) return 'auth-helper';
  return 'sdk-import';
}

const ADVICE: Readonly<Record<string, string>> = {
  InMemoryEventStore: 'Leave it: it is an example of the SDK, and the migration writes the class into the project',
  WebSocketClientTransport: 'Use `StreamableHTTPClientTransport`, or keep a transport of your own',
};

/** What `@modelcontextprotocol/express` exports of the auth modules of v1. Source: its declarations in 2.0. */
const IN_EXPRESS: ReadonlySet<string> = new Set([
  'requireBearerAuth',
  'mcpAuthMetadataRouter',
  'getOAuthProtectedResourceMetadataUrl',
  'OAuthTokenVerifier',
  'BearerAuthMiddlewareOptions',
  'AuthMetadataOptions',
]);

/** Where a name of the auth modules goes: the checks, the errors that they understand, and the authorization server that v2 lacks. */
function authAdvice(name: string): string {
  if (IN_EXPRESS.has(name))
    return 'Import it from `@modelcontextprotocol/express`; verifiers throw `OAuthError` with an `OAuthErrorCode` of `@modelcontextprotocol/server`';
  if (name.endsWith('Error'))
    return 'Throw `OAuthError` with an `OAuthErrorCode`, both of `@modelcontextprotocol/server`; with the frozen copy of the routes, keep its own error classes';
  return 'It belongs to an authorization server, which SDK v2 does not have: keep the frozen copy for now, and plan for an identity provider or a library that issues tokens';
}

/** Imports, requires, mocks, paths and hand-made declarations of SDK v1, and the names among them that v2 lacks. */
export function detectImports(file: TypeScriptFile, say: Say): void {
  const stuck = handoverOf(file).stuck[0];
  let told = false;
  for (const request of namedModules(file)) {
    if (sdkOf(request.specifier) !== 1) continue;
    const kind = kindOf(request);
    const names = request.names.filter((name) => name !== '*' && name !== 'default');
    const first = names[0] ?? request.specifier;
    say(kind, file.span(request.literal), {
      data: {
        module: request.specifier,
        names: names.length > 0 ? `: ${code(names)}` : '',
        name: first,
        target: targetText(request),
        advice: kind === 'auth-helper' ? authAdvice(first) : (ADVICE[first] ?? 'Replace it by what the v2 packages export, or by code of your own'),
        // Read by `assess`: the item cannot be done when zod has to stay on 3.
        ...(stuck ? { stuck: file.site(stuck).line } : {}),
      },
    });
    if (!told && request.form !== 'type') {
      told = true;
      // Kept only when the manifests above the file name other packages, and not this one.
      say('undeclared-import', file.span(request.literal), {
        certainty: 'likely',
        data: { module: request.specifier, package: SDK_V1, target: targetText(request) },
      });
    }
    if (kind !== 'sdk-import' && kind !== 'auth-helper') continue;
    for (const name of names) {
      if (name === 'ErrorCode' || name === 'IsomorphicHeaders') continue;
      if (targetOf(request.specifier, name, 'server').status === 'moved') continue;
      say('removed-symbol', file.span(request.node), {
        data: { name, module: request.specifier, advice: ADVICE[name] ?? 'Remove this use, or replace it by code of your own' },
      });
    }
  }
  for (const statement of file.tree.statements) {
    if (!ts.isModuleDeclaration(statement) || !ts.isStringLiteral(statement.name) || sdkOf(statement.name.text) !== 1) continue;
    if (!isAugmentation(file)) say('type-shim', file.span(statement.name), { data: { module: statement.name.text } });
  }
  for (const use of experimentalUses(file))
    say('removed-symbol', file.span(use.name), {
      data: { name: 'experimental', module: file.textOf(use.expression), advice: 'SDK v2 has no experimental tasks: remove this use' },
    });
  detectPublicApi(file, say);
  detectMixedAuth(file, say);
  const wrapped = wrapperOf(file);
  if (wrapped)
    say('wrapped-sdk', file.span(wrapped.request.literal), {
      data: {
        wrapper: wrapped.request.specifier,
        product: wrapped.product,
        advice:
          wrapped.v2From === undefined
            ? `Its newest version was on SDK v1 on ${wrapped.checked}.`
            : `Use version ${wrapped.v2From} or later of it, which is on SDK v2 (looked at on ${wrapped.checked}).`,
      },
    });
}

/** A module that imports or exports something only adds to the types of the SDK; a script declares them anew. */
const isAugmentation = (file: TypeScriptFile): boolean =>
  file.tree.statements.some((statement) => ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement) || ts.isExportAssignment(statement));

function detectPublicApi(file: TypeScriptFile, say: Say): void {
  for (const request of namedModules(file)) {
    if (request.form !== 'reexport' || sdkOf(request.specifier) !== 1) continue;
    say('public-api', file.span(request.node), {
      data: { name: request.names.filter((name) => name !== '*').join(', ') || 'everything of ' + request.specifier },
      certainty: 'possible',
    });
  }
  const sdk = new Set(importBindings(file).flatMap((binding) => (sdkOf(binding.specifier) === 1 ? [binding.local] : [])));
  for (const statement of file.tree.statements) {
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier || !statement.exportClause || !ts.isNamedExports(statement.exportClause)) continue;
    for (const element of statement.exportClause.elements) {
      const name = (element.propertyName ?? element.name).text;
      if (sdk.has(name)) say('public-api', file.span(element), { data: { name }, certainty: 'possible' });
    }
  }
}

/** In code that is on v2 already: the frozen error classes next to the maintained middleware. */
function detectMixedAuth(file: TypeScriptFile, say: Say): void {
  const bindings = importBindings(file);
  if (!bindings.some((binding) => binding.specifier === '@modelcontextprotocol/express' && binding.name === 'requireBearerAuth')) return;
  for (const request of namedModules(file)) {
    if (request.specifier !== LEGACY_AUTH) continue;
    for (const name of request.names)
      if (name.endsWith('Error') && name !== 'OAuthError')
        say('legacy-auth-error', file.span(request.literal), { data: { name, member: name.replace(/Error$/, '') } });
  }
}
