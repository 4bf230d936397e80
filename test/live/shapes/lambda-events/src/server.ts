// Stands for the gateway of the platform: it makes an event of each request, and a response of each result.
import { createServer } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { handler } from './lambda.js';

const gateway = createServer(async (incoming, outgoing) => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const [rawPath = '/', rawQueryString = ''] = (incoming.url ?? '/').split('?');
  const text = Buffer.concat(chunks).toString('utf8');
  const event = {
    version: '2.0',
    rawPath,
    rawQueryString,
    headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
    requestContext: { domainName: String(incoming.headers.host), http: { method: incoming.method ?? 'GET', path: rawPath } },
    ...(text === '' ? {} : { body: text }),
    isBase64Encoded: false,
  } as unknown as APIGatewayProxyEventV2;
  const { statusCode = 200, headers = {}, body = '' } = await handler(event);
  outgoing.writeHead(statusCode, Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])));
  outgoing.end(body);
});

gateway.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
