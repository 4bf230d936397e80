import type { Finding, Phrase, RolloutStage, Site, Stage, WorkItem } from '../../core/index.js';
import { choiceOf } from '../addresses.js';
import { grouped, nextOf, sitesOf, type Context } from '../context.js';
import { addDays, hintsOf } from '../dates.js';
import { say, words } from '../messages.js';

type Order = RolloutStage['order'][number];

/** Days before the removal by which a stage must have begun, so that the stages after it have room. */
export const LEAD_DAYS: Readonly<Partial<Record<Stage, number>>> = { observe: 44, dual: 37, default: 30, warn: 30 };

/** Names of metrics, log fields and events that the code writes and that involve sessions, with their places. */
export function metricsFound(context: Context): readonly { readonly name: string; readonly finding: Finding }[] {
  return context.findings.flatMap((finding) => {
    const name = hintsOf(finding).metric;
    return name === undefined ? [] : [{ name, finding }];
  });
}

function metricOf(context: Context, stage: Stage): Phrase {
  const found = metricsFound(context);
  if (!context.networked) return say('metric.published');
  if (found.length === 0) return say(`metric.none.${stage === 'observe' ? 'first' : 'later'}`);
  const names = [...new Set(found.map((metric) => metric.name))].slice(0, 3).join(', ');
  const places = [...new Set(found.map((metric) => `${metric.finding.site.file}:${metric.finding.site.line}`))].slice(0, 3).join(', ');
  return say(stage === 'observe' ? 'metric.found-first' : 'metric.found', { names, places });
}

/** Infra, gateway and document findings as changes of the stage they belong to. */
function changesOf(context: Context, stage: Stage, category: Finding['category'], layer: (finding: Finding) => Order['layer']): readonly Order[] {
  return grouped(context.findings.filter((finding) => finding.category === category && context.stageOf(finding) === stage)).flatMap((group) => {
    const first = group[0];
    if (first === undefined) return [];
    const item = context.item(first);
    return [{ layer: layer(first), change: nextOf(context, first), ...(item === undefined ? {} : workOf(item)), sites: sitesOf(group) }];
  });
}

/** What a change costs and who makes it, of its work item. */
const workOf = (item: WorkItem): Pick<Order, 'item' | 'remedy' | 'minutes' | 'reason'> => ({
  item: item.id,
  remedy: item.remedy,
  minutes: item.effort,
  ...(item.remedy === 'refused' ? { reason: words(item.reason) } : {}),
});

/** The minutes of an item are counted once, with its first change. */
function countedOnce(order: readonly Order[]): readonly Order[] {
  const counted = new Set<string>();
  return order.map((entry) => {
    if (entry.item === undefined || !counted.has(entry.item)) {
      if (entry.item !== undefined) counted.add(entry.item);
      return entry;
    }
    const { minutes: _again, reason: _said, ...rest } = entry;
    return rest;
  });
}

/** A change of a client, and a step that takes something away with a deploy, sit in no balancer. */
const infraLayer = (finding: Finding): Order['layer'] =>
  isProbe(finding) ? 'probe' : finding.id.startsWith('client-') ? 'client' : hintsOf(finding).oneWay === undefined ? 'balancer' : 'code';

const isProbe = (finding: Finding): boolean => /probe|health/.test(finding.id);

const LOST: ReadonlySet<Finding['category']> = new Set(['state', 'resource', 'policy', 'auth', 'push']);

