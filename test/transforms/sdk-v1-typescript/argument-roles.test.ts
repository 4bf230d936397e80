import { describe, expect, it } from 'vitest';
import { migrated } from './migrated.js';

const MANIFEST = JSON.stringify({ name: 'quay', dependencies: { '@modelcontextprotocol/sdk': '^1.20.0', zod: '^4.2.0' } });
const HEAD =
  "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nimport { z } from 'zod';\nconst server = new McpServer({ name: 'quay', version: '1' });\n";

/** What becomes of the last line of a server. */
function line(text: string, before = ''): string {
  const { outcome, texts, why } = migrated({ 'package.json': MANIFEST, 'server.ts': `${HEAD}${before}${text}` });
  return outcome === 'rewrite' ? (texts['server.ts']?.slice(texts['server.ts'].lastIndexOf('server.')) ?? '') : why;
}

describe('registrations whose arguments are no literals', () => {
  it.each([
    [
      'a joined description',
      "server.tool('berth', 'One ' + 'berth', { n: z.number() }, run);",
      "{ description: 'One ' + 'berth', inputSchema: z.object({ n: z.number() }) }",
    ],
    [
      'a list of lines',
      "server.tool('berth', ['One', 'berth'].join('\\n'), berth.shape, run);",
      "{ description: ['One', 'berth'].join('\\n'), inputSchema: z.object(berth.shape) }",
    ],
    ['annotations by a name', "server.tool('berth', 'One berth', berthHints, run);", "{ description: 'One berth', annotations: berthHints }"],
    [
      'all five',
      'server.tool(tool.name, tool.about, tool.input, tool.rules, tool.run);',
      '{ description: tool.about, inputSchema: z.object(tool.input), annotations: tool.rules }',
    ],
    ['none', 'server.tool(tool.name, tool.run);', 'server.registerTool(tool.name, {}, tool.run);'],
    [
      'a prompt',
      "server.prompt('berth', about.description, { n: z.string() }, run);",
      "server.registerPrompt('berth', { description: about.description, argsSchema: z.object({ n: z.string() }) }, run);",
    ],
  ])('are told apart: %s', (_name, text, expected) => {
    expect(line(text)).toContain(expected);
  });

  it('are told by the constant that a name stands for', () => {
    const constants = 'const OPEN = `Opens`;\nconst safe = { readOnlyHint: true };\nconst fields = { n: z.number() };\n';
    expect(line("server.tool('berth', OPEN, run);", constants)).toContain('{ description: OPEN }');
    expect(line("server.tool('berth', OPEN, safe, run);", constants)).toContain('{ description: OPEN, annotations: safe }');
    expect(line("server.tool('berth', fields, safe, run);", constants)).toContain('{ inputSchema: fields, annotations: safe }');
  });

  it('leave the context where it is: without a schema it comes first', () => {
    expect(line("server.tool('berth', OPEN, async (extra) => work(extra.signal));", "const OPEN = 'Opens';\n")).toContain(
      'async (ctx) => work(ctx.mcpReq.signal)',
    );
  });

  it('keep the comments between them', () => {
    expect(line("server.tool('berth', OPEN, // for the list\n  fields.shape, run);", "const OPEN = 'Opens';\n")).toBe(
      "server.registerTool('berth', { description: OPEN, // for the list\n  inputSchema: z.object(fields.shape) }, run);",
    );
  });

  it('are refused when nothing tells a text from a schema', () => {
    expect(line("server.tool('berth', what, run);")).toContain('cannot be told apart');
  });
});
