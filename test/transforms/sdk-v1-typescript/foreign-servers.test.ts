import { describe, expect, it } from 'vitest';
import { migrated } from './migrated.js';

/** A lighthouse that serves somebody else's server over the transport of SDK v1. */
const lighthouse = (body: string): string => `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createChart, wrapServer } from 'harbour-charts';

const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
${body}
`;

describe('servers that another package builds', () => {
  it.each([
    ['are connected', 'const chart = createChart();\nawait chart.connect(transport);'],
    ['are awaited and connected', 'const chart = await createChart();\nawait chart.connect(transport);'],
    ['stand in a table', 'const charts: Record<string, () => McpServer> = { chart: createChart };\nawait charts.chart().connect(transport);'],
    ['are returned', 'export function chart(): McpServer {\n  return createChart();\n}'],
    ['have a type', 'const chart: McpServer = createChart();\nexport { chart };'],
  ])('are not mixed with SDK v2: they %s', (_, body) => {
    const { outcome, why } = migrated({ 'server.ts': lighthouse(body) });
    expect(outcome).toBe('refuse');
    expect(why).toContain('`harbour-charts` builds a server here');
  });

  it.each([
    ['wraps a server of ours', "const chart: McpServer = wrapServer(new McpServer({ name: 'chart', version: '1.0.0' }));\nawait chart.connect(transport);"],
    [
      'makes something else',
      "const chart = createChart();\nconst server = new McpServer({ name: chart.name, version: '1.0.0' });\nawait server.connect(transport);",
    ],
    ['connects something else', "const chart = createChart();\nawait chart.connect('quay');"],
  ])('are not seen where a package %s', (_, body) => {
    expect(migrated({ 'server.ts': lighthouse(body) }).outcome).not.toBe('refuse');
  });
});
