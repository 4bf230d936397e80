import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { VerifyReport } from '../../src/core/index.js';
import { runChecks, type VerifyOptions } from '../../src/verify/index.js';
import { checks } from '../../transforms/_checks/index.js';

/** Runs all checks against an HTTP handler on a free port. */
export async function judgeHandler(
  handler: (request: IncomingMessage, response: ServerResponse) => unknown,
  options: VerifyOptions = {},
): Promise<VerifyReport> {
  const server = http.createServer((request, response) => void handler(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await runChecks({ transport: 'http', url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp` }, checks, {
      timeout: 3000,
      ...options,
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Verdict of each check. */
export const verdicts = (report: VerifyReport): Readonly<Record<string, string>> =>
  Object.fromEntries(report.results.map((result) => [result.id, result.verdict]));

/** Reads the JSON body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString('utf8');
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Answers with JSON. */
export const reply = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): unknown =>
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
