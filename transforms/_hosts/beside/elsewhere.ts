import { ts } from 'ts-morph';
import type { Reason, RewriteContext, Site } from '../../../src/core/index.js';
import { type TypeScriptFile, dependencies, eachNode } from '../../../src/languages/typescript/index.js';
import { calledMember, receiverOf } from '../../_mcp/typescript/nodes.js';
import { isUrlish } from '../paths.js';
import { decisionsByPath } from './decisions.js';

/** Files of a server that are read: more than any has that was seen. */
const MAX_FILES = 400;

/** A stretch of a file, in characters. */
export interface Settled {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** The stretch of a node. */
export const settledBy = (node: ts.Node, file: TypeScriptFile): Settled => ({ file: file.path, start: node.getStart(file.tree), end: node.end });

/**
 * Places that tell requests of the old path from others, outside of its routes: `req.path === '/mcp'`, a list of guarded paths, a pattern
 * that middleware is registered for. A new path would pass them by, so a check of who may call would not run for it.
 * Whatever names the old path is such a place, unless it is shown to be something else: a route of the endpoint, a prefix that the new path
 * lies below, a text for people or the address of a client.
 *
 * @param start files of the routes
 * @param settled code whose meaning for the new path is known: routes that stay, the test of a branch that gets a sibling, middleware that is said again
 */
export function namedElsewhere(
  { old, fresh }: { readonly old: string; readonly fresh: string },
  host: string,
  start: readonly TypeScriptFile[],
  settled: readonly Settled[],
  context: RewriteContext,
): readonly Site[] {
  /** `use` of Express runs for everything below its path; that of Hono for the path alone. */
  const prefix = host === 'express' && fresh.startsWith(`${old}/`);
  const excused = (node: ts.Node, file: TypeScriptFile): boolean =>
    settled.some((range) => range.file === file.path && range.start <= node.getStart(file.tree) && node.end <= range.end) ||
    isSaidOrSent(node, prefix, file) ||
    isBeginningOfBoth(node, old, fresh, file);
  const found: Site[] = [];
  const constants = new Set<string>();
  const files = around(start, context);
  for (const file of files) {
    eachNode(file.tree, (node) => {
      if (ts.isStringLiteralLike(node) ? !namesOnly(node.text, old, fresh) : !(ts.isRegularExpressionLiteral(node) && matchesOnly(node.text, old, fresh)))
        return;
      const holder = node.parent;
      if (ts.isVariableDeclaration(holder) && holder.initializer === node && ts.isIdentifier(holder.name)) constants.add(holder.name.text);
      else if (!excused(node, file)) found.push(file.site(node));
    });
  }
  for (const file of constants.size === 0 ? [] : files)
    eachNode(file.tree, (node) => {
      if (!ts.isIdentifier(node) || !constants.has(node.text)) return;
      const holder = node.parent;
      if (ts.isImportSpecifier(holder) || ts.isExportSpecifier(holder) || (ts.isVariableDeclaration(holder) && holder.name === node)) return;
      if (!excused(node, file)) found.push(file.site(node));
    });
  for (const file of files)
    found.push(
      ...decisionsByPath({ old, fresh }, file)
        .filter((node) => !excused(node, file))
        .map((node) => file.site(node)),
    );
  return [...new Map(found.map((site) => [`${site.file}:${String(site.line)}`, site])).values()];
}

/** The reason why no endpoint is added at a new path. */
export const besidePathChecks = (fresh: string, sites: readonly Site[]): Reason => ({
  why: `code outside of the routes decides by the path, and a check there would not run for ${fresh}`,
  next: `Let the check cover ${fresh} too, e.g. with app.use for a prefix, or add the modern route by hand behind the same checks.`,
  sites,
});

/** The files of a server: those of its routes, who imports them outside of tests, and what all of them import. */
function around(start: readonly TypeScriptFile[], context: RewriteContext): readonly TypeScriptFile[] {
  const files = new Map<string, TypeScriptFile>();
  const has = (path: string): boolean => context.exists(path);
  const tests = new Set(context.findings.filter(({ role }) => role === 'test').map(({ site }) => site.file));
  const above = start
    .flatMap(({ path }) => context.importersOf(path))
    .filter((path) => !tests.has(path) && !/(?:^|\/)(?:tests?|__tests__|e2e)\/|\.(?:test|spec)\./.test(path));
  const queue = [...start.map(({ path }) => path), ...above];
  for (let path = queue.pop(); path !== undefined && files.size < MAX_FILES; path = queue.pop()) {
    const file = files.has(path) ? undefined : context.file('typescript', path);
    if (file === undefined) continue;
    files.set(path, file);
    queue.push(...dependencies(file, has));
  }
  return [...files.values()];
}

/** A text that is the old path, its end, or its beginning with a query, and is none of these for the new one. */
const namesOnly = (text: string, old: string, fresh: string): boolean =>
  text.length > 1 && text.startsWith('/') && (old.endsWith(text) ? !fresh.endsWith(text) : [`${old}?`, `${old}#`, `${old}/`].includes(text));

/** A pattern that takes the old path and not the new one. Patterns about other things seldom name the last part of the path. */
function matchesOnly(literal: string, old: string, fresh: string): boolean {
  const end = literal.lastIndexOf('/');
  const last = old.split('/').filter(Boolean).at(-1) ?? '';
  if (!literal.includes(last)) return false;
  try {
    const pattern = new RegExp(literal.slice(1, end), literal.slice(end + 1).replace(/[gy]/g, ''));
    return pattern.test(old) && !pattern.test(fresh);
  } catch {
    return true;
  }
}

/** `req.path.startsWith('/mcp')`: true for both paths. */
function isBeginningOfBoth(node: ts.Node, old: string, fresh: string, file: TypeScriptFile): boolean {
  const call = node.parent;
  if (!ts.isStringLiteralLike(node) || !ts.isCallExpression(call) || calledMember(call) !== 'startsWith') return false;
  const receiver = receiverOf(call);
  return receiver !== undefined && isUrlish(receiver, file) && old.startsWith(node.text) && fresh.startsWith(node.text);
}

/** Registrations for methods that the modern endpoint refuses by itself: whatever they check, no request of the new path needs it. */
const BODILESS = /\.(?:get|delete|head)$/;

/** Prefix middleware of Express covers what lies below it; log lines, addresses and routes for GET or DELETE check nothing. */
function isSaidOrSent(node: ts.Node, prefix: boolean, file: TypeScriptFile): boolean {
  const holder = node.parent;
  if (ts.isImportDeclaration(holder) || ts.isExportDeclaration(holder) || ts.isTemplateSpan(holder)) return true;
  if (ts.isNewExpression(holder)) return file.textOf(holder.expression) === 'URL';
  if (!ts.isCallExpression(holder)) return false;
  const callee = file.textOf(holder.expression);
  if (/\b(?:console|log|logger)\b/.test(callee) || /(?:^|\.)fetch$/.test(callee)) return true;
  if (!ts.isStringLiteralLike(node) || holder.arguments[0] !== node) return false;
  return (BODILESS.test(callee) && holder.arguments.length > 1) || (callee.endsWith('.use') && prefix);
}
