import { setMaxListeners } from 'node:events';
import type { Check } from '../core/check.js';
import type { CheckResult, Verdict, VerifyReport } from '../core/verify-report.js';
import { compare } from './compare.js';
import { summarise, type Peer } from './discover/peer.js';
import { runOfficial } from './official/index.js';
import { settle, type Settings, type Target, type VerifyOptions } from './options.js';
import { Evidence } from './redact.js';
import { conclude } from './run/conclude.js';
import { runAll } from './run/schedule.js';
import { openTarget, type OpenedTarget } from './target.js';

export type { AllowedTool, Progress, ServerControl, Target, VerifyOptions } from './options.js';
export { commandControl, CONTROLS, type ControlAction } from './control.js';
export { SUITE, type RunSuite, type SuiteOutput } from './official/suite.js';
export { exitCodeOf } from './compare.js';
export { selectChecks } from './run/schedule.js';

/**
 * Judges a live peer: finds out what it speaks, then runs the checks that fit, each on its own connection or process.
 * Sends nothing to addresses that the options do not name and calls no tool that they do not allow.
 * @returns a report in every case; what kept the judge from judging is in `inconclusive`
 */
export async function runChecks(target: Target, checks: readonly Check[], options: VerifyOptions = {}): Promise<VerifyReport> {
  const started = performance.now();
  const startedAt = new Date().toISOString();
  const limit = AbortSignal.timeout(options.totalTimeout ?? 300_000);
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
  setMaxListeners(0, signal);
  const settings = settle({ ...options, signal });
  const evidence = new Evidence([settings.token, ...Object.values(settings.headers ?? {})]);
  const opened = openTarget(target, settings);
  settings.progress?.({ kind: 'survey', text: opened.address });
  const peer = await opened.survey();
  const results = await runAll(checks, opened, peer, settings, evidence);
  await opened.finish?.();
  const official = settings.official ? await runOfficial(settings.official, target, peer, settings, evidence) : undefined;
  return {
    schemaVersion: '1',
    tool: { name: 'unsession', version: settings.toolVersion ?? '0.0.0' },
    target: {
      transport: target.transport,
      address: target.transport === 'http' ? evidence.text(opened.address) : evidence.command(opened.address),
      ...(settings.replica === undefined ? {} : { replica: evidence.text(settings.replica) }),
      ...(settings.legacyUrl === undefined ? {} : { legacy: evidence.text(settings.legacyUrl) }),
    },
    startedAt,
    milliseconds: Math.round(performance.now() - started),
    laneMode: peer.laneMode,
    eras: { modern: peer.modern, legacy: peer.legacy },
    peer: summarise(peer),
    conclusion: target.transport === 'client' ? { speaks: 'client', sentence: 'A client under test.', missing: [] } : conclude(peer, target.transport),
    results,
    summary: count(results),
    ...(settings.baseline ? { comparison: compare(settings.baseline, results) } : {}),
    ...(official ? { official } : {}),
    ...inconclusive(peer, results, opened, settings),
  };
}

function inconclusive(peer: Peer, results: readonly CheckResult[], opened: OpenedTarget, settings: Settings): { inconclusive?: string } {
  if (peer.wall && peer.wall.kind !== 'origin') return { inconclusive: peer.wall.text };
  if (settings.signal?.aborted === true) return { inconclusive: 'The run was stopped or took longer than its limit.' };
  if (results.length === 0) return { inconclusive: 'No check was selected.' };
  if (!results.some((result) => result.verdict === 'pass' || result.verdict === 'fail' || result.verdict === 'warn')) return { inconclusive: opened.nothing };
  return {};
}

function count(results: readonly CheckResult[]): Record<Verdict, number> {
  const summary: Record<Verdict, number> = { pass: 0, fail: 0, warn: 0, 'not-applicable': 0, 'not-tested': 0, inconclusive: 0 };
  for (const result of results) summary[result.verdict]++;
  return summary;
}
