import { describe, expect, it } from 'vitest';
import { migrated } from './migrated.js';

const MCP = "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nconst server = new McpServer({ name: 'quay', version: '1' });\n";
const notesOf = (texts: Readonly<Record<string, string>>): string => migrated(texts).notes.join('\n');

describe('places that the type check may name', () => {
  it('are tools from a table', () => {
    const text = `${MCP}for (const tool of tools) server.tool(tool.name, tool.description, tool.schema, tool.run);\n`;
    expect(notesOf({ 'server.ts': text })).toContain('it may at server.ts:3)');
    expect(notesOf({ 'server.js': text })).not.toContain('from a table');
    expect(notesOf({ 'server.ts': `${MCP}server.registerTool('berth', {}, run);\n` })).not.toContain('from a table');
  });

  it('are what stands for a server in tests', () => {
    const tests = 'expect(mocks.server.tool.calledOnce).toBe(true);\nmcpServer.tool.mockReturnValue(1);\nexpect(server.tool).toHaveBeenCalled();\n';
    expect(notesOf({ 'server.ts': MCP, 'server.test.ts': tests })).toContain('(server.test.ts:1, server.test.ts:2, server.test.ts:3)');
    expect(notesOf({ 'server.ts': MCP, 'shed.test.ts': 'expect(shed.tool.calledOnce).toBe(true);\nserver.tool.name;\n' })).not.toContain('stands for a server');
  });
});
