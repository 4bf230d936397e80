/** What a method of the earlier revisions is for; names and fates from the changelog of 2026-07-28. */
export type MethodRole = 'initialize' | 'initialized' | 'ping' | 'removed' | 'question' | 'pushed' | 'task';

const ROLES: Readonly<Record<string, MethodRole>> = {
  initialize: 'initialize',
  'notifications/initialized': 'initialized',
  ping: 'ping',
  'logging/setLevel': 'removed',
  'resources/subscribe': 'removed',
  'resources/unsubscribe': 'removed',
  'notifications/roots/list_changed': 'removed',
  'elicitation/create': 'question',
  'sampling/createMessage': 'question',
  'roots/list': 'question',
  'notifications/message': 'pushed',
  'notifications/tools/list_changed': 'pushed',
  'notifications/prompts/list_changed': 'pushed',
  'notifications/resources/list_changed': 'pushed',
  'notifications/resources/updated': 'pushed',
  'notifications/elicitation/complete': 'pushed',
  'notifications/tasks/status': 'task',
  'tasks/get': 'task',
  'tasks/list': 'task',
  'tasks/result': 'task',
  'tasks/cancel': 'task',
};

/** Role of a method that the modern revision changed or removed; `undefined` for all others. */
export const roleOfMethod = (method: string): MethodRole | undefined => (Object.hasOwn(ROLES, method) ? ROLES[method] : undefined);

const INSTEAD: Readonly<Record<string, string>> = {
  initialize: '`server/discover` and `_meta` in each request',
  'notifications/initialized': 'nothing: every request stands alone',
  ping: 'nothing',
  'logging/setLevel': 'the log level in `_meta` of each request',
  'resources/subscribe': '`subscriptions/listen` with `resourceSubscriptions`',
  'resources/unsubscribe': 'closing the `subscriptions/listen` stream',
  'notifications/roots/list_changed': 'nothing: roots are asked for in a result',
  'notifications/elicitation/complete': 'nothing: the retry of the request tells the outcome',
  'notifications/message': 'the same on the stream of a request that names a log level',
  'notifications/tasks/status': '`notifications/tasks` of the Tasks extension',
};

/** Requests of clients that the revision keeps. */
const STAYS = /^(?:tools\/(?:list|call)|prompts\/(?:list|get)|resources\/(?:list|read|templates\/list)|completion\/complete)$/;

/** What a modern peer uses instead of a method, for messages. */
export const insteadOf = (method: string): string =>
  INSTEAD[method] ??
  (STAYS.test(method)
    ? 'the same method, with `_meta` in each request'
    : method.startsWith('notifications/')
      ? '`subscriptions/listen`'
      : method.startsWith('tasks/')
        ? 'the Tasks extension'
        : '`input_required` results');

/** Methods whose mere name is MCP, whichever dispatcher they stand in. */
export const isMcpMethod = (text: string): boolean =>
  /^(?:tools|prompts|resources|completion|sampling|elicitation|roots|logging|tasks)\/[\w/]+$|^server\/discover$|^subscriptions\/listen$|^notifications\/[\w/]+$/.test(
    text,
  );
