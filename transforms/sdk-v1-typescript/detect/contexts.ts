import { ts } from 'ts-morph';
import { type TypeScriptFile, declarationOf, importBindings, referencesOf } from '../../../src/languages/typescript/index.js';
import { sdkOf } from '../../_mcp/sdk-table.js';
import { CONTEXT_KEYS, TASK_KEYS, findContexts } from '../contexts.js';
import type { Say } from './typescript.js';

/** A file on v2 reads the new shape; only its leftovers are of interest, and those the other reads of the same variable tell. */
const isOnV2 = (file: TypeScriptFile): boolean => {
  const lines = new Set(importBindings(file).map((binding) => sdkOf(binding.specifier)));
  return lines.has(2) && !lines.has(1);
};

/** Reads of the v1 request context: properties, headers, hand-made log notifications, and places where the context goes on. */
export function detectContexts(file: TypeScriptFile, say: Say): void {
  const contexts = findContexts({ get: (path) => (path === file.path ? file : undefined), has: (path) => path === file.path, paths: [file.path] });
  const injected = importBindings(file).every((binding) => sdkOf(binding.specifier) === undefined);
  const certainty = injected ? ('likely' as const) : ('certain' as const);
  const seen = { old: false };
  const property = (key: string, variable: string, at: ts.Node): void => {
    const target = CONTEXT_KEYS[key];
    if (TASK_KEYS.has(key)) say('removed-symbol', file.span(at), { certainty, data: { name: key, module: 'the request context', advice: 'Remove this use' } });
    if (target === undefined) return;
    seen.old = true;
    say(key === 'authInfo' ? 'identity-read' : 'request-context', file.span(at), {
      certainty,
      data: { property: key, target, variable: variable === 'extra' ? 'ctx' : variable },
    });
  };
  for (const { declaration } of contexts.variables) {
    for (const use of referencesOf(declaration, file)) {
      let node: ts.Node = use;
      while (ts.isParenthesizedExpression(node.parent) || ts.isAsExpression(node.parent) || ts.isNonNullExpression(node.parent)) node = node.parent;
      const access = node.parent;
      const name = memberOf(access, node);
      if (name === undefined || !(Object.hasOwn(CONTEXT_KEYS, name) || TASK_KEYS.has(name))) continue;
      property(name, declaration.name, access);
      followUp(access, file, say, certainty);
    }
  }
  for (const { pattern } of contexts.patterns) {
    for (const element of pattern.elements) {
      const key = (element.propertyName ?? element.name).getText(file.tree);
      if (!Object.hasOwn(CONTEXT_KEYS, key)) continue;
      property(key, 'ctx', element);
      const declaration = ts.isIdentifier(element.name) ? declarationOf(element.name, file) : undefined;
      if (declaration) for (const use of referencesOf(declaration, file)) followUp(use, file, say, certainty);
    }
  }
  if (isOnV2(file) && !seen.old) return;
  for (const { node, into } of contexts.escapes)
    say('forwarded-context', file.span(node), { certainty: 'likely', data: { callee: into.includes('(') ? `\`${into}\`` : into } });
}

/** `extra.signal`, and in types `typeof extra.signal`. */
function memberOf(access: ts.Node, of: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(access) && access.expression === of) return access.name.text;
  return ts.isQualifiedName(access) && access.left === of ? access.right.text : undefined;
}

/** Headers and log notifications hang on what was just read. */
function followUp(node: ts.Node, file: TypeScriptFile, say: Say, certainty: 'certain' | 'likely'): void {
  const name = ts.isPropertyAccessExpression(node) ? node.name.text : file.textOf(node);
  const parent = node.parent;
  if (name === 'requestInfo' && ts.isPropertyAccessExpression(parent) && parent.expression === node && parent.name.text === 'headers') {
    const read = parent.parent;
    if (ts.isElementAccessExpression(read) && read.expression === parent)
      say('request-headers', file.span(read), { certainty, data: { header: file.textOf(read.argumentExpression) } });
  }
  if (
    name === 'sendNotification' &&
    ts.isCallExpression(parent) &&
    parent.expression === node &&
    /['"`]notifications\/message['"`]/.test(parent.arguments[0]?.getText(file.tree) ?? '')
  ) {
    say('raw-log-notification', file.span(node), { certainty });
  }
}
