import { describe, expect, it } from 'vitest';
import { migrated, migratedText } from './migrated.js';

const MCP = "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\n";
const NEW = "const server = new McpServer({ name: 'a', version: '1' });\n";
const bodyOf = (text: string): string => text.slice(text.indexOf(NEW) + NEW.length);

describe('request context', () => {
  it.each([
    [
      'a lone parameter',
      "server.registerTool('t', {}, async (extra) => work(extra.signal));",
      "server.registerTool('t', {}, async (ctx) => work(ctx.mcpReq.signal));",
    ],
    [
      'a name of its own',
      "server.registerTool('t', {}, async (request) => work(request.requestId));",
      "server.registerTool('t', {}, async (request) => work(request.mcpReq.id));",
    ],
    [
      'a shadowed name',
      "server.registerTool('t', {}, async (extra) => [1].map((extra) => extra.signal));",
      "server.registerTool('t', {}, async (ctx) => [1].map((extra) => extra.signal));",
    ],
    [
      'a taken name',
      "server.registerTool('t', {}, async (extra) => { const ctx = 1; return work(extra.signal, ctx); });",
      "server.registerTool('t', {}, async (extra) => { const ctx = 1; return work(extra.mcpReq.signal, ctx); });",
    ],
    [
      'an optional read',
      "server.registerTool('t', {}, async (extra) => work(extra?.authInfo?.token));",
      "server.registerTool('t', {}, async (ctx) => work(ctx?.http?.authInfo?.token));",
    ],
    [
      'a read by text',
      "server.registerTool('t', {}, async (extra) => work(extra['sendNotification']));",
      "server.registerTool('t', {}, async (ctx) => work(ctx.mcpReq.notify));",
    ],
    [
      'shorthand use',
      "server.registerTool('t', {}, async ({ signal }) => work({ signal }));",
      "server.registerTool('t', {}, async ({ mcpReq }) => work({ signal: mcpReq.signal }));",
    ],
    [
      'the session id, which stays',
      "server.registerTool('t', {}, async (extra) => work(extra.sessionId));",
      "server.registerTool('t', {}, async (ctx) => work(ctx.sessionId));",
    ],
  ])('follows %s', (_name, before, after) => {
    expect(bodyOf(migratedText(MCP + NEW + before))).toBe(after);
  });

  it('gives a type that is written in place the shape of v2', () => {
    const text =
      "server.registerTool('t', config, async (args, extra: { signal?: AbortSignal; requestId: string | number; sessionId?: string }) => work(extra.signal, extra.requestId));";
    expect(bodyOf(migratedText(MCP + NEW + text))).toBe(
      "server.registerTool('t', config, async (args, ctx: { mcpReq: { signal?: AbortSignal; id: string | number }; sessionId?: string }) => work(ctx.mcpReq.signal, ctx.mcpReq.id));",
    );
    const identity = "server.registerTool('t', config, async (args, extra: { authInfo?: AuthInfo }) => work(extra.authInfo));";
    expect(bodyOf(migratedText(MCP + NEW + identity))).toContain('ctx: { http?: { authInfo?: AuthInfo } }) => work(ctx.http?.authInfo)');
  });

  it('follows an alias of another file and a handler in a table', () => {
    const { outcome, texts } = migrated({
      'caller.ts':
        "import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';\nexport type Caller = RequestHandlerExtra<never, never>;\n",
      'berth.ts':
        "import type { Caller } from './caller.js';\nasync function run(args: object, extra: Caller) { return work(extra.signal); }\nexport const berth = { name: 'berth', handler: run };\n",
      'tools.ts': "export { berth } from './berth.js';\nexport type { Caller } from './caller.js';\n",
      'server.ts': `${MCP}import { berth } from './tools.js';\nimport type { Caller } from './tools.js';\n${NEW}server.registerTool('t', config, (args, extra: Caller) => berth.handler(args, extra));`,
    });
    expect(outcome).toBe('rewrite');
    expect(texts['berth.ts']).toContain('(args: object, ctx: Caller) { return work(ctx.mcpReq.signal); }');
    expect(texts['server.ts']).toContain('(args, ctx: Caller) => berth.handler(args, ctx)');
  });

  it('marks a type of the project, which others may use', () => {
    const text = "import type { Caller } from './caller.js';\nserver.registerTool('t', config, async (args, extra: Caller) => work(extra.signal));";
    const { texts, todo } = migrated({ 'server.ts': MCP + NEW + text });
    expect(texts['server.ts']).toContain('(args, ctx: Caller) => work(ctx.mcpReq.signal)');
    expect(todo.join()).toContain('written by hand');
  });

  it('leaves a parameter that is no context: the handler gets arguments first', () => {
    const text = "server.registerTool('t', { inputSchema: schema }, async (extra) => work(extra.signal));";
    expect(bodyOf(migratedText(MCP + NEW + text))).toBe(text);
  });

  it('marks an assignment and a rest element instead of breaking them', () => {
    const assigned = migrated({ 'server.ts': `${MCP}${NEW}server.registerTool('t', {}, async (extra) => { extra.authInfo = undefined; return {}; });` });
    expect(assigned.outcome).toBe('scaffold');
    expect(assigned.texts['server.ts']).toContain('authInfo = undefined');
    expect(migrated({ 'server.ts': `${MCP}${NEW}server.registerTool('t', {}, async ({ signal, ...rest }) => work(signal, rest));` }).todo[0]).toContain(
      'sdk-v1-typescript/request-context',
    );
  });

  it('follows a handler into another file, and from there on', () => {
    const { texts, outcome } = migrated({
      'server.ts': `${MCP}import { answer } from './answer.js';\n${NEW}server.registerTool('t', {}, answer);\n`,
      'answer.ts': 'export const answer = async (extra: any) => deeper(extra);\nfunction deeper(request: any) { return request.authInfo; }\n',
    });
    expect(outcome).toBe('rewrite');
    expect(texts['answer.ts']).toBe(
      'export const answer = async (ctx: any) => deeper(ctx);\nfunction deeper(request: any) { return request.http?.authInfo; }\n',
    );
  });
});

