import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as TransportV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { InMemoryTransport as TransportV2 } from '@modelcontextprotocol/server';
import { beforeAll, describe, expect, it } from 'vitest';

const STORY = '../../../transforms/sdk-v1-typescript/fixtures/ferry-times';

interface Peer {
  connect(transport: unknown): Promise<void>;
}

/** A v1 client of the story before or after the step: what a client that is never updated sees. */
async function clientOf(when: 'before' | 'after'): Promise<ClientV1> {
  const { buildServer } = (await import(`${STORY}/${when}/server.ts`)) as { buildServer: () => Peer };
  const [near, far] = when === 'before' ? TransportV1.createLinkedPair() : TransportV2.createLinkedPair();
  await buildServer().connect(far);
  const client = new ClientV1({ name: 'old-client', version: '1.0.0' });
  await client.connect(near);
  return client;
}

/** What the step is known to change in a list of tools. */
function withoutKnownChanges(tools: readonly object[]): readonly unknown[] {
  return tools.map((tool) => {
    const { execution: _execution, inputSchema, ...rest } = tool as { execution?: unknown; inputSchema: Record<string, unknown> };
    const { $schema: _schema, ...schema } = inputSchema;
    return { ...rest, inputSchema: schema };
  });
}

describe('the wire before and after', () => {
  let old: ClientV1;
  let moved: ClientV1;
  beforeAll(async () => {
    old = await clientOf('before');
    moved = await clientOf('after');
  });

  it('lists the same tools', async () => {
    expect(withoutKnownChanges((await moved.listTools()).tools)).toEqual(withoutKnownChanges((await old.listTools()).tools));
  });

  it('lists the same prompts and templates', async () => {
    expect((await moved.listPrompts()).prompts).toEqual((await old.listPrompts()).prompts);
    expect((await moved.listResourceTemplates()).resourceTemplates).toEqual((await old.listResourceTemplates()).resourceTemplates);
  });

  it('answers calls, reads, prompts and completions alike', async () => {
    for (const client of [old, moved]) {
      expect((await client.callTool({ name: 'next-departure', arguments: { route: 'north' } })).content).toEqual([
        { type: 'text', text: 'north: 12:40 for 1' },
      ]);
      expect((await client.readResource({ uri: 'pier://east' })).contents).toEqual([{ uri: 'pier://east', text: 'east open' }]);
      expect((await client.getPrompt({ name: 'plan', arguments: { route: 'north' } })).messages[0]?.content).toEqual({
        type: 'text',
        text: 'Plan a trip on north',
      });
      expect((await client.complete({ ref: { type: 'ref/prompt', name: 'plan' }, argument: { name: 'route', value: 'h' } })).completion.values).toEqual([
        'harbour',
      ]);
    }
  });

  it('sends progress through the request', async () => {
    for (const client of [old, moved]) {
      const seen: number[] = [];
      await client.callTool({ name: 'next-departure', arguments: { route: 'north' } }, undefined, { onprogress: ({ progress }) => seen.push(progress) });
      expect(seen).toEqual([1]);
    }
  });

  it('changes an error text only by its prefix', async () => {
    const texts = await Promise.all(
      [old, moved].map(async (client) => (await client.callTool({ name: 'next-departure', arguments: { route: 'moon' } })).content),
    );
    expect(texts[0]).toEqual([{ type: 'text', text: 'MCP error -32602: no route moon' }]);
    expect(texts[1]).toEqual([{ type: 'text', text: 'no route moon' }]);
  });
});
