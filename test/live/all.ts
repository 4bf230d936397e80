/**
 * Everything that only a running server proves. Minutes, not seconds; needs the registries of npm, pip, Go and Rust on its first run.
 *
 *   npm run live:all                      all parts; writes test/results/
 *   npm run live:all -- servers official  only these parts
 *   npm run live:all -- express-sessions-bare   only these shapes
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { runCommand, tail } from './command.js';
import { proveForeign } from './foreign/prove.js';
import { proveOfficial } from './foreign/official.js';
import { proveShape } from './prove-shape.js';
import { proveSnippets } from './python/snippets.js';
import { provePackages } from './published/all.js';
import { proveFaults } from './reference-server/matrix.js';
import { ROOT } from './server-process.js';
import { SHAPES, type Shape } from './shapes.js';
import { COMPILERS } from './type-check.js';

const RESULT = `${ROOT}test/results/live.json`;

/** Each part resolves to the number of things that are not as they must be. */
const PARTS = {
  /** Every legacy shape at every lane, both compilers, the SDK step alone. */
  shapes: () => shapes(SHAPES),
  /** The live tests, with the journeys that are too long for `npm test`, and every command of a runbook. */
  journeys: async () => {
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'live'];
    const outcome = await runCommand('env', ['UNSESSION_LIVE=all', 'UNSESSION_EVERY_COMMAND=1', process.execPath, ...vitest], ROOT);
    say(outcome.code === 0 ? [] : [tail(outcome, 60)], 'live tests, journeys and every command of a runbook', outcome.seconds);
    record('journeys', { passed: outcome.code === 0, seconds: outcome.seconds });
    return outcome.code === 0 ? 0 : 1;
  },
  /** Published packages through the journey: test/results/packages.json. */
  packages: () => provePackages([]),
  /** Every fault of the reference server against every check: test/results/verify-mutations.json. */
  faults: () => proveFaults([]),
  /** Servers on the official SDKs of four languages. */
  servers: async () => {
    const proofs = await proveForeign((proof) =>
      say(
        proof.problems,
        `${proof.server} (${proof.sdk}) over ${proof.over}, argued: ${proof.argued.join(' ') || 'nothing'}, ${String(proof.megabytes)} MB at its peak`,
        proof.seconds,
      ),
    );
    record('servers', proofs);
    return proofs.filter((proof) => proof.problems.length > 0).length;
  },
  /** The examples of the Python SDK 1.x, from its source distribution: what imports before imports on 2.x after. */
  snippets: async () => {
    const proof = await proveSnippets();
    if (!proof) {
      console.log('not run: the examples of the Python SDK need Python 3.10 or later');
      return 0;
    }
    const problems = [
      ...Object.entries(proof.lost).map(([name, error]) => `${name}: ${error}`),
      ...(proof.idempotent ? [] : ['a second run changes something']),
    ];
    say(
      problems,
      `examples of mcp ${proof.release}: ${String(proof.before)} of ${String(proof.snippets)} import on 1.x, ${String(proof.after)} of these on 2.x`,
    );
    record('snippets', proof);
    return problems.length;
  },
  /** The official suite, as `verify --official` runs it. */
  official: async () => {
    const proofs = await proveOfficial((proof) => say(proof.problems, `${proof.suite} on ${proof.server}: ${JSON.stringify(proof.rows)}`));
    record('official', proofs);
    return proofs.filter((proof) => proof.problems.length > 0).length;
  },
} as const;
type Part = keyof typeof PARTS;

async function shapes(chosen: readonly Shape[]): Promise<number> {
  const runs = chosen.flatMap((shape) => [
    { shape, lane: 'auto', milestone: 'sdk' } as const,
    ...shape.lanes.map((lane) => ({ shape, lane, milestone: 'all' }) as const),
  ]);
  const proofs = await sideBySide(runs, async ({ shape, lane, milestone }) => {
    const proof = await proveShape(shape, { lane, milestone, compilers: COMPILERS, whole: true });
    const failed = proof.steps.filter((step) => !step.ok).map((step) => `${step.name}: ${step.detail.replaceAll('\n', '\n     ')}`);
    const seconds = proof.steps.reduce((sum, step) => sum + step.seconds, 0);
    say(failed, `${shape.name}, ${milestone === 'sdk' ? 'SDK step alone' : `${lane} lane`}`, seconds);
    return proof;
  });
  const steps = proofs.flatMap((proof) => proof.steps);
  const failed = steps.filter((step) => !step.ok).length;
  console.log(`${String(steps.length - failed)} steps passed, ${String(failed)} failed`);
  if (chosen === SHAPES) record('shapes', { passed: steps.length - failed, failed, proofs });
  return failed;
}

/** Two at a time, in order: each spends half of its time in one process after the other. */
async function sideBySide<In, Out>(work: readonly In[], act: (item: In) => Promise<Out>): Promise<readonly Out[]> {
  const results: Out[] = [];
  const queue = [...work.entries()];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) results[next[0]] = await act(next[1]);
  };
  await Promise.all([worker(), worker()]);
  return results;
}

function say(problems: readonly string[], what: string, seconds?: number): void {
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${what}${seconds === undefined ? '' : `  ${seconds.toFixed(1)} s`}`);
  for (const problem of problems) console.log(`     ${problem}`);
}

/** Puts one part into the record, with the versions that it was measured with. */
function record(part: string, result: unknown): void {
  const version = (name: string): string => (JSON.parse(readFileSync(`${ROOT}node_modules/${name}/package.json`, 'utf8')) as { version: string }).version;
  const names = ['@modelcontextprotocol/sdk', '@modelcontextprotocol/client', '@modelcontextprotocol/server'];
  mkdirSync(`${ROOT}test/results`, { recursive: true });
  const content = { ...stored(), node: process.version, packages: Object.fromEntries(names.map((name) => [name, version(name)])), [part]: result };
  writeFileSync(RESULT, `${JSON.stringify(content, null, 2)}\n`);
}

function stored(): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(RESULT, 'utf8')) as Record<string, unknown>;
  } catch {
    return {};
  }
}

const asked = process.argv.slice(2);
const isPart = (word: string): word is Part => word in PARTS;
const named = SHAPES.filter((shape) => asked.includes(shape.name));
const unknown = asked.filter((word) => !isPart(word) && !named.some((shape) => shape.name === word));
if (unknown.length > 0) {
  console.log(`unknown: ${unknown.join(', ')}. Parts: ${Object.keys(PARTS).join(', ')}. Shapes: ${SHAPES.map((shape) => shape.name).join(', ')}`);
  process.exit(2);
}
const parts = asked.length === 0 ? (Object.keys(PARTS) as Part[]) : asked.filter(isPart);
const started = Date.now();
const seconds: Record<string, number> = {};
let wrong = named.length > 0 ? await shapes(named) : 0;
for (const part of parts) {
  const from = Date.now();
  console.log(`\n== ${part}`);
  wrong += await PARTS[part]();
  seconds[part] = Math.round((Date.now() - from) / 1000);
}
if (asked.length === 0) record('seconds', { ...seconds, all: Math.round((Date.now() - started) / 1000) });
console.log(`\n${wrong === 0 ? 'All as it must be' : `${String(wrong)} things are not as they must be`}; ${JSON.stringify(seconds)} s`);
process.exitCode = wrong > 0 ? 1 : 0;
