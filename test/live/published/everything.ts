import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema, LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { MODERN } from '../peers.js';

/** What one client saw of the reference server, in words that two runs can be compared by. */
export type Seen = Readonly<Record<string, string>>;

const INFO = { name: 'unsession', version: '0.0.0' };
const TIMEOUT = 20_000;

/** Calls of all tools that need nothing but the client; the answers are fixed except for the environment. */
const CALLS: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[] = [
  { name: 'echo', arguments: { message: 'Grüße' } },
  { name: 'add', arguments: { a: 19, b: 23 } },
  { name: 'getTinyImage', arguments: {} },
  { name: 'annotatedMessage', arguments: { messageType: 'error', includeImage: true } },
  { name: 'getResourceReference', arguments: { resourceId: 7 } },
  { name: 'getResourceLinks', arguments: { count: 2 } },
  { name: 'structuredContent', arguments: { location: 'Bergen' } },
];
/** Tools that ask the client back: only the legacy era has a way for that. */
const ASKING: typeof CALLS = [
  { name: 'sampleLLM', arguments: { prompt: 'hello', maxTokens: 5 } },
  { name: 'startElicitation', arguments: {} },
];

const attempt = async (act: () => Promise<string>): Promise<string> =>
  act().catch((error: unknown) => `threw ${error instanceof Error ? error.message : String(error)}`);
const text = (value: unknown): string => JSON.stringify(value);

/** A session of SDK 1.x from `initialize` to DELETE: every tool, progress, log messages, resources, prompts. */
export async function driveLegacySession(url: string): Promise<Seen> {
  const seen: Record<string, string> = {};
  const client = new ClientV1(INFO, { capabilities: { sampling: {}, elicitation: {} } });
  const logged: unknown[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logged.push(params));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    role: 'assistant' as const,
    model: 'none',
    content: { type: 'text' as const, text: 'sampled' },
  }));
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept' as const, content: { color: 'teal', number: 4, pets: 'cats' } }));
  const transport = new TransportV1(new URL(url));
  await client.connect(transport, { timeout: TIMEOUT });
  seen.server = text(client.getServerVersion());
  seen.capabilities = text(client.getServerCapabilities());
  seen.instructions = String(client.getInstructions()?.length);
  seen.session = transport.sessionId === undefined ? 'none' : 'minted';
  seen['tools/list'] = await attempt(async () => (await client.listTools()).tools.map((tool) => tool.name).join(' '));
  for (const call of [...CALLS, ...ASKING])
    seen[`tools/call ${call.name}`] = await attempt(async () => text((await client.callTool(call, undefined, { timeout: TIMEOUT })).content));
  seen['tools/call printEnv'] = await attempt(async () => {
    const { content } = await client.callTool({ name: 'printEnv', arguments: {} });
    return String((content as { text: string }[])[0]?.text.includes('"PATH"'));
  });
  const progress: unknown[] = [];
  seen['tools/call longRunningOperation'] = await attempt(async () => {
    const call = { name: 'longRunningOperation', arguments: { duration: 0.3, steps: 3 } };
    return text((await client.callTool(call, undefined, { timeout: TIMEOUT, onprogress: (report) => void progress.push(report) })).content);
  });
  seen.progress = text(progress);
  seen['logging/setLevel'] = await attempt(async () => text(await client.setLoggingLevel('warning')));
  await new Promise((resolve) => setTimeout(resolve, 200));
  seen.logged = text(logged);
  seen['resources/list'] = await attempt(async () => String((await client.listResources()).resources.length));
  seen['resources/read'] = await attempt(async () => text(await client.readResource({ uri: 'test://static/resource/1' })));
  seen['prompts/list'] = await attempt(async () => (await client.listPrompts()).prompts.map((prompt) => prompt.name).join(' '));
  seen['prompts/get'] = await attempt(async () => text(await client.getPrompt({ name: 'simple_prompt' })));
  const session = transport.sessionId;
  seen.delete = await attempt(async () => (await transport.terminateSession(), 'ok'));
  await client.close();
  const after = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': session ?? '',
      'mcp-protocol-version': '2025-06-18',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  await after.text();
  seen['after delete'] = after.status >= 400 ? 'refused' : String(after.status);
  return seen;
}

/** A client of SDK 2.x that insists on the modern revision: discovery, every tool, progress of a call. */
export async function driveModern(url: string): Promise<Seen> {
  const seen: Record<string, string> = {};
  const client = new ClientV2(INFO, { capabilities: { sampling: {}, elicitation: {} }, versionNegotiation: { mode: { pin: MODERN } } });
  const transport = new TransportV2(new URL(url));
  await client.connect(transport, { timeout: TIMEOUT });
  seen.server = text(client.getServerVersion());
  seen.session = transport.sessionId === undefined ? 'none' : 'minted';
  seen['tools/list'] = await attempt(async () => (await client.listTools()).tools.map((tool) => tool.name).join(' '));
  for (const call of CALLS) seen[`tools/call ${call.name}`] = await attempt(async () => text((await client.callTool(call, { timeout: TIMEOUT })).content));
  const progress: unknown[] = [];
  seen['tools/call longRunningOperation'] = await attempt(async () => {
    const call = { name: 'longRunningOperation', arguments: { duration: 0.3, steps: 3 } };
    return text((await client.callTool(call, { timeout: TIMEOUT, onprogress: (report) => void progress.push(report) })).content);
  });
  seen.progress = text(progress);
  seen['resources/read'] = await attempt(async () => text((await client.readResource({ uri: 'test://static/resource/1' })).contents));
  seen['prompts/get'] = await attempt(async () => text((await client.getPrompt({ name: 'simple_prompt' })).messages));
  await client.close();
  return seen;
}
