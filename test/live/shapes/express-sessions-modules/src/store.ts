import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

/** Open transports, by session id. */
export const transports: Record<string, StreamableHTTPServerTransport> = {};
