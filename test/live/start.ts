/**
 * The main job, end to end, on the bundled legacy server: what a user does, command by command, in a copy under git.
 * Every line that it prints was just run; the first thing that fails ends it with exit code 1 and the output of that command.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Verdict, VerifyReport } from '../../src/core/index.js';
import { runCommand, tail, unsession } from './command.js';
import { drive, driveConcurrently } from './drive.js';
import { connectLegacy, connectModern } from './peers.js';
import { copyUnderGit } from './prove-shape.js';
import { startServer } from './server-process.js';
import { EXAMPLE } from './shapes.js';
import type { Outcome } from './command.js';
import type { Peer } from './peers.js';

const DAY = 86_400_000;
const started = Date.now();
const seconds = (from: number): string => `${((Date.now() - from) / 1000).toFixed(1)} s`;

/** The team's decision, which the tool never invents; here the team is this script, and gives its clients half a year. */
const SUNSET = new Date(Date.now() + 182 * DAY).toISOString().slice(0, 10);
const DECISION = ['--sunset', SUNSET, '--owner', 'Library IT'];

class StepFailed extends Error {}

/** A command as a shell takes it. */
const shown = (args: readonly string[]): string => args.map((word) => (/^[\w./:@=-]+$/.test(word) ? word : `'${word}'`)).join(' ');

/** Says what is done, does it, says how long it took; prints `lines` of what the command said. */
async function command(
  title: string,
  line: string,
  act: () => Promise<Outcome>,
  { lines = 0, allowed = [0] }: { lines?: number; allowed?: readonly number[] } = {},
): Promise<Outcome> {
  console.log(`\n${title}\n$ ${line}`);
  const outcome = await act();
  if (!allowed.includes(outcome.code)) throw new StepFailed(`\`${line}\` ended with exit code ${outcome.code}:\n${tail(outcome, 80)}`);
  const text = outcome.stdout.trimEnd().split('\n');
  for (const printed of text.slice(0, lines)) console.log(`  ${printed}`);
  if (lines > 0 && text.length > lines) console.log(`  … ${text.length - lines} more lines`);
  console.log(`  done in ${outcome.seconds} s`);
  return outcome;
}

/** Installs as a user does: in place, from the registry that npm is configured for. */
const npmInstall = (folder: string): Promise<Outcome> =>
  runCommand('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], folder);

async function driveBoth(url: string): Promise<void> {
  const peers: Peer[] = [];
  try {
    for (const connect of [connectLegacy, connectModern]) {
      const peer = await connect(url);
      peers.push(peer);
      const found = await drive(peer, EXAMPLE.script);
      if (found.length > 0) throw new StepFailed(found.join('\n'));
      const { calls, resources, progress } = EXAMPLE.script;
      console.log(
        `  ${peer.era} client: ${calls.length} tools, ${resources.length} resource, ${progress?.reports ?? 0} progress reports as before; session id: ${peer.session() ?? 'none'}`,
      );
    }
    const mixed = await driveConcurrently(peers, EXAMPLE.script);
    if (mixed.length > 0) throw new StepFailed(mixed.join('\n'));
    console.log('  50 calls at once from both: every answer belongs to its question');
  } finally {
    for (const peer of peers) await peer.close().catch(() => undefined);
  }
}

/** Sends the checks and counts their verdicts; one that failed is printed with its reason. */
async function verify(url: string, evidence: string, home: string): Promise<void> {
  const args = ['verify', url, '--allow-tool', 'find_book={"words":"mosses"}', '--allow-tool', 'take_inventory', '--format', 'json', '--output', evidence];
  const outcome = await command('5. Does it speak both eras?', `unsession ${shown(args)}`, () => unsession(args, home), { allowed: [0, 1] });
  const { results } = VerifyReport.parse(JSON.parse(readFileSync(evidence, 'utf8')));
  const counts = Verdict.options
    .map((verdict) => [verdict, results.filter((result) => result.verdict === verdict).length] as const)
    .filter(([, count]) => count > 0);
  console.log(`  ${results.length} checks: ${counts.map(([verdict, count]) => `${count} ${verdict}`).join(', ')}`);
  for (const { id, verdict, title, reason } of results) if (verdict === 'fail' || verdict === 'warn') console.log(`  ${verdict}  ${id} ${title}: ${reason}`);
  if (outcome.code !== 0) throw new StepFailed(`verify ended with exit code ${outcome.code}; the evidence is in ${evidence}`);
}

async function main(): Promise<void> {
  const copy = await copyUnderGit(EXAMPLE.folder, EXAMPLE.name);
  const home = dirname(copy);
  const evidence = join(home, 'verify.json');
  const runbook = join(home, 'MIGRATION.md');
  const patch = join(home, 'migrate.diff');
  const original = await copyUnderGit(EXAMPLE.folder, EXAMPLE.name);
  console.log(`A legacy server, the loan desk of a town library, in ${copy}`);

  await command('1. What depends on sessions?', `unsession scan ${copy}`, () => unsession(['scan', copy], home), { lines: 25, allowed: [0, 1] });
  await command('2. Rewrite it.', `unsession migrate ${copy} --write ${shown(DECISION)}`, () => unsession(['migrate', copy, '--write', ...DECISION], home), {
    lines: 25,
  });
  const diff = await command('   What changed?', 'git diff --stat', () => runCommand('git', ['diff', '--stat'], copy), { lines: 10 });
  if (diff.stdout.trim() === '') throw new StepFailed('migrate --write changed no file that git knows');
  await command('   Again? Nothing is left to do.', `unsession migrate ${copy} --check --allow-dirty`, () =>
    unsession(['migrate', copy, '--check', '--allow-dirty'], home),
  );
  await command('3. Install what it needs now.', 'npm install', () => npmInstall(copy));
  await command('   Does it compile?', 'npx tsc --noEmit', () =>
    runCommand(process.execPath, [join(copy, 'node_modules', 'typescript', 'bin', 'tsc'), '--noEmit'], copy),
  );

  console.log(`\n4. Start it.\n$ NODE_ENV=production PORT=… node --import tsx ${EXAMPLE.entry}`);
  const server = await startServer(copy, EXAMPLE.entry);
  try {
    console.log(`  ${server.url}`);
    await verify(server.url, evidence, home);
    console.log('\n6. Talk to it: a client of the 1.x SDK, and a 2.x client that insists on 2026-07-28.');
    await driveBoth(server.url);
  } catch (error) {
    console.log(`server log:\n${server.log()}`);
    throw error;
  } finally {
    await server.stop();
  }

  const write = ['runbook', original, ...DECISION, '--evidence', evidence, '--output', runbook];
  await command('7. Write the runbook for those who approve it, with the evidence.', `unsession ${shown(write)}`, () => unsession(write, home), {
    allowed: [0],
  });
  const full = await runCommand('git', ['diff'], copy);
  writeFileSync(patch, full.stdout);

  console.log(
    `\nAll of it in ${seconds(started)}.\n  before     ${original}\n  after      ${copy}\n  diff       ${patch}\n  evidence   ${evidence}\n  runbook    ${runbook}`,
  );
}

await main().catch((error: unknown) => {
  console.log(
    `\nFAILED after ${seconds(started)}: ${error instanceof StepFailed ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  process.exitCode = 1;
});
