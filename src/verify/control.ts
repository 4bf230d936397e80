import { spawn } from 'node:child_process';
import type { ServerControl } from './options.js';

/** What a user can let the judge do to the server. */
export const CONTROLS = ['stop', 'restart', 'change'] as const;
export type ControlAction = (typeof CONTROLS)[number];

/** Milliseconds that a control command may take. */
const LIMIT = 60_000;

/** A control command that did not do its work; nothing can be said about the server then. */
export class ControlFailed extends Error {}

/**
 * Turns commands of the user into control over the server. Each runs in a shell and must come back: a server that it starts goes to the background.
 * @param commands action -> command line, as the user wrote it
 */
export function commandControl(commands: Readonly<Partial<Record<ControlAction, string>>>, cwd: string): ServerControl {
  const act = (action: ControlAction): ServerControl => {
    const line = commands[action];
    return line === undefined ? {} : { [action]: () => runControl(action, line, cwd) };
  };
  return Object.assign({}, ...CONTROLS.map(act)) as ServerControl;
}

function runControl(action: ControlAction, line: string, cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(line, { cwd, shell: true, stdio: ['ignore', 'ignore', 'pipe'] });
    let words = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (words = (words + text).slice(-300)));
    const fail = (why: string): void => {
      clearTimeout(timer);
      reject(new ControlFailed(`the command of --control ${action} ${why}${words.trim() === '' ? '' : `: ${words.trim()}`}`));
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail(`did not come back within ${String(LIMIT / 1000)} s; a server that it starts belongs in the background`);
    }, LIMIT);
    child.on('error', (error) => fail(`could not be started (${error.message})`));
    // Not `close`: a server in the background keeps the pipe.
    child.on('exit', (code, signal) => {
      child.stderr.destroy();
      if (code !== 0) return fail(`ended with ${String(code ?? signal)}`);
      clearTimeout(timer);
      resolve();
    });
  });
}
