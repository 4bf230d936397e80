import type { Check } from '../../core/check.js';
import type { RefereeStep } from '../../core/check-step.js';
import type { CheckResult, Exchange } from '../../core/verify-report.js';
import { judge, type Deviation } from '../evaluate/assert.js';
import { valuesAt } from '../evaluate/path.js';
import type { Settings, Target } from '../options.js';
import { LEGACY_REVISION, META, REVISION } from '../protocol.js';
import type { Evidence } from '../redact.js';
import { resultOf } from '../run/check.js';
import { spawnClient, type ClientOutcome } from './spawn.js';
import type { Recorded } from './record.js';
import { startReferee } from './referee.js';

type ClientTarget = Extract<Target, { transport: 'client' }>;

/** What the assertions of a client check look at. */
interface Scene extends ClientOutcome {
  readonly requests: readonly Recorded[];
}

const VARIABLES = { revision: REVISION, legacyRevision: LEGACY_REVISION, meta: META };
/** Requests kept as evidence of one check. */
const EVIDENCE = 12;

/** Runs one client check: for each step a referee, and the client under test against it. */
export async function runClientCheck(check: Check, target: ClientTarget, settings: Settings, evidence: Evidence): Promise<CheckResult> {
  const started = performance.now();
  const deviations: Deviation[] = [];
  const exchanges: Exchange[] = [];
  let ran = 0;
  let missing = 'The client did not do what the check looks at.';
  for (const step of check.steps) {
    if (!('referee' in step)) throw new Error(`${check.id}: a client check has referee steps only.`);
    if (step.over === 'stdio' && !takesServer(target)) {
      missing = 'The client command has no {server} placeholder, so that no stdio server can be given to it.';
      continue;
    }
    const scene = await play(step, target, settings);
    if (scene.launchError !== undefined)
      return resultOf(check, 'inconclusive', `The client could not be started: ${evidence.text(scene.launchError)}.`, [], [], started);
    if (scene.requests.length === 0) {
      missing = `The client sent nothing${scene.late ? ` within ${String(settings.timeout)} ms` : ` and ended (${String(scene.exit)})`}.${takesAddress(target) ? '' : ' Its command has no {url}: write it where the address belongs, or let the client read UNSESSION_URL.'}`;
      continue;
    }
    exchanges.push(...scene.requests.slice(0, EVIDENCE - exchanges.length).map((request) => exchangeOf(request, evidence)));
    if ((step.given !== undefined && valuesAt(scene, step.given).values.length === 0) || (step.printed !== undefined && !scene.stdout.includes(step.printed)))
      continue;
    ran++;
    deviations.push(...judge(scene, step.expect, VARIABLES, 'none'));
  }
  if (ran === 0) return resultOf(check, 'not-tested', missing, [], exchanges, started);
  const texts = deviations.map((deviation) => evidence.text(deviation.text));
  const verdict = deviations.some((deviation) => deviation.level === 'must') ? 'fail' : deviations.length > 0 ? 'warn' : 'pass';
  return resultOf(check, verdict, verdict === 'pass' ? 'As the revision asks.' : `${check.failure} ${texts[0] ?? ''}.`, texts, exchanges, started);
}

async function play(step: RefereeStep, target: ClientTarget, settings: Settings): Promise<Scene> {
  const referee = await startReferee(step.referee);
  try {
    const outcome = await spawnClient(target, step.over === 'stdio' ? { command: referee.command } : { url: referee.url }, settings, () => referee.ending());
    return { ...outcome, requests: [...referee.requests] };
  } finally {
    await referee.close();
  }
}

const takesAddress = (target: ClientTarget): boolean => target.args.some((argument) => argument.includes('{url}') || argument.includes('{server}'));
const takesServer = (target: ClientTarget): boolean => target.args.some((argument) => argument.includes('{server}'));

const exchangeOf = (request: Recorded, evidence: Evidence): Exchange => ({
  request: {
    verb: request.verb,
    url: request.path,
    headers: evidence.headers(request.header),
    ...(request.body === undefined ? {} : { body: evidence.text(typeof request.body === 'string' ? request.body : JSON.stringify(request.body)) }),
  },
  ...(request.cut ? { problem: 'the client closed the connection before the answer was complete' } : {}),
  milliseconds: 0,
});
