import { spawn } from 'node:child_process';
import { ROOT } from './server-process.js';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
}

/** Runs a command to its end. Never throws: a command that cannot start has code 127. */
export function runCommand(command: string, args: readonly string[], cwd: string): Promise<Outcome> {
  const from = Date.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' }, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    const seconds = (): number => Math.round((Date.now() - from) / 100) / 10;
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('error', (error) => resolve({ code: 127, stdout, stderr: `${stderr}${command}: ${error.message}`, seconds: seconds() }));
    child.on('close', (code) => resolve({ code: code ?? 1, stdout, stderr, seconds: seconds() }));
  });
}

/** Runs the tool as its users do: the built executable, in a process of its own. */
export const unsession = (args: readonly string[], cwd: string): Promise<Outcome> => runCommand(process.execPath, [`${ROOT}bin/unsession.js`, ...args], cwd);

/** What a command printed, cut to the last lines, for a message about its failure. */
export const tail = (outcome: Outcome, lines = 40): string => `${outcome.stdout}\n${outcome.stderr}`.trim().split('\n').slice(-lines).join('\n');
