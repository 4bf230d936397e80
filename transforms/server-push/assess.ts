import type { Assessment, Finding, Inventory, Remedy, WorkItem } from '../../src/core/index.js';

interface Answer {
  readonly remedy: Remedy;
  readonly reason: string;
  readonly todo: readonly string[];
}

const place = (finding: Finding): string => `${finding.site.file}:${finding.site.line}`;

/** Questions to the client: one round is a return and a second run of the handler. */
function questions(findings: readonly Finding[]): Answer {
  const blocked = findings.filter((finding) => finding.data.handler !== true);
  const repeated = findings.filter((finding) => Number(finding.data.before ?? 0) > 0);
  const todo = findings.map(
    (finding) =>
      `${place(finding)}: return \`input_required\`, keep the branch for a refusal${Number(finding.data.before ?? 0) > 0 ? ', and make sure that what stands before the question happens once' : ''}`,
  );
  if (blocked.length > 0)
    return {
      remedy: 'manual',
      reason: `${blocked.map(place).join(', ')}: the question is not a plain statement of a registered handler (it stands in a helper, a branch, a loop or a \`try\`), and only a handler can return it`,
      todo,
    };
  if (repeated.length > 0)
    return {
      remedy: 'manual',
      reason: `${repeated.map(place).join(', ')}: something awaited runs before the question and would run again with every round`,
      todo,
    };
  return {
    remedy: 'manual',
    reason: 'each question is a plain statement of a registered handler and nothing awaited runs before it, so the handler may run again',
    todo,
  };
}

const BY_GROUP: Readonly<Record<string, readonly [remedy: Remedy, reason: string, todo: string]>> = {
  ping: ['manual', 'what a failed ping does (close, restart, count) decides the cure', 'run the heartbeat for the legacy lane only, or delete it'],
  logging: [
    'manual',
    'no message stands in a handler whose request context can be reached; outside of a request there is no one to send it to',
    'log through `ctx.mcpReq.log`; log to stderr outside of requests',
  ],
  'list-changed': [
    'manual',
    'what is enabled must live where every instance and every request sees it, and only its owner knows where that is',
    'keep the toggle outside of the server object and notify listeners with `handler.notify`',
  ],
  'resource-updated': [
    'manual',
    'each notification has one successor, `handler.notify`; several instances need a common bus',
    'notify listeners; connect instances with a notification bus',
  ],
  'json mode': [
    'manual',
    'whether clients need the notifications or the JSON answers is known to the owner of the server',
    'answer by a stream where a handler sends notifications, or take them out',
  ],
  'progress token': [
    'manual',
    'the token comes with the request, which has to be handed on to this place',
    'take the token from `_meta.progressToken` of the request',
  ],
  progress: [
    'manual',
    'no call stands in a handler whose request context can be reached',
    'hand the context of the request on, and send progress with `ctx.mcpReq.notify`',
  ],
};

/** Groups whose messages can go through the context of the request that causes them. */
export const REDIRECTED: ReadonlySet<string> = new Set(['progress', 'logging']);

/** In JSON mode a legacy answer has no stream, so messages of a request would be lost that a standing stream carries now. */
export const jsonModeOf = (item: WorkItem, inventory: Inventory): string | undefined =>
  inventory.endpoints.find((endpoint) => endpoint.package === item.package && endpoint.jsonResponse === 'on')?.id;

/** Steps of a group for the findings that are left to a person. */
export const stepsFor = (group: string, findings: readonly Finding[]): readonly string[] => {
  const todo = BY_GROUP[group]?.[2];
  const handlers = findings.filter((finding) => finding.id.endsWith('/log-level-handler'));
  const others = findings.filter((finding) => !handlers.includes(finding));
  return [
    ...(todo === undefined || others.length === 0 ? [] : [`${others.map(place).join(', ')}: ${todo}`]),
    ...(handlers.length === 0
      ? []
      : [`${handlers.map(place).join(', ')}: keep the handler for the legacy lane only; no level that it stores may decide what a modern request is sent`]),
  ];
};

/** Messages that a handler sends through the server object. */
function redirected(item: WorkItem, findings: readonly Finding[], known: Assessment): Answer | undefined {
  const possible = findings.filter((finding) => finding.data.context === true);
  if (!REDIRECTED.has(item.group) || possible.length === 0) return undefined;
  const json = jsonModeOf(item, known.inventory);
  if (json !== undefined)
    return {
      remedy: 'manual',
      reason: `${json} answers in JSON mode, where the answer of a request has no stream for further messages`,
      todo: stepsFor(item.group, findings),
    };
  const left = findings.filter((finding) => !possible.includes(finding));
  if (left.length === 0) return { remedy: 'automatic', reason: 'each message stands in a handler and goes through the context of its request', todo: [] };
  return {
    remedy: 'guided',
    reason: `${possible.map(place).join(', ')}: sent through the context of the request; the rest stands outside of a request`,
    todo: stepsFor(item.group, left),
  };
}

