import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A server that runs as its users run it: as a process, spoken to over a port. */
export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** What it has printed so far. */
  log(): string;
  stop(): Promise<void>;
}

const TSX = import.meta.resolve('tsx');

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port is free'))));
    });
  });
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    socket.once('connect', () => socket.end());
  });

/**
 * Starts `entry` of `folder` as it is deployed, with `PORT` and `NODE_ENV=production` set, and waits until the port answers.
 * @throws Error with the output of the process when it ends or stays silent for 60 s
 */
export async function startServer(folder: string, entry: string, path = '/mcp'): Promise<RunningServer> {
  const port = await freePort();
  const child = spawn(process.execPath, ['--import', TSX, entry], {
    cwd: folder,
    env: { ...process.env, PORT: String(port), NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  let ended: number | string | undefined;
  child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const end = new Promise<void>((resolve) => {
    child.on('close', (code, signal) => {
      ended = code ?? signal ?? 'unknown';
      resolve();
    });
  });
  const deadline = Date.now() + 60_000;
  while (!(await answers(port))) {
    if (ended !== undefined) throw new Error(`${entry} ended with ${ended} before it listened:\n${log}`);
    if (Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`${entry} did not listen on port ${port} (environment variable PORT) within 60 s:\n${log}`);
    }
    await wait(50);
  }
  return {
    port,
    url: `http://127.0.0.1:${port}${path}`,
    log: () => log,
    stop: async () => {
      child.kill('SIGTERM');
      await Promise.race([end, wait(2_000, undefined, { ref: false })]);
      child.kill('SIGKILL');
      await end;
    },
  };
}

/** Folder of the project. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
