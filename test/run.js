/**
 * Everything that proves the project, from a fresh clone: installs, builds, checks, runs the suites.
 *
 *   node test/run.js                 checks, then every suite (npm test)
 *   node test/run.js checks          build, types, lint, format, architecture, … (npm run check)
 *   node test/run.js unit concerns   single suites
 *   node test/run.js start           the main job on a bundled example (npm start)
 *   node test/run.js live:all …      everything that only a running server proves (npm run live:all)
 *
 * Needs nothing but Node and npm: no import may leave test/run/ before `install` has run.
 */
import { runChecks } from './run/checks.js';
import { clock, say } from './run/console.js';
import { build, install, requireNode } from './run/prepare.js';
import { runSuite, SUITES } from './run/suites.js';
import { runScript } from './run/process.js';

const asked = process.argv.slice(2);
/** Work of its own, in a script that needs the packages and the build. */
const SCRIPTS = new Map([
  ['start', 'test/live/start.ts'],
  ['live:all', 'test/live/all.ts'],
]);
const script = SCRIPTS.get(asked[0]);
const known = ['checks', ...SCRIPTS.keys(), ...SUITES];
const unknown = script === undefined ? asked.filter((name) => !known.includes(name)) : [];
if (unknown.length > 0) {
  say(`unknown: ${unknown.join(', ')}. Known: ${known.join(', ')}.`);
  process.exit(2);
}

requireNode();
const total = clock();
await install();

if (script !== undefined) {
  await build();
  process.exit(await runScript(script, asked.slice(1)));
}

const wanted = asked.length > 0 ? asked : ['checks', ...SUITES];
/** @type {{ name: string; passed: number; failed: number; skipped: number; seconds: number }[]} */
const results = [];
const left = SUITES.filter((suite) => wanted.includes(suite));
if (wanted.includes('checks')) {
  // The stories are one long file for one core; lint has the other.
  const beside = left.splice(left.indexOf('concerns') === -1 ? left.length : left.indexOf('concerns'), 1);
  const suites = [];
  results.push(await runChecks(beside.map((suite) => async () => void suites.push(await runSuite(suite, ['--maxWorkers=1'])))), ...suites);
} else await build();
// The rest mostly waits for peers: side by side, it keeps both cores at work.
results.push(...(await Promise.all(left.map((suite) => runSuite(suite)))));

say('');
for (const { name, passed, failed, skipped, seconds } of results)
  say(`${name.padEnd(10)} ${String(seconds).padStart(6)} s   ${passed} passed, ${failed} failed, ${skipped} skipped`);
say(`${'all'.padEnd(10)} ${String(total()).padStart(6)} s`);

const sum = (key) => results.reduce((count, result) => count + result[key], 0);
say(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exitCode = sum('failed') > 0 || sum('passed') === 0 ? 1 : 0;
