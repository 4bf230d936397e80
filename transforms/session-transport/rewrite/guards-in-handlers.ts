import { ts } from 'ts-morph';
import type { RewriteContext, Site } from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { handlerCode } from '../handler-code.js';
import { guardsIn } from '../obstacles.js';
import { checksOnTheWay } from '../way.js';
import type { Lane } from './lane.js';

/** A check that a modern request would be served without. */
export interface HandlerCheck {
  readonly site: Site;
  /** In words, for the refusal. */
  readonly what: string;
}

/** Checks in and around the legacy handlers of a lane. */
export function guardsInHandlers(lane: Lane, context: RewriteContext): readonly HandlerCheck[] {
  const open = (path: string): TypeScriptFile | undefined => context.file('typescript', path);
  const files = { has: (path: string) => context.exists(path), open };
  const found = new Map<string, TypeScriptFile>();
  const checks: HandlerCheck[] = [];
  const add = (file: TypeScriptFile | undefined): void => {
    if (file !== undefined && !found.has(file.path)) found.set(file.path, file);
  };
  for (const group of [lane, ...lane.away]) {
    add(group.file);
    for (const { handler } of group.routes) {
      if (handler === undefined) continue;
      add(handlerCode(handler.node, group.file, files)?.file);
      for (const { file, node } of checksOnTheWay(handler.node, group.file, files))
        checks.push({
          site: file.site(node),
          what:
            ts.isCallExpression(node) && !ts.isExpressionStatement(node.parent)
              ? `\`${file.textOf(node.expression)}\` stands around the handler and may do more than call it`
              : `the handler checks the request: ${excerpt(node, file)}`,
        });
    }
  }
  for (const { file } of lane.connects) add(file);
  for (const file of found.values())
    for (const node of guardsIn(file, files.has))
      checks.push({ site: file.site(node), what: `the handler checks or changes the request: ${excerpt(node, file)}` });
  return [...new Map(checks.map((check) => [`${check.site.file}:${String(check.site.span.start)}`, check])).values()];
}

/** The first line of a piece of code, in short. */
function excerpt(node: ts.Node, file: TypeScriptFile): string {
  const line = file.textOf(node).split('\n', 1)[0]?.trim() ?? '';
  return `\`${line.length > 70 ? `${line.slice(0, 70)}…` : line}\``;
}
