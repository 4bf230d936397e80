import { Readable, Writable } from 'node:stream';
import type { Check } from '../../src/core/index.js';
import type { Knowledge } from '../../src/engine/index.js';
import { main } from '../../src/cli/main.js';
import type { World } from '../../src/cli/world.js';
import { callConcern, structure } from '../engine/kit.js';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The gauges of the engine's tests: `readGauge()` becomes `readLevel()`, `sealGauge()` is left to people. */
export const gauges: Knowledge = {
  concerns: [
    callConcern({ id: 'gauge-reading', name: 'readGauge', to: 'readLevel' }),
    callConcern({
      id: 'gauge-seal',
      name: 'sealGauge',
      more: { kinds: { call: { what: 'A gauge is sealed.', why: 'Seals break.', next: 'Ask the harbour master.', impact: 'degrades' } } },
    }),
  ],
  hosts: [],
  sources: [structure],
  rules: [],
};

export interface Setting {
  readonly cwd: string;
  readonly knowledge?: Knowledge;
  readonly checks?: readonly Check[];
  readonly env?: Readonly<Record<string, string>>;
  readonly terminal?: boolean;
  readonly today?: string;
  /** What comes on standard input. */
  readonly stdin?: string;
}

/** Runs a command line inside this process, with streams that keep what they get. */
export async function unsession(args: readonly string[], setting: Setting): Promise<Ran> {
  const out = sink(setting.terminal === true);
  const err = sink(setting.terminal === true);
  const world: World = {
    stdout: out.stream,
    stderr: err.stream,
    stdin: setting.stdin === undefined ? { isTTY: setting.terminal === true } : Object.assign(Readable.from([setting.stdin]), { isTTY: false }),
    wait: () => Promise.resolve(),
    env: setting.env ?? {},
    cwd: setting.cwd,
    today: setting.today ?? '2026-08-01',
    knowledge: () => Promise.resolve(setting.knowledge ?? gauges),
    checks: () => Promise.resolve(setting.checks ?? []),
  };
  const code = await main(args, world);
  return { code, stdout: out.text(), stderr: err.text() };
}

function sink(isTTY: boolean): { readonly stream: World['stdout']; readonly text: () => string } {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY, columns: 100 }), text: () => text };
}
