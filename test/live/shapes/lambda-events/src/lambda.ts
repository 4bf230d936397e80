import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { z } from 'zod';

function openWeighbridge(): McpServer {
  const server = new McpServer({ name: 'weighbridge', version: '1.4.0' });
  server.registerTool('net_weight', { description: 'Load of a cart', inputSchema: { gross: z.number(), tare: z.number() } }, async ({ gross, tare }) => ({
    content: [{ type: 'text', text: `${gross - tare} kg` }],
  }));
  return server;
}

function toRequest(event: APIGatewayProxyEventV2): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(event.headers)) if (value !== undefined) headers.set(name, value);
  const { method } = event.requestContext.http;
  const body = event.body === undefined ? null : event.isBase64Encoded ? Buffer.from(event.body, 'base64') : event.body;
  return new Request(`https://${event.requestContext.domainName}${event.rawPath}`, { method, headers, body });
}

async function toResult(response: Response): Promise<APIGatewayProxyStructuredResultV2> {
  return { statusCode: response.status, headers: { ...Object.fromEntries(response.headers), 'x-weighbridge': 'north' }, body: await response.text() };
}

export const handler = async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
  if (event.rawPath !== '/mcp') return { statusCode: 404, body: 'No such gate' };
  const request = toRequest(event);
  const server = openWeighbridge();
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  try {
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    return await toResult(response);
  } finally {
    await transport.close();
    await server.close();
  }
};
