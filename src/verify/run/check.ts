import type { Check } from '../../core/check.js';
import type { CheckStep, ExchangeStep, ObserveStep } from '../../core/check-step.js';
import type { CheckResult, Exchange, Verdict } from '../../core/verify-report.js';
import type { Answer } from '../answer.js';
import { ControlFailed } from '../control.js';
import { judge, saysSomething, type Deviation } from '../evaluate/assert.js';
import { fillIn, isSet, MissingVariable, type Variables } from '../evaluate/fill.js';
import { valueAt, valuesAt } from '../evaluate/path.js';
import { probes } from '../probes/index.js';
import { freshId, type Wire } from '../wire.js';
import type { RunContext } from './context.js';
import { unmet, unmetStep, type Unmet } from './preconditions.js';

/** Exchanges kept as evidence of one check. */
const EVIDENCE = 12;
/** Values of an observed answer that may be kept, in characters, so that memory stays flat. */
const OBSERVED = 64 * 1024;

/** A deviation with the answer that shows it, when one answer does. */
interface Shown extends Deviation {
  readonly answer?: Answer;
}

interface Outcome {
  readonly deviations: readonly Shown[];
  /** Answers that were asked for and judged: without one nothing is proved. What is only observed adds deviations, never a pass. */
  readonly ran: number;
  readonly unmet?: Unmet;
}

/** Runs one check on its own wire. */
export async function runCheck(check: Check, context: RunContext): Promise<CheckResult> {
  const started = performance.now();
  const missing =
    check.lanes && !check.lanes.includes(context.peer.laneMode)
      ? notForLane(context.peer.laneMode)
      : unmet(check.needs, context.peer, context.variables, context.settings);
  if (missing) return resultOf(check, missing.verdict, missing.reason, [], [], started);
  const exchanges: Exchange[] = [];
  const answers: Answer[] = [];
  const wire = (check.shares === undefined ? context.open : context.openShared(check.shares))((request, answer) => {
    answers.push(answer);
    if (exchanges.length < EVIDENCE) exchanges.push(context.evidence.exchange(answer));
    if (answer.body.length < OBSERVED)
      context.observed.push({ check: check.id, era: request.era ?? 'modern', method: request.method, answer: { ...answer, body: '' } });
  });
  try {
    const outcome = await runSteps(check, wire, context);
    const broken =
      outcome.deviations.length > 0
        ? answers.find((answer) => answer.problem && ['refused', 'timeout', 'reset', 'exited', 'unknown-host', 'stopped'].includes(answer.problem.kind))
        : undefined;
    if (broken?.problem?.kind === 'stopped') return resultOf(check, 'inconclusive', 'The run was stopped before the check was done.', [], exchanges, started);
    const gone = broken !== undefined && (broken.problem?.kind === 'refused' || !(await context.alive()));
    context.lost.inARow = gone ? context.lost.inARow + 1 : 0;
    if (gone) return resultOf(check, 'inconclusive', `The peer is gone: ${context.evidence.text(broken.problem?.text ?? '')}.`, [], exchanges, started);
    if (outcome.unmet && outcome.deviations.length === 0) return resultOf(check, outcome.unmet.verdict, outcome.unmet.reason, [], exchanges, started);
    if (outcome.ran === 0 && outcome.deviations.length === 0) {
      const { verdict, reason } = unmetStep(check, context.variables) ?? NOTHING_CONCERNED;
      return resultOf(check, verdict, reason, [], exchanges, started);
    }
    // What makes it fail comes first.
    const ordered = [...outcome.deviations].sort((a, b) => Number(a.level === 'should') - Number(b.level === 'should'));
    const texts = ordered.map((deviation) => context.evidence.text(deviation.text));
    const verdict = verdictOf(outcome.deviations);
    const culprit = ordered[0]?.answer;
    const at = culprit ? answers.indexOf(culprit) : -1;
    if (culprit && at >= EVIDENCE) exchanges.push(context.evidence.exchange(culprit));
    return {
      ...resultOf(check, verdict, verdict === 'pass' ? 'As the revision asks.' : `${check.failure} ${texts[0] ?? ''}.`, texts, exchanges, started),
      ...(at < 0 ? {} : { deviating: Math.min(at, exchanges.length - 1) }),
    };
  } catch (error) {
    if (error instanceof ControlFailed) return resultOf(check, 'inconclusive', `${context.evidence.text(error.message)}.`, [], exchanges, started);
    if (error instanceof MissingVariable) return resultOf(check, 'not-tested', error.message, [], exchanges, started);
    throw error;
  } finally {
    await wire.close();
  }
}

const NOTHING_CONCERNED: Unmet = { verdict: 'not-applicable', reason: 'Nothing that the server offers is concerned.' };
const notForLane = (lane: string): Unmet => ({ verdict: 'not-applicable', reason: `Does not apply to the legacy lane mode "${lane}".` });

