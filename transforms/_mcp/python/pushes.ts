import type { FactOf } from '../../../src/core/index.js';
import { calledName, enclosingFunction, type PyNode, type PythonFile } from '../../../src/languages/python/index.js';
import { decoratorMethods, lastNameOf, receiverOf } from './nodes.js';
import { relationOf } from './paths.js';
import { sdkTypesOf } from './types.js';

type What = FactOf<'push'>['what'];

/** Methods of contexts. `log` helpers are found by name only on something that is called a context. */
const ON_CONTEXT: Readonly<Record<string, What>> = {
  elicit: 'elicitation',
  elicit_url: 'elicitation',
  sample: 'sampling',
  sample_step: 'sampling',
  list_roots: 'roots',
  debug: 'logging',
  info: 'logging',
  warning: 'logging',
  error: 'logging',
  log: 'logging',
  send_notification: 'notification',
  report_progress: 'progress',
};
const ON_SESSION: Readonly<Record<string, What>> = {
  elicit: 'elicitation',
  elicit_form: 'elicitation',
  elicit_url: 'elicitation',
  create_message: 'sampling',
  list_roots: 'roots',
  send_ping: 'ping',
  send_log_message: 'logging',
  send_tool_list_changed: 'list-changed',
  send_prompt_list_changed: 'list-changed',
  send_resource_list_changed: 'list-changed',
  send_resource_updated: 'resource-updated',
  send_progress_notification: 'progress',
  send_request: 'request',
  send_notification: 'notification',
};
/** Names that no other library has: they need no receiver that is known. */
const TELLING: ReadonlySet<string> = new Set([
  'send_tool_list_changed',
  'send_prompt_list_changed',
  'send_resource_list_changed',
  'send_resource_updated',
  'send_log_message',
  'elicit_form',
  'elicit_url',
  'create_message',
  'elicit',
  'report_progress',
]);

/** A message that a server sends on its own initiative. */
export interface PythonPush {
  readonly what: What;
  readonly through: 'request' | 'instance';
  readonly certain: boolean;
}

const CONTEXT = /^(?:_?ctx|_?context|mcp_context|fastmcp_context|tool_context)\d*$/;
const SESSION = /(?:^|_)(?:session)$/;

/** What a call pushes; `undefined` when it sends nothing on its own initiative. Sessions of clients are told apart by their type. */
export function pushOf(call: PyNode, file: PythonFile): PythonPush | undefined {
  const relation = relationOf(file);
  const method = calledName(call, file);
  const receiver = receiverOf(call);
  if (!receiver || method === undefined || (ON_CONTEXT[method] === undefined && ON_SESSION[method] === undefined)) return undefined;
  // `Any` and `None` say nothing.
  const types = sdkTypesOf(receiver, file)
    .map(({ name }) => name)
    .filter((name) => !/^(?:typing\.)?(?:Any|None)$/.test(name));
  const onContext = ON_CONTEXT[method];
  const onSession = ON_SESSION[method];
  if (types.some((name) => /^(?:mcp\.server\.\w+|fastmcp)\.Context$/.test(name)))
    return onContext === undefined ? undefined : { what: onContext, through: 'request', certain: true };
  if (types.includes('mcp.server.session.ServerSession')) return onSession === undefined ? undefined : { what: onSession, through: 'instance', certain: true };
  if (types.some((name) => /^(?:mcp|fastmcp)\.(?:ClientSession|Client)$/.test(name) || name.startsWith('mcp.client.'))) return undefined;
  const name = lastNameOf(receiver, file) ?? '';
  const handed = receiver.kind === 'attribute' && /(?:^|[._])(?:ctx|context|request_context|get_context\(\))\.session$/.test(file.textOf(receiver));
  if (handed && onSession !== undefined) return { what: onSession, through: 'instance', certain: relation.sdk };
  // A library that wraps the SDK hands out contexts of its own, and nothing else is awaited for a log line.
  if (
    onContext !== undefined &&
    CONTEXT.test(name) &&
    call.parent?.kind === 'await' &&
    (relation.sdk || relation.framework || types.some((type) => /\bmcp|mcp\b/i.test(type)))
  )
    return { what: onContext, through: 'request', certain: false };
  // A context of another library (typer, click, discord) is annotated as such; without an annotation the SDK must be near.
  if (types.length > 0 && !types.some((type) => type === 'object' || type.startsWith('@'))) return undefined;
  if (!relation.sdk && !relation.framework) {
    // A helper that is handed the context of a tool imports nothing.
    return TELLING.has(method) && (CONTEXT.test(name) || SESSION.test(name))
      ? { what: onContext ?? onSession ?? 'request', through: 'request', certain: false }
      : undefined;
  }
  if (CONTEXT.test(name) && onContext !== undefined) return { what: onContext, through: 'request', certain: types.length === 0 };
  if (onSession !== undefined && (TELLING.has(method) || ((SESSION.test(name) || name === 'self') && isServerSide(call, file))))
    return { what: onSession, through: 'instance', certain: false };
  return undefined;
}

/** Code that speaks of handlers or server sessions, where a plain `session` is that of a client of the server. */
function isServerSide(call: PyNode, file: PythonFile): boolean {
  if (/\bServerSession\b|\bserver_session\b|\bupstream_session\b/.test(file.text)) return true;
  const fn = enclosingFunction(call);
  return fn !== undefined && decoratorMethods(fn, file).some(({ method }) => /^(?:tool|resource|prompt|call_tool|list_tools)$/.test(method));
}

/** True when the call is a statement of a registered handler, so that the handler can return the question instead. */
export function isHandlerStatement(call: PyNode, file: PythonFile): boolean {
  const fn = enclosingFunction(call);
  if (!fn || !decoratorMethods(fn, file).some(({ method }) => /^(?:tool|call_tool)$/.test(method))) return false;
  let at: PyNode = call;
  while (at.parent && at.parent !== fn) {
    if (/^(?:if_statement|for_statement|while_statement|try_statement|with_statement|conditional_expression|boolean_operator)$/.test(at.parent.kind))
      return false;
    at = at.parent;
  }
  return true;
}
