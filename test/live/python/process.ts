import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../server-process.js';

/** A Python server on a loopback port. */
export interface PythonServer {
  readonly url: string;
  stop(): Promise<void>;
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/**
 * Starts a program with `PORT` set and waits until the port answers.
 * @throws Error with its output when it ends or stays silent for 30 s
 */
export async function startPython(python: string, args: readonly string[], folder: string): Promise<PythonServer> {
  const port = await freePort();
  const child = spawn(python, args, { cwd: folder, env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const end = new Promise<void>((resolve) => {
    child.on('close', () => {
      resolve();
    });
  });
  const deadline = Date.now() + 30_000;
  while (!(await answers(port))) {
    await wait(50);
    if (!child.killed && child.exitCode === null && Date.now() < deadline) continue;
    child.kill('SIGKILL');
    throw new Error(`the server did not listen on port ${String(port)}:\n${log}`);
  }
  return {
    url: `http://127.0.0.1:${String(port)}`,
    stop: async () => {
      child.kill('SIGTERM');
      await Promise.race([end, wait(3_000, undefined, { ref: false })]);
      child.kill('SIGKILL');
      await end;
    },
  };
}