const verdictOf = (deviations: readonly Deviation[]): Verdict => {
  if (deviations.some((deviation) => deviation.level === 'must')) return 'fail';
  return deviations.length > 0 ? 'warn' : 'pass';
};

async function runSteps(check: Check, wire: Wire, context: RunContext): Promise<Outcome> {
  const deviations: Shown[] = [];
  const kept: Record<string, unknown> = {};
  let ran = 0;
  for (const step of check.steps) {
    const variables: Variables = { ...context.variables, kept };
    if (!concerns(step, variables, context)) continue;
    for (const each of valuesOf(step, variables)) {
      const outcome = await runStep(step, each === undefined ? variables : { ...variables, each }, kept, wire, context);
      ran += outcome.ran;
      deviations.push(...outcome.deviations);
      if (outcome.unmet) return { deviations, ran, unmet: outcome.unmet };
    }
  }
  return { deviations, ran };
}

const concerns = (step: CheckStep, variables: Variables, context: RunContext): boolean =>
  (step.lanes === undefined || step.lanes.includes(context.peer.laneMode)) && (step.when ?? []).every((name) => isSet(name, variables));

function valuesOf(step: CheckStep, variables: Variables): readonly unknown[] {
  if (step.each === undefined) return [undefined];
  if (typeof step.each !== 'string') return fillIn(step.each, variables);
  const list = valueAt(variables, step.each);
  return Array.isArray(list) ? (list as unknown[]) : [];
}

async function runStep(step: CheckStep, variables: Variables, kept: Record<string, unknown>, wire: Wire, context: RunContext): Promise<Outcome> {
  if ('observe' in step) return { deviations: observe(step, variables, context), ran: 0 };
  if ('referee' in step) throw new Error('A referee step belongs to a client check.');
  if ('probe' in step) {
    const probe = probes[step.probe];
    if (!probe) throw new Error(`Unknown probe "${step.probe}".`);
    return { ran: 1, ...(await probe({ wire, context, variables, with: fillIn(step.with ?? {}, variables), kept })) };
  }
  const deviations = await exchange(step, variables, kept, wire, context);
  return { deviations, ran: saysSomething(step.expect, variables, context.peer.laneMode) ? 1 : 0 };
}

async function exchange(step: ExchangeStep, variables: Variables, kept: Record<string, unknown>, wire: Wire, context: RunContext): Promise<readonly Shown[]> {
  const copies = step.request.parallel ?? 1;
  const one = async (): Promise<readonly Shown[]> => {
    const id = step.request.id ?? freshId();
    const own = { ...variables, id };
    const request = fillIn({ ...step.request, id }, own);
    const answer = await wire.exchange(request, fillIn(step.during ?? [], own));
    for (const [name, path] of Object.entries(step.request.keep ?? {})) kept[name] = keptAt(answer, path);
    const label = step.request.method ?? step.request.verb ?? 'POST';
    return judge(answer, step.expect, own, context.peer.laneMode).map((deviation) => ({
      ...deviation,
      answer,
      text: `${typeof variables['each'] === 'string' ? variables['each'] : fillIn(label, own)}: ${deviation.text}${statusOf(answer)}`,
    }));
  };
  return (await Promise.all(Array.from({ length: copies }, one))).flat();
}

/** A path that selects keeps the list, any other its one value. */
function keptAt(answer: Answer, path: string): unknown {
  const { values, many } = valuesAt(answer, path);
  return many ? values : values[0];
}

/** What else a reader wants to know of an answer that deviates. */
function statusOf(answer: Answer): string {
  const error = valueAt(answer, 'error.code');
  const parts = [
    answer.status === undefined ? '' : `HTTP ${String(answer.status)}`,
    typeof error === 'number' ? `error ${String(error)}` : '',
    answer.problem?.text ?? '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : ` [${parts.join(', ')}]`;
}

function observe(step: ObserveStep, variables: Variables, context: RunContext): readonly Deviation[] {
  const seen = context.observed.filter((entry) => step.observe === 'any' || entry.era === step.observe);
  const found = seen.flatMap((entry) =>
    judge(entry.answer, step.expect, variables, context.peer.laneMode).map((deviation) => ({
      ...deviation,
      text: `seen in ${entry.check} (${entry.method ?? 'no method'}): ${deviation.text}`,
    })),
  );
  return found.length > 3 ? [...found.slice(0, 3), { level: found[0]?.level ?? 'must', text: `and ${String(found.length - 3)} more` }] : found;
}

/** Builds the result of a check. */
export function resultOf(
  check: Check,
  verdict: Verdict,
  reason: string,
  deviations: readonly string[],
  exchanges: readonly Exchange[],
  started: number,
): CheckResult {
  return {
    id: check.id,
    title: check.title,
    level: check.level,
    era: check.era,
    class: check.class,
    verdict,
    reason,
    deviations,
    spec: check.spec,
    requirements: check.requirements,
    milliseconds: Math.round(performance.now() - started),
    exchanges,
  };
}
