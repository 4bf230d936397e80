import { spawn, type ChildProcess } from 'node:child_process';
import { isRecord, parseJson } from '../answer.js';

/** How to start a server or client. Never through a shell. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Stderr that is kept for the reason of a failed launch, in characters. */
const STDERR = 2000;
/** Milliseconds between the end of input, SIGTERM and SIGKILL. */
const PATIENCE = 700;

/** A running process that speaks JSON-RPC by lines. What it writes is kept; more than `maxBytes` in one exchange ends it. */
export class LineProcess {
  readonly messages: unknown[] = [];
  /** Lines on stdout that are no JSON-RPC message, cut. */
  readonly stray: string[] = [];
  /** Exit code, or the name of the signal. */
  exited: number | string | undefined;
  /** The process could not be started at all. */
  launchError: string | undefined;
  stderr = '';
  private readonly child: ChildProcess;
  private readonly watchers = new Set<() => void>();
  private rest = '';
  private bytes = 0;

  constructor(
    command: Command,
    private readonly maxBytes: number,
  ) {
    this.child = spawn(command.command, command.args, {
      cwd: command.cwd,
      env: { ...process.env, ...command.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.child.stdin?.on('error', () => undefined);
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => this.read(text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr = (this.stderr + text).slice(-STDERR)));
    this.child.on('error', (error) => {
      this.launchError = error.message;
      this.exited ??= 'not started';
      this.wake();
    });
    this.child.on('close', (code, signal) => {
      this.exited ??= code ?? signal ?? 'unknown';
      this.wake();
    });
  }

  /** Output of which the line has not ended yet. */
  get unfinished(): string {
    return this.rest;
  }

  /** Writes one line. */
  write(line: string): void {
    if (this.exited === undefined) this.child.stdin?.write(`${line}\n`);
  }

  /** A new exchange begins: its output is counted from here. */
  recount(): void {
    this.bytes = 0;
  }

  /** Forgets what was read. Only between checks: open exchanges look into it. */
  forget(): void {
    this.messages.length = 0;
  }

  endInput(): void {
    this.child.stdin?.end();
  }

  signal(name: NodeJS.Signals): void {
    const { pid } = this.child;
    if (pid === undefined || this.exited !== undefined) return;
    try {
      // The whole group: a command such as npx has the server as a child.
      process.kill(process.platform === 'win32' ? pid : -pid, name);
    } catch {
      this.child.kill(name);
    }
  }

  /** Waits until the condition holds after something arrived, the process ended, or the time is over. */
  async wait(milliseconds: number, done: () => boolean, signal?: AbortSignal): Promise<boolean> {
    if (done()) return true;
    if (signal?.aborted === true) return false;
    return new Promise((resolve) => {
      const finish = (value: boolean): void => {
        clearTimeout(timer);
        this.watchers.delete(look);
        signal?.removeEventListener('abort', stop);
        resolve(value);
      };
      const look = (): void => {
        if (done()) finish(true);
      };
      const stop = (): void => finish(false);
      const timer = setTimeout(() => finish(false), milliseconds);
      this.watchers.add(look);
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  /** Ends the process: end of input, then SIGTERM, then SIGKILL. */
  async close(): Promise<void> {
    const gone = (): boolean => this.exited !== undefined;
    this.endInput();
    if (!(await this.wait(PATIENCE, gone))) this.signal('SIGTERM');
    if (!(await this.wait(PATIENCE, gone))) this.signal('SIGKILL');
    await this.wait(PATIENCE, gone);
    // The leader may be gone while a child of it still runs.
    const { pid } = this.child;
    if (pid !== undefined && process.platform !== 'win32') {
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        // The group is empty: nothing is left behind.
      }
    }
  }

  private read(text: string): void {
    this.bytes += Buffer.byteLength(text);
    if (this.bytes > this.maxBytes) {
      this.stray.push(`more than ${String(this.maxBytes)} bytes on stdout`);
      this.signal('SIGKILL');
      return this.wake();
    }
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.take(line);
    this.wake();
  }

  private take(line: string): void {
    const parsed = parseJson(line);
    if (parsed && isRecord(parsed.value) && parsed.value['jsonrpc'] === '2.0') this.messages.push(parsed.value);
    else if (this.stray.length < 20) this.stray.push(line.slice(0, 200));
  }

  private wake(): void {
    for (const watcher of [...this.watchers]) watcher();
  }
}
