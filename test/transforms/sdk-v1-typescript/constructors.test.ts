import { describe, expect, it } from 'vitest';
import { migrated } from './migrated.js';

const CLIENT = "import { Client } from '@modelcontextprotocol/sdk/client/index.js';\n";
const SERVER = "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\n";

describe('keys that SDK v2 does not know', () => {
  it.each([
    ['all of them', `${CLIENT}new Client({ name: 'quay', version: '1' }, { capabilities: { tools: {}, prompts: {} } });`, '{ capabilities: {} }'],
    ['beside others', `${CLIENT}new Client({ name: 'quay', version: '1' }, { capabilities: { tools: {}, roots: {} } });`, '{ capabilities: { roots: {} } }'],
    [
      'beside the name',
      `${SERVER}new McpServer({ name: 'quay', version: '1', capabilities: { tools: {} } });`,
      "new McpServer({ name: 'quay', version: '1', });",
    ],
  ])('go, and are told: %s', (_, text, expected) => {
    const { texts, notes } = migrated({ 'quay.ts': text });
    expect(texts['quay.ts']).toContain(expected);
    expect(notes.join()).toContain('(quay.ts:2)');
  });

  it.each([
    ['in JavaScript', 'quay.js', '{ capabilities: { tools: {} } }'],
    ['with a comment', 'quay.ts', '{ capabilities: { tools: {}, // for the list\n } }'],
    ['of a client', 'quay.ts', '{ capabilities: { sampling: {}, elicitation: {} } }'],
  ])('stay %s', (_, path, options) => {
    expect(migrated({ [path]: `${CLIENT}new Client({ name: 'quay', version: '1' }, ${options});` }).texts[path]).toContain(options);
  });
});
