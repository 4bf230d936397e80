import { describe, expect, it } from 'vitest';
import { migrated, migratedText } from './migrated.js';

/** A ferry timetable on the low-level server of SDK v1. `code` stands beside the handlers, which are `list` and `call`. */
const ferry = (
  code: string,
  list: string,
  call = 'async () => ({ content: [] })',
): string => `import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
${code}
const server = new Server({ name: 'ferry', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, ${list});
server.setRequestHandler(CallToolRequestSchema, ${call});
`;
const piers = "const piers = [{ name: 'pier', inputSchema: { type: 'object' } }];";

/** A handler with a name, whose result is widened. */
const many = (before: string): string => `${before}async function list() { return { tools: [{ name: 'pier', inputSchema: { type: 'object' } }] }; }`;

describe('results of request handlers', () => {
  it.each([
    ['tools that are typed elsewhere', piers, 'async () => ({ tools: piers })', 'async () => ({ tools: piers }) as ListToolsResult'],
    [
      'a list that is filled later',
      'const piers = [];\npiers.push(pier);',
      'async () => ({ tools: piers })',
      'async () => ({ tools: piers }) as ListToolsResult',
    ],
    ['tools in shorthand', piers.replace('piers', 'tools'), 'async () => { return { tools }; }', 'return { tools } as ListToolsResult;'],
    [
      'a handler with a name',
      'async function list() { return { tools: [{ name: "pier", inputSchema: { type: "object" } }] }; }',
      'list',
      '}] } as ListToolsResult;',
    ],
    [
      'schemas that are built',
      piers,
      'async () => ({ tools: piers.map((pier) => ({ name: pier.name, inputSchema: pier.inputSchema })) })',
      '})) }) as ListToolsResult',
    ],
  ])('say what they are: %s', (_, code, list, expected) => {
    const text = migratedText(ferry(code, list));
    expect(text).toContain(expected);
    expect(text).toMatch(/import (?:type )?\{[^}]*\bListToolsResult\b[^}]*\} from '@modelcontextprotocol\/server';/);
    expect(migratedText(text)).toBe(text);
  });

  it.each([
    ['tools in place', '', "async () => ({ tools: [{ name: 'pier', inputSchema: { type: 'object' } }] })"],
    ['tools that are typed by the SDK', 'const piers: Tool[] = [];', 'async () => ({ tools: piers })'],
    ['a result that is typed', piers, 'async (): Promise<{ tools: Tool[] }> => ({ tools: piers as Tool[] })'],
    ['tools that are written out with constants', piers.replace("'object'", "'object' as const"), 'async () => ({ tools: piers })'],
    ['a cast that is there', piers, 'async () => ({ tools: piers as Tool[] })'],
    [
      'tools that are made in place',
      "const names = ['pier'];",
      "async () => ({ tools: names.map((name) => ({ name, inputSchema: { type: 'object' as const } })) })",
    ],
  ])('stay as they are: %s', (_, code, list) => {
    expect(migratedText(ferry(code, list))).not.toContain('as ListToolsResult');
  });

  const sail = 'async function sail() { return { content: [{ type: "text", text: "sails" }] }; }';
  it.each([
    ['awaited', sail, 'async () => { return await sail(); }', 'return (await sail()) as CallToolResult;'],
    ['a promise', sail, 'async () => sail()', 'async () => sail() as Promise<CallToolResult>'],
    ['texts in place', '', "async () => ({ content: [{ type: 'text', text: String(Date.now()) }] })", 'text: String(Date.now()) }] })'],
    ['typed', 'async function sail(): Promise<CallToolResult> { return { content: [] }; }', 'async () => sail()', 'async () => sail())'],
  ])('of a call: %s', (_, code, call, expected) => {
    expect(migratedText(ferry(code, 'async () => ({ tools: [] })', call))).toContain(expected);
  });

  const unknown = "import { sail } from './sail.js';";
  it('of a function that nobody knows are awaited, so that the cast fits whatever it gives back', () => {
    expect(migratedText(ferry(unknown, 'async () => ({ tools: [] })', 'async () => sail()'))).toContain('async () => (await sail()) as CallToolResult)');
  });

  it.each([
    ['where a catch would get more than before', unknown, 'async () => { try { return sail(); } catch { return { content: [] }; } }'],
    ['in a function that is not async', unknown, '() => sail()'],
  ])('are told, not cast, %s', (_, code, call) => {
    const { texts, notes } = migrated({ 'server.ts': ferry(code, 'async () => ({ tools: [] })', call) });
    expect(texts['server.ts']).toContain(call);
    expect(notes.join()).toMatch(/it may at server\.ts:\d\)/);
  });

  it('are marked that are JSON-RPC errors: they have to be thrown', () => {
    const sunk =
      "import type { JSONRPCError } from '@modelcontextprotocol/sdk/types.js';\nconst sunk = (): JSONRPCError => ({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'sunk' } });";
    const { texts, todo } = migrated({ 'server.ts': ferry(sunk, 'async () => ({ tools: [] })', 'async () => sunk()') });
    expect(texts['server.ts']).toContain('async () => sunk()');
    expect(todo.join()).toContain('sdk-v1-typescript/narrower-type: throw `new ProtocolError(code, message)`');
  });

  const answer = 'interface Answer { content: { type: string; text: string }[] }\nconst sail = async (): Promise<Answer> => ({ content: [] });\n';
  it('of a handler that names a type of the project get that of the method', () => {
    const text = migratedText(ferry(answer, 'async () => ({ tools: [] })', 'async (): Promise<Answer> => { return sail(); }'));
    expect(text).toContain('async (): Promise<CallToolResult> => { return sail() as Promise<CallToolResult>; }');
    expect(migratedText(text)).toBe(text);
  });

  it('of a handler that names a type from another file get that of the method', () => {
    const call = 'async (): Promise<Answer> => { return sail(); }';
    const { texts } = migrated({
      'server.ts': ferry("import { type Answer, sail } from './answer.js';", 'async () => ({ tools: [] })', call),
      'answer.ts': answer.replace('interface', 'export interface'),
    });
    expect(texts['server.ts']).toContain('async (): Promise<CallToolResult> => { return (await sail()) as CallToolResult; }');
  });

  it('that lack what the method is about are told, not cast', () => {
    const { texts, notes } = migrated({ 'server.ts': ferry('const task = start();', 'async () => ({ tools: [] })', 'async () => ({ task: task.state })') });
    expect(texts['server.ts']).toContain('async () => ({ task: task.state }))');
    expect(notes.join()).toContain('it may at server.ts:6)');
  });

  it('of a handler that names every answer of a server get that of the method', () => {
    const every = "import type { ServerResult } from '@modelcontextprotocol/sdk/types.js';\n";
    const text = migratedText(ferry(every, 'async () => ({ tools: [] })', 'async (): Promise<ServerResult> => ({ content: [] })'));
    expect(text).toContain('async (): Promise<CallToolResult> => ({ content: [] })');
    expect(text).not.toContain('ServerResult');
  });

  it.each([
    ['typed by the SDK', "import type { Tool } from '@modelcontextprotocol/sdk/types.js';\n\nexport const piers: Tool[] = [];\n", false],
    ['not typed', piers.replace('const', 'export const'), true],
  ])('look into the file that a name comes from: %s', (_, text, cast) => {
    const { texts } = migrated({ 'server.ts': ferry("import { piers } from './piers.js';", 'async () => ({ tools: piers })'), 'piers.ts': text });
    expect(texts['server.ts']?.includes('as ListToolsResult')).toBe(cast);
  });

  it.each([
    ['called by others', `${many('')}\nexport const count = async () => (await list()).tools.length;`],
    ['exported', many('export ')],
  ])('are not cast in a function that is %s', (_, code) => {
    const { texts, notes } = migrated({ 'server.ts': ferry(code, 'list') });
    expect(texts['server.ts']).not.toContain('as ListToolsResult');
    expect(notes.join()).toContain('it may at server.ts:');
  });

  it('keep a name of the file apart', () => {
    const text = migratedText(ferry(`${piers}\ninterface ListToolsResult { tools: number }`, 'async () => ({ tools: piers })'));
    expect(text).toContain('as SdkListToolsResult');
    expect(text).toContain('ListToolsResult as SdkListToolsResult');
  });

  it('have no types in JavaScript', () => {
    const text = migrated({ 'server.js': ferry(piers, 'async () => ({ tools: piers })').replace(/, type \w+/g, '') }).texts['server.js'];
    expect(text).toContain("'tools/list', async () => ({ tools: piers })");
  });
});
