import { describe, expect, it } from 'vitest';
import { migrated, migratedText } from './migrated.js';

const MCP = "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nconst server = new McpServer({ name: 'quay', version: '1' });\n";
const notesOf = (texts: Readonly<Record<string, string>>): string => migrated(texts).notes.join('\n');

describe('places that the type check may name', () => {
  it('are tools from a table', () => {
    const text = `${MCP}for (const tool of tools) server.tool(tool.name, tool.description, tool.schema, tool.run);\n`;
    expect(notesOf({ 'server.ts': text })).toContain('it may at server.ts:3)');
    expect(notesOf({ 'server.js': text })).not.toContain('from a table');
    expect(notesOf({ 'server.ts': `${MCP}server.registerTool('berth', {}, run);\n` })).not.toContain('from a table');
  });

  it('are cast where the entries of the table are seen to differ', () => {
    const loop = "import { z } from 'zod';\nfor (const tool of tools) server.registerTool(tool.name, { inputSchema: z.object(tool.shape) }, tool.run);\n";
    const cast = 'tool.run as unknown as ToolCallback<z.ZodObject>);';
    expect(migratedText(`${MCP}const tools = [moor, sail];\n${loop}`)).toContain(cast);
    expect(
      migratedText(`${MCP}const tools = [moor, sail];\n${loop.replace('for (const tool of tools) ', 'tools.forEach((tool) => ').replace(/;\n$/, ');\n')}`),
    ).toContain(cast.replace(';', ');'));
    for (const same of ['const tools = [moor];', 'const tools: Tool[] = [moor, sail];', 'const tools = load();'])
      expect(migratedText(`${MCP}${same}\n${loop}`)).not.toContain('ToolCallback');
  });

  it('are what stands for a server in tests: one marker for each test', () => {
    const marked = (test: string): number =>
      (migrated({ 'server.ts': MCP, 'server.test.ts': test }).texts['server.test.ts'] ?? '').split('sdk-v1-typescript/variadic-registration').length - 1;
    expect(
      marked(
        'it(() => {\n  expect(mocks.server.tool.calledOnce).toBe(true);\n  mcpServer.tool.mockReturnValue(1);\n});\nexpect(server.tool).toHaveBeenCalled();\n',
      ),
    ).toBe(2);
    expect(marked("const tool = server.tool;\nexpect(tool.calledOnce).toBe(true);\nserver.tool('moor', run);\n")).toBe(1);
    expect(marked("expect(shed.tool.calledOnce).toBe(true);\nserver.tool.name;\nconst tool = server.tool;\nserver.tool('moor', run);\n")).toBe(0);
  });

  it('are codes as types: those of the protocol where the file has no other', () => {
    const codes = (member: string): string =>
      migratedText(
        `import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';\nexport const codeOf = (status: number): ErrorCode => (status === 400 ? ErrorCode.InvalidParams : ErrorCode.${member});\n`,
      );
    expect(codes('InternalError')).toBe(
      "import { ProtocolErrorCode } from '@modelcontextprotocol/server';\nexport const codeOf = (status: number): ProtocolErrorCode => (status === 400 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError);\n",
    );
    expect(codes('RequestTimeout')).toContain('TODO(unsession) sdk-v1-typescript/unmapped-import');
  });
});
