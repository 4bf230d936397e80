import { describe, expect, it } from 'vitest';
import { factsOfType } from './facts-kit.js';

const HEAD = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
const carts = new Map<string, string[]>();
export const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 'a' });
`;

describe('session ids', () => {
  it('are followed through functions that return them', () => {
    const text = `${HEAD}const sidOf = (req: any) => req.headers['mcp-session-id'];\nexport const of = (req: any) => carts.set(sidOf(req), []);\n`;
    expect(factsOfType('state', text).map(({ symbol }) => symbol?.name)).toEqual(['carts']);
  });

  it('are looked for once in each function, however often the functions return calls of each other', () => {
    const count = 60;
    const name = (index: number): string => `step${String(index % count)}`;
    const functions = Array.from(
      { length: count },
      (_, index) =>
        `function ${name(index)}(x: any): any { if (x) return ${[1, 5, 7, 11, 13, 17].map((by) => `${name(index + by)}(x)`).join(' || ')}; return x; }`,
    );
    const text = `${HEAD}${functions.join('\n')}\nexport const of = (req: any) => carts.set(step0(req), []);\n`;
    // Along every path this would be 6 to the power of 8 visits of a body; the time limit of the test stands for that.
    expect(factsOfType('state', text)).toEqual([]);
  }, 10_000);
});
