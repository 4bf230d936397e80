import type { Check, Sharing } from '../../core/check.js';
import type { CheckResult } from '../../core/verify-report.js';
import type { Peer } from '../discover/peer.js';
import { HANDSHAKE } from '../discover/survey.js';
import { isRecord } from '../answer.js';
import type { Settings } from '../options.js';
import type { Evidence } from '../redact.js';
import type { OpenedTarget } from '../target.js';
import { resultOf, runCheck } from './check.js';
import { conclude } from './conclude.js';
import type { RunContext } from './context.js';
import { variablesOf } from './variables.js';

/** The checks that the options select for a transport. */
export function selectChecks(checks: readonly Check[], transports: readonly string[], options: Pick<Settings, 'only' | 'skip'>): readonly Check[] {
  const named = (id: string, list: readonly string[]): boolean => list.some((entry) => id === entry || id.startsWith(entry.replace(/\*$/, '')));
  return checks.filter(
    (check) => transports.includes(check.transport) && (options.only === undefined || named(check.id, options.only)) && !named(check.id, options.skip ?? []),
  );
}

/** Runs the selected checks: the quiet ones side by side, those that need calm one after the other, the observers last. Results in the order of the checks. */
export async function runAll(
  checks: readonly Check[],
  opened: OpenedTarget,
  peer: Peer,
  settings: Settings,
  evidence: Evidence,
): Promise<readonly CheckResult[]> {
  const selected = selectChecks(checks, opened.transports, settings);
  settings.progress?.({ kind: 'planned', checks: selected.length });
  const context: RunContext = {
    open: opened.open,
    openShared: opened.openShared ?? (() => opened.open),
    peer,
    settings,
    variables: variablesOf(peer, opened.addresses, settings),
    evidence,
    observed: [],
    lost: { inARow: 0 },
    alive: async () => {
      const wire = opened.open();
      // A server of the handshake era may break on discovery.
      const answer = await wire.exchange(peer.modern || !peer.legacy ? { method: 'server/discover' } : HANDSHAKE);
      await wire.close();
      return isRecord(answer.message) || (answer.status !== undefined && answer.problem === undefined);
    },
  };
  const results = new Map<string, CheckResult>();
  const gate = gateOf(selected, peer, opened);
  const run = async (check: Check): Promise<void> => {
    const result =
      sayable(check, gate, peer, opened, settings, evidence) ??
      givenUp(check, context) ??
      (await (opened.referee ? opened.referee(check, evidence) : runCheck(check, context)));
    results.set(check.id, result);
    settings.progress?.({ kind: 'result', result, done: results.size, of: selected.length });
  };
  const observes = (check: Check): boolean => check.steps.some((step) => 'observe' in step);
  const ends = (check: Check): boolean => check.ends === true;
  const quiet = selected.filter((check) => check.alone !== true && !observes(check) && !ends(check));
  // The checks that share a process take turns; the others run beside them.
  const chains = opened.openShared === undefined ? [] : SHARED.map((kind) => quiet.filter((check) => check.shares === kind));
  const turns = chains.map((chain) => async (): Promise<void> => {
    for (const check of chain) await run(check);
  });
  const queue = quiet.filter((check) => !chains.flat().includes(check)).map((check) => () => run(check));
  await together([...turns, ...queue], settings.concurrency);
  for (const check of selected.filter((check) => check.alone === true && !observes(check) && !stops(check) && !ends(check))) await run(check);
  for (const check of selected.filter(observes)) await run(check);
  for (const check of selected.filter(ends)) await run(check);
  for (const check of selected.filter((check) => stops(check) && !observes(check))) await run(check);
  return selected.map((check) => results.get(check.id)).filter((result) => result !== undefined);
}

const SHARED: readonly Sharing[] = ['modern', 'legacy'];

/** Checks in a row that must find the peer gone before the rest is given up: each of them costs the time of two answers. */
const GIVE_UP = 4;

function givenUp(check: Check, context: RunContext): CheckResult | undefined {
  if (context.lost.inARow < GIVE_UP || stops(check)) return undefined;
  return resultOf(check, 'inconclusive', `The peer is gone: ${String(GIVE_UP)} checks in a row had no answer.`, [], [], performance.now());
}

const stops = (check: Check): boolean => check.class === 'needs-control';

async function together(jobs: readonly (() => Promise<void>)[], limit: number): Promise<void> {
  const waiting = [...jobs];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await next();
  };
  await Promise.all(Array.from({ length: Math.max(1, limit) }, worker));
}

/**
 * The one check that fails when the modern revision is not served: the one about it, or else the first of those that were selected, so that no selection
 * of modern checks can pass against an older server.
 */
function gateOf(selected: readonly Check[], peer: Peer, opened: OpenedTarget): string | undefined {
  const [discovery, lists] = opened.transports.includes('stdio') ? ['CK-S01', 'CK-S05'] : ['CK-H01', 'CK-H51'];
  const modern = selected.filter((check) => check.needs.includes('modern') && check.era !== 'legacy');
  const preferred = peer.announcedOnly ? lists : discovery;
  return (modern.find((check) => check.id === preferred) ?? modern[0])?.id;
}

/** Verdicts that follow from the survey alone. */
function sayable(check: Check, gate: string | undefined, peer: Peer, opened: OpenedTarget, settings: Settings, evidence: Evidence): CheckResult | undefined {
  const now = performance.now();
  const say = (verdict: CheckResult['verdict'], reason: string): CheckResult => {
    if (verdict !== 'fail') return resultOf(check, verdict, reason, [], [], now);
    const shown = peer.evidence.map((answer) => evidence.exchange(answer));
    // The survey asks for discovery first and for a list then.
    return { ...resultOf(check, verdict, reason, [reason], shown, now), ...(shown.length < 2 ? {} : { deviating: peer.announcedOnly ? 1 : 0 }) };
  };
  if (check.class === 'attest') return say('not-tested', 'No probe can tell: a person attests it.');
  if (!settings.classes.includes(check.class)) return say('not-tested', `Runs on request only: --class quick,${check.class}.`);
  if (settings.signal?.aborted === true) return say('inconclusive', 'The run was stopped before this check.');
  if (peer.wall?.kind === 'origin' && check.id === 'CK-H09') return say('fail', peer.wall.text);
  if (peer.wall) return check.needs.includes('protected') && peer.wall.kind === 'auth' ? undefined : say('inconclusive', peer.wall.text);
  const mute = !peer.modern && !peer.legacy && opened.openShared !== undefined;
  if (!mute && (peer.modern || check.era === 'legacy' || !check.needs.includes('modern'))) return undefined;
  const conclusion = conclude(peer, opened.transports.includes('stdio') ? 'stdio' : 'http');
  return check.id === gate ? say('fail', conclusion.sentence) : say('not-tested', `Not judged: ${conclusion.sentence}`);
}
