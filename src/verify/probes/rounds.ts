import { isRecord, type Answer } from '../answer.js';
import { answerInputs, EVERYTHING } from '../discover/inputs.js';
import type { CastTool } from '../discover/peer.js';
import { valueAt } from '../evaluate/path.js';
import { perform } from './control.js';
import type { Probe } from './index.js';

/** Rounds of input that a tool may ask for. */
const LIMIT = 6;

/**
 * Calls the eliciting tool and answers until it completes. `alternate` sends every second round to the replica; `restart` restarts the
 * server before every further one; `decline` declines every form, where any regular answer will do.
 */
export const rounds: Probe = async ({ wire, context, variables, with: { alternate, decline, restart } }) => {
  const tool = variables['eliciting'] as CastTool | undefined;
  if (!tool) return { deviations: [], unmet: { verdict: 'not-tested', reason: 'No tool that may be called asks for input.' } };
  const label =
    alternate === true
      ? 'alternating between two instances'
      : restart === true
        ? 'with a restart before each further round'
        : decline === true
          ? 'declining'
          : 'accepting';
  let extra: Record<string, unknown> = {};
  let asked: string | undefined;
  for (let round = 1; round <= LIMIT; round++) {
    if (restart === true && round > 1) await perform('restart', context);
    const answer: Answer = await wire.exchange({
      method: 'tools/call',
      to: alternate === true && round % 2 === 0 ? 'replica' : 'endpoint',
      capabilities: EVERYTHING,
      params: { name: tool.name, arguments: tool.args, ...extra },
    });
    const say = (text: string): { deviations: [{ level: 'must'; text: string }] } => ({
      deviations: [{ level: 'must', text: `round ${String(round)}, ${label}: ${text}` }],
    });
    if (answer.id !== answer.sent.id) return say(`no answer with the id of the request${answer.problem ? ` (${answer.problem.text})` : ''}`);
    const type = valueAt(answer, 'result.resultType');
    if (type === 'complete' && round > 1) return { deviations: [] };
    if (answer.error !== undefined && round > 1)
      return decline === true && valueAt(answer, 'error.code') !== -32603
        ? { deviations: [] }
        : say(
            `the retry ended in error ${String(valueAt(answer, 'error.code'))} "${String(valueAt(answer, 'error.message'))}" (HTTP ${String(answer.status)})`,
          );
    const requests = valueAt(answer, 'result.inputRequests');
    const state = valueAt(answer, 'result.requestState');
    if (type !== 'input_required')
      return say(`resultType must be input_required before and complete after the answers; saw ${JSON.stringify(type ?? answer.error)}`);
    if (valueAt(answer, 'result.ttlMs') !== undefined || valueAt(answer, 'result.cacheScope') !== undefined)
      return say('an interim result must not carry cache hints');
    const now = JSON.stringify([requests, state]);
    if (now === asked)
      return decline === true ? { deviations: [] } : say('the same question is asked again although it was answered: the answers do not reach the tool');
    asked = now;
    const answers = isRecord(requests) ? answerInputs(requests) : {};
    extra = {
      ...(isRecord(requests) ? { inputResponses: decline === true ? declined(answers) : answers } : {}),
      ...(typeof state === 'string' ? { requestState: state } : {}),
    };
  }
  return decline === true ? { deviations: [] } : { deviations: [{ level: 'should', text: `${label}: not complete after ${String(LIMIT)} rounds` }] };
};

const declined = (answers: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(answers).map(([key, answer]) => [key, valueAt(answer, 'action') === undefined ? answer : { action: 'decline' }]));
