import type { Writable } from 'node:stream';
import type { Check } from '../core/index.js';
import type { DormantKnowledge, Knowledge } from '../engine/index.js';

/** What of the process a command may touch; tests hand in their own. */
export interface World {
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stdin: { readonly isTTY?: boolean } & Partial<AsyncIterable<unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Today, `YYYY-MM-DD` in UTC. */
  readonly today: string;
  /** Pauses between requests; tests hand in one that does not. */
  readonly wait?: (milliseconds: number) => Promise<void>;
  /** What the engine looks for; its detectors, and the parsers with them, are loaded when a file can matter. */
  readonly knowledge: () => Promise<Knowledge | DormantKnowledge>;
  /** What the live checks are; loaded on demand. */
  readonly checks: () => Promise<readonly Check[]>;
}

/** The real process, with the concerns of this project. */
export const processWorld = (): World => ({
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  cwd: process.cwd(),
  today: new Date().toISOString().slice(0, 10),
  knowledge: async () => (await import('./dormant.js')).dormantKnowledge,
  checks: async () => (await import('./knowledge.js')).checks,
});

/** Widest and narrowest text for people; a pipe gets the width of an ordinary terminal. */
const WIDEST = 120;
const NARROWEST = 60;

export const widthOf = (world: World): number => Math.min(WIDEST, Math.max(NARROWEST, world.stdout.isTTY ? (world.stdout.columns ?? 80) : 80));

/** Are colours wanted? `--no-color` and `NO_COLOR` forbid them, `FORCE_COLOR` asks for them, otherwise a terminal does. */
export function colorOf(world: World, flag: boolean | undefined): boolean {
  const { env } = world;
  if (flag === false || (env.NO_COLOR ?? '') !== '') return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return world.stdout.isTTY === true && env.TERM !== 'dumb';
}

/**
 * Writes a text whole: resolves when the stream has taken the last byte, so that a pipe never gets half of it.
 * A reader that has gone (`| head`) is no fault.
 */
export function print(stream: Writable, text: string | Uint8Array): Promise<void> {
  return new Promise((done, fail) => {
    stream.write(text, (error) => {
      if (!error || (error as NodeJS.ErrnoException).code === 'EPIPE') done();
      else fail(error);
    });
  });
}

/** All of standard input, as UTF-8. */
export async function readStdin({ stdin }: World): Promise<string> {
  const chunks: Buffer[] = [];
  if (Symbol.asyncIterator in stdin && stdin[Symbol.asyncIterator] !== undefined)
    for await (const chunk of stdin as AsyncIterable<unknown>) chunks.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)));
  return Buffer.concat(chunks).toString('utf8');
}
