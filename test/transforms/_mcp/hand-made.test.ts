import { describe, expect, it } from 'vitest';
import { scanRepository } from '../../../src/engine/index.js';
import { knowledge } from '../../../transforms/index.js';
import { withTree } from '../../fixtures-kit/tree.js';

const endpoints = (text: string): Promise<readonly string[]> =>
  withTree(new Map([['server.mjs', text]]), async (root) => {
    const { inventory } = await scanRepository(root, knowledge, {});
    return inventory.endpoints.map(({ transport, transports }) => `${transport} ${String(transports[0]?.line)}`);
  });

const ANSWER = `export function answer({ id, method }) {
  switch (method) {
    case 'initialize': return { jsonrpc: '2.0', id, result: { protocolVersion: '2024-11-05', capabilities: { tools: {} } } };
    case 'notifications/initialized': return undefined;
    case 'tools/list': return { jsonrpc: '2.0', id, result: { tools: [] } };
  }
}
`;

describe('stdio servers without an SDK', () => {
  it.each([
    [
      'lines of readline',
      `import { createInterface } from 'node:readline';\n${ANSWER}createInterface({ input: process.stdin }).on('line', (line) => answer(JSON.parse(line)));\n`,
      9,
    ],
    ['data events', `${ANSWER}process.stdin.on('data', (chunk) => answer(JSON.parse(String(chunk))));\n`, 8],
    ['an imported stdin', `import { stdin } from 'node:process';\n${ANSWER}for await (const line of stdin) answer(JSON.parse(line));\n`, 9],
  ])('by %s are entries', async (_name, text, line) => {
    expect(await endpoints(text)).toEqual([`stdio ${String(line)}`]);
  });

  it('a language server is none, and a proxy that only passes lines on is none', async () => {
    const other = ANSWER.replace("'tools/list'", "'textDocument/hover'");
    expect(await endpoints(`${other}process.stdin.on('data', answer);\n`)).toEqual([]);
    expect(await endpoints(`const child = start('notifications/initialized', 'initialize');\nprocess.stdin.pipe(child.stdin);\n`)).toEqual([]);
  });
});
