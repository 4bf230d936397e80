import { existsSync, readFileSync } from 'node:fs';
import { clock, say } from './console.js';
import { bin, ROOT, run } from './process.js';

/** Ends the process with a clear message when Node is too old for the tools. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  say(`Node ${process.versions.node} is too old: this project needs 20.19 or newer.`);
  process.exit(2);
}

/** True when every package that package-lock.json demands is installed in that version. */
function isInstalled() {
  const hidden = `${ROOT}node_modules/.package-lock.json`;
  if (!existsSync(hidden)) return false;
  const wanted = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8')).packages;
  const present = JSON.parse(readFileSync(hidden, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || entry.optional || entry.devOptional || entry.peer || present[path]?.version === entry.version,
  );
}

/** Installs with `npm ci` when the installed packages are not those of the lock file. */
export async function install() {
  if (isInstalled()) return;
  say('install    npm ci');
  const seconds = clock();
  const { code, output } = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code !== 0) {
    say(output);
    say('npm ci failed (see above). Packages come from the registry that npm is configured for; `npm ping` says whether it answers.');
    process.exit(1);
  }
  say(`install    ${seconds()} s`);
}

/** Compiles to dist/. Ends the process when that fails, because nothing after it would mean anything. */
export async function build() {
  const [node, ...args] = bin('typescript-native/bin/tsc');
  const { code, output } = await run(node, [...args, '-p', 'tsconfig.json']);
  if (code === 0) return;
  say(output);
  say('The build failed (see above).');
  process.exit(1);
}
