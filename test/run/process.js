import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Folder of the project, with a separator at its end. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Runs a command in the project and collects what it prints. Never throws: a command that cannot start has code 127. */
export function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, env: { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1' }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ code: 127, output: `${command}: ${error.message}\n` }));
    child.on('close', (code, signal) => resolve({ code: code ?? 1, output: signal ? `${output}ended by ${signal}\n` : output }));
  });
}

/** Runs a TypeScript file of the project with the terminal attached; answers its exit code. */
export function runScript(file, args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--import', 'tsx', file, ...args], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', () => resolve(127));
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** The JavaScript entry of an installed package, so that no shell and no `.cmd` shim is needed. */
export const bin = (path) => [process.execPath, `${ROOT}node_modules/${path}`];
