import type { OfficialRow, OfficialRun } from '../../core/verify-report.js';
import type { Peer } from '../discover/peer.js';
import type { Settings, Target } from '../options.js';
import { LEGACY_REVISION, REVISION } from '../protocol.js';
import type { Evidence } from '../redact.js';
import { readRows } from './rows.js';
import { SUITE, type RunSuite } from './suite.js';

/** Runs the official suite once for each era that the server serves, reads its rows and says what it could not look at. */
export async function runOfficial(run: RunSuite, target: Target, peer: Peer, settings: Settings, evidence: Evidence): Promise<OfficialRun> {
  const obstacle = obstacleOf(target, peer, settings);
  const orders = target.transport !== 'http' || obstacle !== undefined ? [] : ordersOf(target.url, peer, settings);
  const rows: OfficialRow[] = [];
  const notCovered: string[] = obstacle === undefined ? [] : [obstacle];
  for (const { url, revision } of orders) {
    const output = await run({ url, revision, signal: settings.signal });
    if (output.problem !== undefined) notCovered.push(`${revision}: ${evidence.text(output.problem)}`);
    for (const [scenario, text] of output.scenarios)
      rows.push(...readRows(text, { scenario, revision, scored: output.required.includes(scenario) }, peer, evidence));
    const silent = output.required.filter((scenario) => !output.scenarios.has(scenario));
    if (silent.length > 0 && output.problem === undefined) notCovered.push(`${revision}: no result for ${silent.join(', ')}.`);
  }
  return { package: SUITE.name, version: SUITE.version, revisions: orders.map((order) => order.revision), rows, notCovered: [...notCovered, ...gaps(rows)] };
}

function ordersOf(url: string, peer: Peer, settings: Settings): readonly { readonly url: string; readonly revision: string }[] {
  const modern = peer.modern ? [{ url, revision: REVISION }] : [];
  const legacy = peer.legacy && !peer.sseOnly ? [{ url: settings.legacyUrl ?? url, revision: LEGACY_REVISION }] : [];
  return [...modern, ...legacy];
}

function obstacleOf(target: Target, peer: Peer, settings: Settings): string | undefined {
  if (target.transport === 'stdio') return 'The official suite speaks HTTP only: of a server over stdio it covers nothing.';
  if (target.transport === 'client')
    return 'The official suite tells a client by an environment variable which scenario to play: it can judge only a client that is written for it.';
  if (settings.token !== undefined || Object.keys(settings.headers ?? {}).length > 0)
    return 'The official suite cannot send a token or a header of yours, so that it was not run against the protected endpoint.';
  if (peer.wall) return `The official suite was not run: ${peer.wall.text}`;
  return peer.modern || peer.legacy ? undefined : 'The official suite was not run: no MCP server was recognised.';
}

/** Which scenarios were dropped and what they would have needed. */
function gaps(rows: readonly OfficialRow[]): readonly string[] {
  const dropped = rows.filter((entry) => entry.verdict === 'not-applicable' && entry.scored);
  const needOf = (row: OfficialRow): string => row.reason.replace(/^The scenario needs (.*), which the server does not have\.$/, '$1');
  const scenarios = (some: readonly OfficialRow[]): readonly string[] => [...new Set(some.map((row) => row.scenario))];
  const fixtures = dropped.filter((row) => /^the (tool|prompt|resource) /.test(needOf(row)));
  const others = new Set(dropped.filter((row) => !fixtures.includes(row)).map(needOf));
  const named = scenarios(fixtures);
  return [
    ...(fixtures[0]
      ? [
          `${String(named.length)} ${named.length === 1 ? 'scenario calls' : 'scenarios call'} tools, prompts or resources of ${named.length === 1 ? 'its' : 'their'} own, such as ${needOf(fixtures[0])}, that the server does not have: ${named.join(', ')}.`,
        ]
      : []),
    ...[...others].map((need) => `Without ${need}: ${scenarios(dropped.filter((row) => needOf(row) === need)).join(', ')}.`),
  ];
}
