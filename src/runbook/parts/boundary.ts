import type { InfraEntry, RolloutStage, RunbookModel } from '../../core/index.js';
import { choiceOf } from '../addresses.js';
import { grouped, nextOf, sitesOf, whatOf, type Context } from '../context.js';
import { hintsOf } from '../dates.js';
import { say } from '../messages.js';

/** Part 11: the last phase that can be taken back, the steps that cannot, and what is lost anyway. */
export function rollbackBoundary(context: Context, stages: readonly RolloutStage[]): RunbookModel['boundary'] {
  const first = stages.find((stage) => !stage.reversible);
  const last = first === undefined ? stages.length : first.number - 1;
  const title = stages[last - 1]?.title ?? say('boundary.none');
  const sessions = context.http.some((endpoint) => endpoint.sessions !== 'none' && endpoint.era === 'legacy');
  const stateless = context.http.some((endpoint) => endpoint.era === 'legacy' && choiceOf(context, endpoint) === 'stateless' && endpoint.sessions !== 'none');
  const events = context.http.some((endpoint) => endpoint.eventStore);
  const state = context.findings.some((finding) => finding.category === 'state' || finding.category === 'resource');
  return {
    last,
    title,
    why: first === undefined ? say('boundary.all') : say('boundary.why', { number: first.number }),
    oneWay: stages.flatMap((stage) => stage.oneWay.map((step) => ({ number: stage.number, step }))),
    lost: [
      ...(sessions ? [say(stateless ? 'lost.sessions-stateless' : 'lost.sessions')] : []),
      ...(events ? [say('lost.events')] : []),
      ...(state ? [say('lost.handles')] : []),
    ],
  };
}

/** Part 12: every infra, gateway and document change with its phase. */
export function infraChanges(context: Context): readonly InfraEntry[] {
  return grouped(context.findings.filter((finding) => ['infra', 'gateway', 'docs'].includes(finding.category)))
    .flatMap((group): readonly InfraEntry[] => {
      const first = group[0];
      if (first === undefined) return [];
      const stage = context.stageOf(first);
      return [
        {
          rule: first.id,
          category: first.category,
          what: whatOf(context, first),
          change: nextOf(context, first),
          stage,
          number: context.number(stage),
          rollback: say(`infra-rollback.${hintsOf(first).oneWay === undefined ? first.category : 'one-way'}`),
          sites: sitesOf(group),
        },
      ];
    })
    .sort((a, b) => a.number - b.number);
}
