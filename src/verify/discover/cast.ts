import type { ToolRole } from '../../core/check.js';
import type { CheckRequest } from '../../core/check-step.js';
import { isRecord, type Answer } from '../answer.js';
import { valueAt, valuesAt } from '../evaluate/path.js';
import type { AllowedTool, Settings } from '../options.js';
import { encodeValue, META } from '../protocol.js';
import type { OpenWire, Wire } from '../wire.js';
import { answerInputs, EVERYTHING } from './inputs.js';
import type { CastTool, ToolInfo } from './peer.js';

/** A call that takes longer than this, in milliseconds at normal pace, can be interrupted by a check. */
const SLOW = 1500;
/** Time for a change notification to arrive after a call. */
const ECHO = 150;

/** Words of a tool result that say that the tool tried to ask the client by a request of its own. */
const PUSHED =
  /elicitation\/create|sampling\/createMessage|roots\/list|does not support (form |url )?elicitation|server-to-client|no back-?channel|push(ed)? request/i;

const LISTEN: CheckRequest = {
  method: 'subscriptions/listen',
  params: { notifications: { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true } },
  readFor: ECHO,
};

/**
 * Casts the tools that may be called into the roles of the checks. Each is called twice, with all client capabilities and with none;
 * what it does decides, together with what the user says of it. The first tool of a role keeps it. `first` is a wire that is open already; `announces` says
 * that the server notifies of changes, so that a tool that causes one can be seen.
 */
export async function castTools(
  open: OpenWire,
  first: Wire,
  tools: readonly ToolInfo[],
  settings: Settings,
  announces: boolean,
): Promise<Partial<Record<ToolRole, CastTool>>> {
  const cast: Partial<Record<ToolRole, CastTool>> = {};
  let wire = first;
  for (const allowed of allowedTools(tools, settings)) {
    const info = tools.find((tool) => tool.name === allowed.name);
    const found = await tryOut(wire, allowed, info, settings, announces);
    for (const role of found.roles) cast[role] ??= found.tool;
    if (!found.broken) continue;
    // What it broke must not be blamed on the next one.
    if (wire !== first) await wire.close();
    wire = open();
  }
  if (wire !== first) await wire.close();
  return cast;
}

/** What may be called: named by the user, or harmless by its own account when the user accepts that. */
export function allowedTools(tools: readonly ToolInfo[], settings: Settings): readonly AllowedTool[] {
  const named = new Set(settings.allowTools.map((tool) => tool.name));
  const harmless = tools.filter((tool) => settings.acceptReadOnly === true && tool.readOnly && !named.has(tool.name) && !hasRequired(tool)).slice(0, 20);
  return [...settings.allowTools, ...harmless.map((tool) => ({ name: tool.name, args: {} }))];
}

const hasRequired = (tool: ToolInfo): boolean => valuesAt(tool, 'inputSchema.required[*]').values.length > 0;

async function tryOut(
  wire: Wire,
  allowed: AllowedTool,
  info: ToolInfo | undefined,
  settings: Settings,
  announces: boolean,
): Promise<{ roles: readonly ToolRole[]; tool: CastTool; broken?: boolean }> {
  const roles = new Set<ToolRole>(allowed.does);
  const parameter = info ? annotatedParameter(info, 'string') : undefined;
  const integer = info ? annotatedParameter(info, 'integer') : undefined;
  if (parameter) roles.add('header');
  let tool: CastTool = { ...allowed, ...(parameter ? { parameter } : {}), ...(integer ? { integer } : {}) };
  if (roles.has('slow') || roles.has('observer')) return { roles: [...roles], tool };
  const call: CheckRequest = {
    method: 'tools/call',
    params: { name: allowed.name, arguments: allowed.args },
    headers: mirrored(allowed, [parameter, integer]),
  };
  const generous: CheckRequest = { ...call, capabilities: EVERYTHING, meta: { progressToken: 'trial', [META.logLevel]: 'debug' } };
  const stream = announces ? await wire.exchange(LISTEN, [generous]) : undefined;
  const full = stream?.during[0] ?? (await wire.exchange(generous));
  const bare = await wire.exchange(call);
  if (stream && valuesAt(stream, 'messages[method="notifications/tools/list_changed"]').values.length > 0) roles.add('change');
  if (valuesAt(full, 'messages[method="notifications/progress"]').values.length > 0) roles.add('progress');
  if (valuesAt(full, 'messages[method="notifications/message"]').values.length > 0) roles.add('log');
  if (full.milliseconds > SLOW * settings.pace && full.milliseconds > 200) roles.add('slow');
  if (valueAt(bare, 'error.code') === -32021) roles.add('capability');
  if (full.result !== undefined && valueAt(full, 'result.resultType') === 'complete' && valueAt(full, 'result.isError') !== true) roles.add('plain');
  const asks = inputOf(full);
  if (asks) {
    roles.add('eliciting');
    tool = { ...tool, input: asks };
  } else if (valueAt(full, 'result.isError') === true && PUSHED.test(JSON.stringify(full.result))) roles.add('eliciting');
  const state = valueAt(full, 'result.requestState');
  if (typeof state === 'string') {
    roles.add('state');
    tool = { ...tool, state };
  }
  const capability = valueAt(bare, 'error.data.requiredCapabilities');
  if (isRecord(capability)) tool = { ...tool, capability };
  else if (roles.has('capability')) tool = { ...tool, capability: EVERYTHING };
  return { roles: [...roles], tool, broken: [stream, full, bare].some((answer) => answer?.exited !== undefined || answer?.problem?.kind === 'timeout') };
}

function inputOf(answer: Answer): CastTool['input'] | undefined {
  const requests = valueAt(answer, 'result.inputRequests');
  if (!isRecord(requests)) return undefined;
  const [key] = Object.keys(requests);
  if (key === undefined) return undefined;
  return { key, method: String(valueAt(requests[key], 'method')), answers: answerInputs(requests) };
}

/** `Mcp-Param-*` headers of the arguments. */
function mirrored(tool: AllowedTool, parameters: readonly CastTool['parameter'][]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const parameter of parameters) {
    const value = parameter ? tool.args[parameter.name] : undefined;
    if (parameter && value !== undefined && value !== null)
      headers[`Mcp-Param-${parameter.header}`] = encodeValue(typeof value === 'string' ? value : JSON.stringify(value));
  }
  return headers;
}

/** The first parameter of a type at the root that is mirrored into a header. */
function annotatedParameter(tool: ToolInfo, type: 'string' | 'integer'): CastTool['parameter'] {
  const properties = tool.inputSchema['properties'];
  if (!isRecord(properties)) return undefined;
  for (const [name, schema] of Object.entries(properties)) {
    const header = isRecord(schema) && schema['type'] === type ? schema['x-mcp-header'] : undefined;
    if (typeof header === 'string') return { name, header };
  }
  return undefined;
}