/** Changes in the order in which they must land: what measures, what would fail, what filters, the code, who calls it, what routed by session. */
function orderOf(context: Context, stage: Stage, items: readonly WorkItem[]): readonly Order[] {
  const at = (layer: Order['layer'], key: string, sites: readonly Site[] = []): Order => ({
    layer,
    change: say(`order.${key}`, { date: context.options.sunset }),
    sites,
  });
  const infra = changesOf(context, stage, 'infra', infraLayer);
  const gateway = changesOf(context, stage, 'gateway', () => 'gateway');
  const docs = changesOf(context, stage, 'docs', () => 'docs');
  const http = context.networked;
  const elsewhere = context.kind === 'elsewhere' ? '-elsewhere' : '';
  const early = context.sdkStep !== 'wire';
  const legacyModes = new Set(context.http.map((endpoint) => choiceOf(context, endpoint)));
  const affine = context.findings.filter((finding) => finding.data.affinity === true);
  // What pins clients stays while old ones need it; what would pin modern requests is bridged first and goes with the rest.
  const kept = affine.filter((finding) => context.stageOf(finding) === 'clean');
  const bridged = affine.filter((finding) => context.stageOf(finding) !== 'clean');
  const oneWay = context.findings.filter((finding) => hintsOf(finding).oneWay !== undefined);
  // What a modern call would lose before the entry step, where the SDK step lets it in already.
  const lost = sitesOf(context.findings.filter((finding) => LOST.has(finding.category) && context.stageOf(finding) === context.entryStage));
  const fixed: Readonly<Record<Stage, readonly Order[]>> = {
    observe: [at('metric', 'metric'), ...(infra.some((change) => change.layer === 'probe') ? [] : [at('probe', 'probe')])],
    sdk: early ? [...(http ? [at('gateway', 'headers')] : []), ...(lost.length > 0 ? [at('code', 'early', lost)] : [])] : [],
    dual: [
      ...(http && !(early && context.stages.includes('sdk')) ? [at('gateway', 'headers')] : []),
      ...(kept.length > 0 ? [at('balancer', 'keep-affinity', sitesOf(kept))] : []),
      ...(oneWay.length > 0 ? [at('code', 'keep-classes', sitesOf(oneWay))] : []),
    ],
    default: [at('client', http ? 'clients' : 'clients-stdio')],
    warn: [at('code', 'sunset-header')],
    remove: [at('code', `retire${elsewhere}`)],
    clean: [
      ...(legacyModes.has('sessionful') || legacyModes.has('separate') ? [at('code', 'stores')] : []),
      ...(bridged.length > 0 ? [at('balancer', 'drop-affinity', sitesOf(bridged))] : []),
    ],
  };
  const code = items
    .filter((item) => !['infra', 'gateway', 'docs'].includes(item.category))
    .map((item): Order => ({
      layer: context.inTests(item) ? 'tests' : item.category === 'telemetry' ? 'metric' : 'code',
      change: words(titleOf(item)),
      ...workOf(item),
      sites: item.sites,
    }));
  const rank: Readonly<Record<Order['layer'], number>> = { metric: 0, probe: 1, gateway: 2, code: 3, tests: 4, client: 5, balancer: 6, docs: 7 };
  return countedOnce([...fixed[stage], ...infra, ...gateway, ...code, ...docs].sort((a, b) => rank[a.layer] - rank[b.layer]));
}

/** Is there anything here that is kept by session, and would be gone for good? */
const keepsKeys = (context: Context): boolean =>
  context.scan.inventory.stores.length > 0 ||
  context.http.some((endpoint) => endpoint.eventStore || (endpoint.sessions !== 'none' && endpoint.era !== 'modern')) ||
  context.findings.some(({ category }) => category === 'state' || category === 'resource');

/** One-way steps of a stage: those the planner found, and those that the stage is by nature. */
function oneWayOf(context: Context, stage: Stage): readonly Phrase[] {
  const planned = context.scan.plan.phases.filter((_phase, index) => phaseStage(context, index) === stage).flatMap((phase) => phase.oneWay);
  const http = context.networked;
  const nature =
    stage === 'remove'
      ? [say(http ? 'one-way.gone' : 'one-way.published', { date: context.options.sunset })]
      : stage === 'clean' && http && keepsKeys(context)
        ? [say('one-way.keys')]
        : [];
  return [...nature, ...[...new Set(planned)].map(words)];
}

/**
 * Stage that a phase of the planner belongs to. Its last irreversible phase is the removal as long as a legacy lane is kept; an
 * earlier one is the moment from which clients hold what the build before does not know.
 */
