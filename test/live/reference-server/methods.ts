import type { Setup } from './options.js';
import { isObject, ProtocolError, REVISION, SERVER_KEY, TASKS, type Json } from './protocol.js';
import { tools, type Call } from './tools.js';

const SERVER = { name: 'reference-shop', version: '1.0.0' };
const PAGE = 6;

export type Method = (call: Call) => Json | Promise<Json>;

/** Capabilities that the server advertises. */
export const capabilities = (setup: Setup): Json => ({
  tools: { listChanged: true },
  resources: { listChanged: true },
  prompts: setup.has('hides-prompts') ? undefined : {},
  completions: setup.has('promises-completions') ? {} : undefined,
  logging: {},
  ...(setup.has('old-tasks-capability') ? { tasks: { list: {} } } : {}),
  ...(setup.options.tasks === true ? { extensions: { [TASKS]: {} } } : {}),
});

const hints = (setup: Setup, page = 1): Json => {
  if (setup.has('no-cache-hints')) return {};
  return {
    ttlMs: setup.has('negative-ttl') ? -1 : setup.has('fractional-ttl') ? 0.5 : setup.has('ttl-as-text') ? '60000' : 60_000,
    cacheScope: setup.has('odd-cache-scope') ? 'shared' : setup.has('scope-differs-by-page') && page > 1 ? 'public' : 'private',
  };
};

function listTools(call: Call): Json {
  const { setup, params } = call;
  if (setup.has('input-on-list') && call.capabilities['elicitation'] !== undefined) return { resultType: 'input_required', inputRequests: {} };
  const rows = tools.map(({ name, inputSchema, annotations }) => ({
    name,
    description: `The tool ${name}.`,
    inputSchema,
    ...(annotations ? { annotations } : {}),
  }));
  if (setup.has('unstable-order') && setup.memory.lists++ % 2 === 1) rows.reverse();
  const page = params['cursor'] === 'page-2' ? 2 : 1;
  if (params['cursor'] !== undefined && page === 1) throw new ProtocolError(-32602, 'Invalid cursor', 200);
  return { tools: page === 1 ? rows.slice(0, PAGE) : rows.slice(PAGE), ...(page === 1 ? { nextCursor: 'page-2' } : {}), ...hints(setup, page) };
}

async function callTool(call: Call): Promise<Json> {
  const { setup, params } = call;
  const tool = tools.find((entry) => entry.name === params['name']);
  if (!tool && setup.has('unknown-tool-succeeds')) return { content: [] };
  if (!tool) throw new ProtocolError(setup.has('unknown-tool-code') ? -32002 : setup.has('implementation-code') ? -32001 : -32602, 'Unknown tool', 200);
  return tool.run(call, isObject(params['arguments']) ? params['arguments'] : {});
}

function readResource(call: Call): Json {
  const { setup, params } = call;
  if (params['uri'] === 'shop://terms')
    return {
      contents: [{ uri: 'shop://terms', mimeType: 'text/plain', text: 'Fair terms.' }],
      ...hints(setup),
      ...(setup.has('odd-scope-on-reads') ? { cacheScope: 'global' } : {}),
    };
  if (setup.has('empty-contents')) return { contents: [], ...hints(setup) };
  throw new ProtocolError(
    setup.has('retired-resource-code') ? -32002 : -32602,
    'Resource not found',
    200,
    setup.has('no-resource-uri') ? undefined : { uri: params['uri'] },
  );
}

function task(call: Call): Json {
  const { setup, capabilities: declared } = call;
  const extensions = declared['extensions'];
  const knows = isObject(extensions) && isObject(extensions[TASKS]);
  if (!knows && !setup.has('tasks-for-all'))
    throw new ProtocolError(-32021, 'Needs the tasks extension', 400, { requiredCapabilities: { extensions: { [TASKS]: {} } } });
  if (setup.has('unknown-task-succeeds')) return { taskId: call.params['taskId'], status: 'working' };
  throw new ProtocolError(-32602, 'Unknown task', 200);
}

/** The methods of the modern revision that this server has. */
export function methods(setup: Setup): Readonly<Record<string, Method>> {
  return {
    ...(setup.has('no-discover')
      ? {}
      : {
          'server/discover': ({ setup: { options } }: Call): Json => ({
            supportedVersions: setup.has('versions-as-text') ? REVISION : [REVISION, ...(setup.has('two-version-lists') ? ['2025-11-25'] : [])],
            capabilities: capabilities(setup),
            ...(setup.has('discover-without-hints') ? {} : hints(setup)),
            ...(setup.has('server-info-in-body') ? { serverInfo: SERVER } : {}),
            ...(options.tasks === true ? { instructions: 'Ask for tasks.' } : {}),
          }),
        }),
    'tools/list': listTools,
    'tools/call': callTool,
    'resources/list': () => ({ resources: [{ uri: 'shop://terms', name: 'terms' }], ...hints(setup) }),
    'resources/templates/list': () => ({ resourceTemplates: [], ...hints(setup) }),
    'resources/read': readResource,
    'prompts/list': () => ({ prompts: [{ name: 'hello', description: 'Greets a customer.' }], ...hints(setup) }),
    'prompts/get': ({ params }) => {
      if (params['name'] === 'hello') return { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }] };
      if (setup.has('unknown-prompt-succeeds')) return { messages: [] };
      throw new ProtocolError(setup.has('invented-code') ? -32050 : -32602, 'Unknown prompt', 200);
    },
    ...(setup.options.tasks === true ? { 'tasks/get': task } : {}),
    ...(setup.has('serves-ping') ? { ping: () => ({}) } : {}),
    ...(setup.has('serves-set-level') ? { 'logging/setLevel': () => ({}) } : {}),
    ...(setup.has('serves-subscribe') ? { 'resources/subscribe': () => ({}), 'resources/unsubscribe': () => ({}) } : {}),
    ...(setup.has('serves-task-list') ? { 'tasks/list': () => ({ tasks: [] }) } : {}),
  };
}

/** Adds what every result of the revision carries. */
export function envelope(setup: Setup, result: Json): Json {
  const { resultType, _meta, ...rest } = result;
  return {
    ...(setup.has('no-result-type') ? {} : { resultType: resultType ?? 'complete' }),
    ...rest,
    _meta: { ...(isObject(_meta) ? _meta : {}), ...(setup.has('no-server-info') ? {} : { [SERVER_KEY]: SERVER }) },
  };
}

export { SERVER };
