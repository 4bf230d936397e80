import type { Server } from 'node:http';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import { freePort } from '../server-process.js';
import { MODERN } from '../peers.js';
import type { Published } from './list.js';

/** What one client saw. */
export interface Seen {
  readonly ok: boolean;
  readonly problem?: string;
  /** Names of the tools, sorted. */
  readonly tools?: string;
  readonly answer?: string;
  readonly session?: 'minted' | 'none';
  /** What became of the session on DELETE. */
  readonly terminated?: string;
  /** A second client at the same time. */
  readonly second?: string;
}

export interface Look {
  readonly legacy: Seen;
  readonly modern: Seen;
}

export type Address =
  | { readonly kind: 'http' | 'sse'; readonly url: string }
  | { readonly kind: 'stdio'; readonly cwd: string; readonly args: readonly string[]; readonly env: Record<string, string> };

const INFO = { name: 'unsession', version: '0.0.0' };
const TIMEOUT = 25_000;

const textOf = (result: unknown): string => ((result as { content?: { text?: string }[] }).content ?? []).map((part) => part.text ?? '').join('\n');
const problemOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 200);

/** Looks at a server as a client of each era: its tools, one call, its session, a second client. */
export async function look(entry: Published, address: Address): Promise<Look> {
  return {
    legacy: await legacy(entry, address).catch((error: unknown) => ({ ok: false, problem: problemOf(error) })),
    modern: await modern(entry, address).catch((error: unknown) => ({ ok: false, problem: problemOf(error) })),
  };
}

const command = (
  address: Extract<Address, { kind: 'stdio' }>,
): { command: string; args: string[]; cwd: string; env: Record<string, string>; stderr: 'ignore' } => ({
  command: process.execPath,
  args: [...address.args],
  cwd: address.cwd,
  env: { ...(process.env as Record<string, string>), ...address.env },
  stderr: 'ignore',
});

async function legacy(entry: Published, address: Address): Promise<Seen> {
  const open: ClientV1[] = [];
  const join = async (): Promise<{ readonly client: ClientV1; readonly transport: Transport }> => {
    const client = new ClientV1(INFO, { capabilities: entry.answers === true ? { elicitation: {} } : {} });
    if (entry.answers === true) client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept' as const, content: { confirmation: 'yes' } }));
    const transport = (
      address.kind === 'stdio'
        ? new StdioV1(command(address))
        : address.kind === 'sse'
          ? // eslint-disable-next-line @typescript-eslint/no-deprecated -- clients of the old transport are what is tested
            new SSEClientTransport(new URL(address.url))
          : new HttpV1(new URL(address.url))
    ) as Transport;
    open.push(client);
    await client.connect(transport, { timeout: TIMEOUT });
    return { client, transport };
  };
  try {
    const { client, transport } = await join();
    const tools = (await client.listTools(undefined, { timeout: TIMEOUT })).tools
      .map((tool) => tool.name)
      .sort()
      .join(' ');
    const answer = textOf(await client.callTool({ name: entry.call.name, arguments: entry.call.arguments }, undefined, { timeout: TIMEOUT }));
    const seen: Seen = {
      ok: entry.call.expect.test(answer),
      tools,
      answer: answer.slice(0, 120),
      ...(entry.call.expect.test(answer) ? {} : { problem: `answered ${answer.slice(0, 120)}` }),
    };
    if (address.kind !== 'http') return seen;
    const second = await join().then(
      async (other) => ((await other.client.listTools(undefined, { timeout: TIMEOUT })).tools.length > 0 ? 'served' : 'no tools'),
      (error: unknown) => problemOf(error),
    );
    const http = transport as Transport & Pick<HttpV1, 'sessionId' | 'terminateSession'>;
    const session = http.sessionId === undefined ? 'none' : 'minted';
    const terminated = session === 'none' ? 'no session' : await http.terminateSession().then(() => 'ended', problemOf);
    return { ...seen, session, terminated, second };
  } finally {
    await Promise.all(open.map((client) => client.close().catch(() => undefined)));
  }
}

async function modern(entry: Published, address: Address): Promise<Seen> {
  if (address.kind === 'sse') return { ok: false, problem: 'HTTP+SSE has no modern form' };
  const client = new ClientV2(INFO, { capabilities: {}, versionNegotiation: { mode: { pin: MODERN } } });
  const transport = address.kind === 'stdio' ? new StdioV2(command(address)) : new HttpV2(new URL(address.url));
  try {
    await client.connect(transport, { timeout: TIMEOUT });
    const tools = (await client.listTools()).tools
      .map((tool) => tool.name)
      .sort()
      .join(' ');
    const answer = textOf(await client.callTool({ name: entry.call.name, arguments: entry.call.arguments }, { timeout: TIMEOUT }));
    const session = transport instanceof HttpV2 && transport.sessionId !== undefined ? 'minted' : 'none';
    return { ok: entry.call.expect.test(answer) && session === 'none', tools, answer: answer.slice(0, 120), session };
  } finally {
    await client.close().catch(() => undefined);
  }
}

/** A legacy server for a proxy to stand in front of. */
export async function upstream(server: Server): Promise<{ readonly server: Server; readonly url: string }> {
  server.on('request', (req, res) => {
    const mcp = new McpServer({ name: 'upstream', version: '1.0.0' });
    mcp.registerTool('echo', { inputSchema: { text: z.string() } }, ({ text }) => ({ content: [{ type: 'text', text: `upstream-echo:${text}` }] }));
    const transport = new StreamableHTTPServerTransport({});
    void mcp.connect(transport as Transport).then(() => transport.handleRequest(req, res));
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${String(port)}/mcp` };
}