function phaseStage(context: Context, index: number): Stage {
  const { phases, lanes, items } = context.scan.plan;
  const phase = phases[index];
  if (phase === undefined) return 'observe';
  if (phase.id === 'clean') return 'clean';
  if (!phase.reversible) {
    const later = phases.slice(index + 1).some((other) => !other.reversible && other.id !== 'clean');
    return later || !lanes.some((lane) => lane.choice !== 'none') ? 'default' : 'remove';
  }
  if (phase.milestone === 'sdk') return 'sdk';
  const item = items.find((candidate) => phase.items.includes(candidate.id));
  return item === undefined ? 'observe' : context.stageOfItem(item);
}

function rollbackOf(context: Context, stage: Stage): { readonly steps: readonly Phrase[]; readonly commands: readonly string[] } {
  const merge = `git revert --no-edit "$P${context.number(stage)}_COMMIT"`;
  const install = context.options.install === undefined ? [] : [context.options.install];
  const published = !context.networked;
  const verify = context.stages.includes('dual') && context.networked ? ['npx unsession verify "$MCP_URL"'] : [];
  const revert = (key: string, commands: readonly string[], ...more: readonly string[]) => ({
    steps: [key, ...more].map((one) => say(`rollback.${one}`)),
    commands,
  });
  const minted = context.findings.some(({ category }) => category === 'state' || category === 'resource') ? ['handles'] : [];
  switch (stage) {
    case 'observe':
      return revert('observe', [merge]);
    case 'sdk':
      return revert(published ? 'published' : context.sdkStep === 'wire' ? 'sdk' : 'sdk-eras', [merge, ...install]);
    case 'dual':
      return revert(published ? 'published' : context.sdkStep === 'eras' ? 'dual-eras' : 'dual', [merge, ...install, ...verify], ...(published ? [] : minted));
    case 'default':
      return revert('default', []);
    case 'warn':
      return revert('warn', [merge]);
    case 'remove':
      return revert(published ? 'remove-published' : 'remove', [merge, ...install, ...verify]);
    case 'clean':
      return revert(
        'clean',
        [merge],
        ...(keepsKeys(context) ? ['keys'] : []),
        ...(context.findings.some((finding) => hintsOf(finding).oneWay !== undefined) ? ['objects'] : []),
      );
  }
}

/** Title of an item with the name of what it is about, so that two items of one concern can be told apart. */
const titleOf = (item: WorkItem): string =>
  typeof item.data.name === 'string' && !item.title.includes(item.data.name) ? `${item.title}: \`${item.data.name}\`` : item.title;

/** Part 10: the phases, numbered, with owner, criteria, metric, order and rollback. */
export function rollout(context: Context): readonly RolloutStage[] {
  const { plan } = context.scan;
  return context.stages.map((stage, index) => {
    const items = plan.items.filter((item) => context.stageOfItem(item) === stage && item.remedy !== 'none');
    const oneWay = oneWayOf(context, stage);
    const { steps, commands } = rollbackOf(context, stage);
    const previous = context.stages[index - 1];
    const lead = LEAD_DAYS[stage];
    const latest = lead === undefined ? [] : [say('entry.latest', { date: addDays(context.options.sunset, -lead), days: lead })];
    const suffix = context.networked ? '' : '-package';
    const eras = context.sdkStep === 'eras' && (stage === 'sdk' || stage === 'dual') ? '-eras' : context.sdkStep === 'some' && stage === 'sdk' ? '-some' : '';
    const exit = stage === 'remove' && context.kind === 'elsewhere' ? 'exit.remove-elsewhere' : `exit.${stage}${stage === 'sdk' ? eras : ''}${suffix}`;
    return {
      number: index + 1,
      stage,
      title: say(`stage.${stage}${eras}`),
      ...(stage === 'sdk' ? { milestone: 'sdk' as const } : stage === context.entryStage ? { milestone: 'entry' as const } : {}),
      owner: context.options.owner,
      items: items.map((item) => ({ id: item.id, title: titleOf(item), remedy: item.remedy, minutes: item.effort })),
      order: orderOf(context, stage, items),
      entry: [
        previous === undefined ? say('entry.first') : say('entry.after', { number: index }),
        ...(stage === 'remove' ? [say(`entry.remove${suffix}`, { date: context.options.sunset })] : latest),
      ],
      exit: [say(exit)],
      metric: metricOf(context, stage),
      reversible: oneWay.length === 0,
      oneWay,
      rollback: steps,
      commands,
    };
  });
}
