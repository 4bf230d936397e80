import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as StreamV1 } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';

/** The revision that the second client insists on. */
export const MODERN = '2026-07-28';

/** A connected client of either era, reduced to what the scripts of the live tests do. */
export interface Peer {
  readonly era: 'legacy' | 'modern';
  tools(): Promise<readonly string[]>;
  /** Texts of the answer, joined by line ends. `ERROR: …` when the tool says `isError`. */
  call(tool: string, input: Record<string, unknown>, onProgress?: () => void): Promise<string>;
  read(uri: string): Promise<string>;
  prompt(name: string, input: Record<string, string>): Promise<string>;
  /** The session id that the server minted, when it did. */
  session(): string | undefined;
  /** Ends the session, when there is one, and the connection. */
  close(): Promise<void>;
}

const TIMEOUT = 20_000;
const INFO = { name: 'unsession', version: '0.0.0' };

const textsOf = (parts: readonly { readonly type?: string; readonly text?: unknown }[]): string =>
  parts.map((part) => (typeof part.text === 'string' ? part.text : '')).join('\n');

/** The part of a tool answer that a script compares. */
function answerOf(result: unknown): string {
  const { content = [], isError } = result as { content?: { type: string; text?: string }[]; isError?: boolean };
  return (isError ? 'ERROR: ' : '') + textsOf(content);
}

const promptOf = (messages: readonly { readonly content: unknown }[]): string => textsOf(messages.map((message) => message.content as { text?: unknown }));

/** A client of the 1.x SDK: it always says `initialize`, and keeps the session id that it gets. */
export async function connectLegacy(url: string): Promise<Peer> {
  const transport = new TransportV1(new URL(url));
  return legacyPeer(
    transport,
    () => transport.sessionId,
    () => transport.terminateSession(),
  );
}

/** A client of the 1.x SDK over HTTP+SSE of 2024-11-05: it opens the stream, and posts to the URL that the stream names. */
export const connectStream = (url: string): Promise<Peer> =>
  legacyPeer(
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- clients of the old transport are what it serves
    new StreamV1(new URL(url)),
    () => undefined,
    () => Promise.resolve(),
  );

// eslint-disable-next-line @typescript-eslint/no-deprecated -- see above
async function legacyPeer(transport: TransportV1 | StreamV1, session: () => string | undefined, end: () => Promise<void>): Promise<Peer> {
  const client = new ClientV1(INFO, { capabilities: {} });
  // The SDK's own class declares optional members without `| undefined`, which `exactOptionalPropertyTypes` refuses.
  await client.connect(transport, { timeout: TIMEOUT });
  return {
    era: 'legacy',
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: async (tool, input, onProgress) =>
      answerOf(await client.callTool({ name: tool, arguments: input }, undefined, { timeout: TIMEOUT, ...(onProgress ? { onprogress: onProgress } : {}) })),
    read: async (uri) => textsOf((await client.readResource({ uri })).contents as { text?: unknown }[]),
    prompt: async (name, input) => promptOf((await client.getPrompt({ name, arguments: input })).messages),
    session,
    close: async () => {
      if (session() !== undefined) await end();
      await client.close();
    },
  };
}

/** A client of the 2.x SDK, pinned: it fails when the server does not speak the modern revision. */
export async function connectModern(url: string): Promise<Peer> {
  const client = new ClientV2(INFO, { capabilities: {}, versionNegotiation: { mode: { pin: MODERN } } });
  const transport = new TransportV2(new URL(url));
  await client.connect(transport, { timeout: TIMEOUT });
  return {
    era: 'modern',
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: async (tool, input, onProgress) =>
      answerOf(await client.callTool({ name: tool, arguments: input }, { timeout: TIMEOUT, ...(onProgress ? { onprogress: onProgress } : {}) })),
    read: async (uri) => textsOf((await client.readResource({ uri })).contents as { text?: unknown }[]),
    prompt: async (name, input) => promptOf((await client.getPrompt({ name, arguments: input })).messages),
    session: () => transport.sessionId,
    close: () => client.close(),
  };
}
