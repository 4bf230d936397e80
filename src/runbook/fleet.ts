import type { FleetReport, Remedy, RunbookModel, ScanResult, Stage } from '../core/index.js';
import { fileHeader } from './header.js';
import { HardRejectError, violationsOf } from './honesty.js';
import { renderMuted, renderTemplate, type TemplatePort } from './render.js';

/** A repository with something to do, and the model of its own runbook. */
export interface FleetMember {
  readonly name: string;
  readonly scan: ScanResult;
  readonly model: RunbookModel;
}

/** What the runbook of a fleet is made from. */
export interface FleetPlan {
  readonly report: FleetReport;
  readonly members: readonly FleetMember[];
  readonly clean: readonly string[];
  /** Today, ISO. */
  readonly now: string;
  readonly owner: string;
  /** Day on which the legacy routes of all of them go, ISO. */
  readonly sunset: string;
}

const STAGES: readonly Stage[] = ['observe', 'sdk', 'dual', 'default', 'warn', 'remove', 'clean'];

/**
 * One runbook for many repositories: who is in which phase, and for each repository its phases with gate, work, rollback and boundary. Pure.
 * @throws HardRejectError when a template presents removed behaviour as modern
 */
export function renderFleetRunbook(plan: FleetPlan, port: TemplatePort): string {
  const markdown = renderTemplate('runbook/fleet', fleetModel(plan), port);
  for (const { name, model } of plan.members) {
    const [violation] = violationsOf(model, '');
    if (violation) throw new HardRejectError(`the runbook of ${name} would break its own rules: ${violation.id} (${violation.what})`);
  }
  const [violation] = plan.members[0] ? violationsOf(plan.members[0].model, renderMuted('runbook/fleet', fleetModel(plan), port)) : [];
  if (violation) throw new HardRejectError(`the runbook would break its own rules: ${violation.id} (${violation.what})`);
  return `${fileHeader('runbook of a fleet', plan.report.tool.version)}\n\n${markdown}`;
}

function fleetModel({ report, members, clean, now, owner, sunset }: FleetPlan): object {
  const waves = STAGES.map((stage) => {
    const inStage = members.flatMap(({ name, model }) => model.rollout.filter((entry) => entry.stage === stage).map((entry) => ({ name, entry })));
    const [first] = inStage;
    return first
      ? {
          title: first.entry.title,
          repositories: inStage.map(({ name }) => name),
          items: inStage.reduce((sum, { entry }) => sum + entry.items.length, 0),
          minutes: inStage.reduce((sum, { entry }) => sum + entry.items.reduce((minutes, item) => minutes + item.minutes, 0), 0),
        }
      : undefined;
  }).filter((wave) => wave !== undefined);
  return {
    written: now,
    owner,
    sunset,
    summary: report.summary,
    hours: Math.round(report.summary.effort / 60),
    waves,
    repositories: members.map(memberModel),
    clean,
    failed: report.repositories.filter(({ result }) => !result).map(({ repository, failure }) => ({ name: repository, why: failure ?? '' })),
  };
}

function memberModel({ name, scan, model }: FleetMember): object {
  const places = new Map(scan.plan.items.map((item) => [item.id, item.sites[0]]));
  return {
    name,
    commit: model.repository.commit?.slice(0, 9) ?? '',
    milestone: model.milestone,
    minutes: Math.round(model.effort.people),
    endpoints: scan.inventory.endpoints.map((endpoint) => ({
      path: endpoint.path ?? endpoint.transport,
      transport: endpoint.transport,
      lane: model.lanes.find((lane) => lane.endpoint === endpoint.id)?.choice ?? 'none',
      reason: model.lanes.find((lane) => lane.endpoint === endpoint.id)?.reason ?? { text: '' },
    })),
    rollout: model.rollout.map((stage) => ({
      ...stage,
      items: stage.items.map((item): { id: string; title: string; remedy: Remedy; minutes: number; place: string } => {
        const site = places.get(item.id);
        return { ...item, place: site ? `${site.file}:${String(site.line)}` : '' };
      }),
    })),
    boundary: model.boundary,
    questions: model.questions,
    refusals: model.refusals.map((refusal) => ({ ...refusal, next: refusal.next ?? { text: '' }, accepted: refusal.accepted ?? '' })),
    notAnalysed: model.notAnalysed,
  };
}
