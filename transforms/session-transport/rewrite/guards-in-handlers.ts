import { ts } from 'ts-morph';
import type { RewriteContext, Site } from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { type Files, handlerCode } from '../handler-code.js';
import { guardsIn, passedIn } from '../obstacles.js';
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
  const files = filesOf(context);
  const checks: HandlerCheck[] = [];
  for (const group of [lane, ...lane.away]) {
    for (const { handler } of group.routes) {
      if (handler === undefined) continue;
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
  for (const file of laneFiles(lane, context))
    for (const node of guardsIn(file, files.has))
      checks.push({ site: file.site(node), what: `the handler checks or changes the request: ${excerpt(node, file)}` });
  return [...new Map(checks.map((check) => [`${check.site.file}:${String(check.site.span.start)}`, check])).values()];
}

/** What the handlers do beside keeping sessions and checking requests, e.g. counting them: requests that are answered in front of them are served without it. */
export const passedByHandlers = (lane: Lane, context: RewriteContext): readonly Site[] =>
  laneFiles(lane, context).flatMap((file) => passedIn(file, (path) => context.exists(path)).map((node) => file.site(node)));

const filesOf = (context: RewriteContext): Files => ({ has: (path) => context.exists(path), open: (path) => context.file('typescript', path) });

/** Files that hold routes, handlers or connects of a lane. */
function laneFiles(lane: Lane, context: RewriteContext): readonly TypeScriptFile[] {
  const files = filesOf(context);
  const handlers = [lane, ...lane.away].flatMap((group) => [
    group.file,
    ...group.routes.flatMap(({ handler }) => (handler === undefined ? [] : (handlerCode(handler.node, group.file, files)?.file ?? []))),
  ]);
  return [...new Map([...handlers, ...lane.connects.map(({ file }) => file)].map((file) => [file.path, file])).values()];
}

/** In words, for a marker in front of the entry; `undefined` when nothing is passed by. */
export function passedTodo(sites: readonly Site[]): string | undefined {
  const places = [...new Set(sites.map(({ file, line }) => `${file}:${String(line)}`))];
  if (places.length === 0) return undefined;
  return `what the old handlers do beside keeping sessions (${places.slice(0, 5).join(', ')}${places.length > 5 ? ', …' : ''}) does not run for modern requests: move it in front of both where it is meant for all`;
}

/** The first line of a piece of code, in short. */
function excerpt(node: ts.Node, file: TypeScriptFile): string {
  const line = file.textOf(node).split('\n', 1)[0]?.trim() ?? '';
  return `\`${line.length > 70 ? `${line.slice(0, 70)}…` : line}\``;
}