/** End of the groups of Python pushes: their cures are those of another SDK. */
export const IN_PYTHON = ' in Python';

const PYTHON: Readonly<Record<string, string>> = {
  elicitation:
    'write `async def ask(…) -> Elicit[Model]: return Elicit(message, Model)` in front of the tool and give the tool a parameter `answer: Annotated[ElicitationResult[Model], Resolve(ask)]` (all from `mcp.server.mcpserver`); `ask` takes arguments of the tool by name and must ask the same in every round; what has an effect goes behind the answer',
  sampling:
    'call a model provider from the server (sampling is deprecated), or write `async def ask(…) -> Sample: return Sample([…], max_tokens=…)` and give the tool a parameter `reply: Annotated[CreateMessageResult, Resolve(ask)]`; a loop of questions has no such form',
  roots:
    'take directories from the configuration or from an argument of the tool (roots are deprecated), or write `async def ask() -> ListRoots: return ListRoots()` and give the tool a parameter `roots: Annotated[ListRootsResult, Resolve(ask)]`',
  ping: 'delete it; a request lives as long as its response stream',
  logging:
    'nothing has to change for a message in a handler: SDK 2.x sends it when the request asks for its level; what operators need goes to `logging.getLogger(__name__)`, and a message of a background task goes there alone',
  'list-changed':
    'a handler with `ctx: Context` calls `await ctx.notify_tools_changed()` (prompts, resources likewise) beside it; elsewhere make `bus = InMemorySubscriptionBus()`, give it to `MCPServer(…, subscriptions=bus)` or `Server(…, on_subscriptions_listen=ListenHandler(bus))` and call `await bus.publish(ToolsListChanged())` once, outside of any loop over sessions; the old call stays while old clients exist',
  'resource-updated':
    'a handler with `ctx: Context` calls `await ctx.notify_resource_updated(uri)` beside it; elsewhere make `bus = InMemorySubscriptionBus()`, give it to `MCPServer(…, subscriptions=bus)` or `Server(…, on_subscriptions_listen=ListenHandler(bus))` and call `await bus.publish(ResourceUpdated(uri=str(uri)))` once, outside of any loop over sessions; handlers of `resources/subscribe` stay for old clients',
  lists: 'derive the list from state that every instance sees, and pass a shared bus as `subscriptions=` as soon as there is more than one',
  request: 'return what is needed as `InputRequiredResult(input_requests={…}, request_state=…)` and read `ctx.input_responses`, or drop the message',
};

/** Questions that a resolver asks. */
const BY_RESOLVER: ReadonlySet<string> = new Set(['elicitation', 'sampling', 'roots']);

function pythonAnswer(what: string, findings: readonly Finding[]): Answer {
  const todo = PYTHON[what];
  const open = findings.filter((finding) => finding.impact !== 'none' && finding.data['proved'] !== true);
  const proved = findings.filter((finding) => finding.data['proved'] === true);
  if (proved.length > 0)
    return {
      remedy: open.length === 0 ? 'automatic' : 'guided',
      reason: BY_RESOLVER.has(what)
        ? `${proved.map(place).join(', ')}: the question is the first thing that the tool does and is made of its arguments, so it becomes a parameter that is resolved on both eras`
        : `${proved.map(place).join(', ')}: the notification of the modern era is written beside the old one, which stays while old clients exist`,
      todo: open.length === 0 || todo === undefined ? [] : [`${open.map(place).join(', ')}: ${todo}`],
    };
  return {
    remedy: 'manual',
    reason: 'what the client is told or asked here has another form on 2026-07-28, and which one fits is known to the owner of the handler',
    todo: todo === undefined ? [] : [`${findings.map(place).join(', ')}: ${todo}`],
  };
}

/** Decides how far a group of pushes can be helped, from what was seen at each place. */
export function assess(item: WorkItem, known: Assessment): Answer {
  const own = new Set(item.findings);
  const findings = known.findings.filter((finding) => own.has(finding.fingerprint));
  if (findings.every((finding) => finding.impact === 'none')) return { remedy: 'none', reason: 'nothing has to change; it is listed for the record', todo: [] };
  const direct = redirected(item, findings, known);
  if (direct !== undefined) return direct;
  if (item.group.endsWith(IN_PYTHON)) return pythonAnswer(item.group.slice(0, -IN_PYTHON.length), findings);
  const [remedy, reason] = BY_GROUP[item.group] ?? [];
  if (remedy === undefined || reason === undefined) return questions(findings);
  return { remedy, reason, todo: stepsFor(item.group, findings) };
}