describe('headers', () => {
  it('keeps undefined for an absent header where that can be told', () => {
    const text = migratedText(
      `${MCP}${NEW}server.registerTool('t', {}, async (extra) => work(extra.requestInfo?.headers['x-a'], extra.requestInfo?.headers['x-b'] ?? 'none'));`,
    );
    expect(text).toContain("work(ctx.http?.req?.headers.get('x-a') ?? undefined, ctx.http?.req?.headers.get('x-b') ?? 'none')");
  });

  it('does not touch the headers of another request', () => {
    const line = "app.get('/', (req) => work(req.headers['x-a'], extra.http.req.headers['x-b']));";
    expect(bodyOf(migratedText(MCP + NEW + line))).toBe(line);
  });
});

describe('receivers', () => {
  it('leaves methods of the same name on other objects', () => {
    const lines = "rl.prompt('q', (answer, extra) => extra.signal);\nexpress().resource('a', b, (x, extra) => extra.signal);\n";
    const head = "import { createInterface } from 'node:readline';\nimport express from 'express';\nconst rl = createInterface({ input: process.stdin });\n";
    expect(bodyOf(migratedText(head + MCP + NEW + lines))).toBe(lines);
  });

  it('marks a variadic call on an object that nothing is known of', () => {
    expect(migrated({ 'server.ts': `${MCP}${NEW}thing().tool('t', async () => ({}));` }).todo[0]).toContain('sdk-v1-typescript/variadic-registration');
  });

  it('tells annotations from a schema, as v1 did at run time', () => {
    expect(bodyOf(migratedText(`${MCP}${NEW}server.tool('t', 'text', { readOnlyHint: true }, async () => ({}));`))).toBe(
      "server.registerTool('t', { description: 'text', annotations: { readOnlyHint: true } }, async () => ({}));",
    );
  });
});

describe('specifiers', () => {
  it('splits a re-export and a type by package', () => {
    const text = migratedText(
      "export { Tool, CallToolResultSchema, McpError as Fault } from '@modelcontextprotocol/sdk/types.js';\nexport type T = import('@modelcontextprotocol/sdk/types.js').JSONRPCError;\n",
    );
    expect(text).toBe(
      "export { Tool, ProtocolError as Fault } from '@modelcontextprotocol/server';\nexport { CallToolResultSchema } from '@modelcontextprotocol/core';\nexport type T = import('@modelcontextprotocol/server').JSONRPCErrorResponse;\n",
    );
  });

  it('refuses a whole module that goes on as a value', () => {
    const { outcome, why } = migrated({ 'a.ts': "import * as types from '@modelcontextprotocol/sdk/types.js';\nregister(types);\n" });
    expect(outcome).toBe('refuse');
    expect(why).toContain('`types`');
  });

  it('keeps line ends, quotes, tabs and a shebang', () => {
    const before =
      '#!/usr/bin/env node\r\nimport { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"; // first\r\n\r\nif (on) {\r\n\tnew McpServer({ name: "a", version: "1" });\r\n}\r\n';
    expect(migratedText(before)).toBe(before.replace('/sdk/server/mcp.js', '/server'));
  });
});

describe('the item as a whole', () => {
  it('refuses experimental tasks and says where', () => {
    expect(migrated({ 'a.ts': `${MCP}${NEW}server.experimental.tasks.registerToolTask('t', {}, handler);` })).toMatchObject({ outcome: 'refuse' });
  });

  it('changes nothing the second time', () => {
    const once = migratedText(
      `${MCP}${NEW}server.tool('t', async (extra) => helper(extra));\ndeclare function helper(request: { signal: AbortSignal }): object;\n`,
    );
    expect(once).toContain('TODO(unsession)');
    expect(migratedText(once)).toBe(once);
  });
});

describe('an import that the official codemod takes out', () => {
  it('is told, although the codemod cannot say on which line it was', () => {
    const text = `/**
 * Shelves of a seed bank.
 */
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { toJsonSchemaCompat } from '@modelcontextprotocol/sdk/server/zod-json-schema-compat.js';
export const shelf = toJsonSchemaCompat(ResultSchema);
`;
    const { outcome, why } = migrated({ 'package.json': '{}', 'shelves.ts': text });
    expect(outcome).toBe('refuse');
    expect(why).toContain('toJsonSchemaCompat');
  });
});

describe('the status of an HTTP error', () => {
  it.each([
    ['beside the test', 'if (e instanceof StreamableHTTPError && e.code === 404) again();', 'e.status === 404'],
    ['in its branch', 'if (e instanceof StreamableHTTPError) {\n    tell(`status ${e.code}`);\n  }', '${e.status}'],
    ['behind a test that has a name', 'const http = e instanceof StreamableHTTPError;\n  tell(http ? e.code : null);', 'http ? e.status : null'],
    ['not of another error', 'if (e instanceof StreamableHTTPError) again();\n  else tell(e.code);', 'tell(e.code)'],
  ])('%s', (_, code, becomes) => {
    const text = `import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';\ntry {\n  await ask();\n} catch (e) {\n  ${code}\n}\n`;
    expect(migratedText(text)).toContain(becomes);
  });
});
