import { describe, expect, it } from 'vitest';
import { drive, driveConcurrently } from './drive.js';
import type { Script } from './drive.js';
import type { Peer } from './peers.js';

/** The live tests believe these functions, so each must see a server that is wrong. */

const SCRIPT: Script = {
  tools: ['weigh'],
  calls: [{ tool: 'weigh', input: { hive: 1 }, answer: '31 kg' }],
  resources: [{ uri: 'apiary://season', text: 'linden' }],
  prompts: [{ name: 'greet', input: { to: 'bees' }, text: 'Hello bees' }],
  progress: { tool: 'weigh', input: { hive: 2 }, reports: 1 },
  echo: { tool: 'weigh', input: (index) => ({ hive: index }), answer: (index) => `${30 + index} kg` },
};

const RIGHT: Peer = {
  era: 'modern',
  tools: () => Promise.resolve(['weigh']),
  call: (_tool, { hive }, onProgress) => {
    onProgress?.();
    return Promise.resolve(`${30 + Number(hive)} kg`);
  },
  read: () => Promise.resolve('linden'),
  prompt: () => Promise.resolve('Hello bees'),
  session: () => undefined,
  close: () => Promise.resolve(),
};

describe('a script', () => {
  it('holds for a server that does what it says', async () => {
    expect(await drive(RIGHT, SCRIPT)).toEqual([]);
    expect(await driveConcurrently([RIGHT, RIGHT], SCRIPT)).toEqual([]);
  });

  it.each<[string, Partial<Peer>, string]>([
    ['lacks a tool', { tools: () => Promise.resolve([]) }, 'tools/list'],
    ['has a tool too many', { tools: () => Promise.resolve(['weigh', 'sting']) }, 'tools/list'],
    ['answers something else', { call: () => Promise.resolve('ERROR: no hive') }, 'tools/call weigh'],
    ['throws', { read: () => Promise.reject(new Error('gone')) }, 'threw gone'],
    ['forgets a prompt', { prompt: () => Promise.resolve('') }, 'prompts/get greet'],
    ['reports no progress', { call: (_tool, { hive }) => Promise.resolve(`${30 + Number(hive)} kg`) }, 'progress of weigh'],
  ])('fails for a server that %s', async (_what, wrong, message) => {
    expect((await drive({ ...RIGHT, ...wrong }, SCRIPT)).join('\n')).toContain(message);
  });

  it('fails when answers are mixed up between calls', async () => {
    let last = 0;
    const mixed: Peer = { ...RIGHT, call: (_tool, { hive }) => ((last = Number(hive)), Promise.resolve().then(() => `${30 + last} kg`)) };
    expect((await driveConcurrently([mixed], SCRIPT)).length).toBeGreaterThan(0);
  });
});
