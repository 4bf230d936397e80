import { spawn } from 'node:child_process';
import type { Settings, Target } from '../options.js';

/** How a run of the client under test ended. */
export interface ClientOutcome {
  readonly stdout: string;
  /** Exit code or signal; 0 is success. */
  readonly exit: number | string;
  /** It had to be ended because its time was over. */
  readonly late: boolean;
  readonly launchError?: string;
}

/** Output that is kept, in characters. */
const KEPT = 100_000;

/** Starts the client with `{url}` or `{server}` filled in, and waits until it ends or its time is over, of which `onLate` is told before it is ended. */
export function spawnClient(
  target: Extract<Target, { transport: 'client' }>,
  peer: { readonly url?: string; readonly command?: readonly string[] },
  settings: Settings,
  onLate: () => void,
): Promise<ClientOutcome> {
  const args = target.args.flatMap((argument) => fillArgument(argument, peer));
  return new Promise((resolve) => {
    const child = spawn(target.command, args, {
      cwd: target.cwd,
      env: { ...process.env, ...target.env, ...(peer.url === undefined ? {} : { UNSESSION_URL: peer.url }) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    let stdout = '';
    let late = false;
    const end = (signal: NodeJS.Signals): void => {
      try {
        if (child.pid !== undefined) process.kill(process.platform === 'win32' ? child.pid : -child.pid, signal);
      } catch {
        // It has ended by itself.
      }
    };
    const timer = setTimeout(() => {
      late = true;
      onLate();
      end('SIGTERM');
      setTimeout(() => end('SIGKILL'), 500).unref();
    }, settings.timeout);
    const stop = (): void => end('SIGKILL');
    settings.signal?.addEventListener('abort', stop, { once: true });
    const finish = (outcome: Pick<ClientOutcome, 'exit' | 'launchError'>): void => {
      clearTimeout(timer);
      settings.signal?.removeEventListener('abort', stop);
      resolve({ stdout, late, ...outcome });
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout = (stdout + text).slice(0, KEPT)));
    child.stderr.resume();
    child.on('error', (error) => finish({ exit: 'not started', launchError: error.message }));
    child.on('close', (code, signal) => finish({ exit: late ? 'late' : (code ?? signal ?? 'unknown') }));
  });
}

function fillArgument(argument: string, peer: { readonly url?: string; readonly command?: readonly string[] }): readonly string[] {
  const command = peer.command ?? [];
  if (argument === '{server}') return command;
  const shell = command.map((part) => `'${part.replaceAll("'", `'\\''`)}'`).join(' ');
  return [argument.replaceAll('{url}', peer.url ?? '').replaceAll('{server}', shell)];
}
