import {
  shellWord,
  type Finding,
  type InfraEntry,
  type MessageData,
  type Phrase,
  type RolloutStage,
  type RunbookModel,
  type Site,
  type Stage,
  type WorkItem,
} from '../../core/index.js';
import { choiceOf, grouped, modernAddresses, nextOf, pathOf, sitesOf, whatOf, type Context } from '../context.js';
import { addDays, hintsOf } from '../dates.js';
import { say, words } from '../messages.js';

type Order = RolloutStage['order'][number];

/** Days before the removal by which a stage must have begun, so that the stages after it have room. */
export const LEAD_DAYS: Readonly<Partial<Record<Stage, number>>> = { observe: 44, dual: 37, default: 37, warn: 30 };

/** Names of metrics, log fields and events that the code writes and that involve sessions, with their places. */
export function metricsFound(context: Context): readonly { readonly name: string; readonly finding: Finding }[] {
  return context.findings.flatMap((finding) => {
    const name = hintsOf(finding).metric;
    return name === undefined ? [] : [{ name, finding }];
  });
}

function metricOf(context: Context, stage: Stage): Phrase {
  const found = metricsFound(context);
  const http = context.kind === 'http';
  if (!http) return say('metric.published');
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

const isProbe = (finding: Finding): boolean => /probe|health/.test(finding.id);

/** Changes in the order in which they must land: what measures, what would fail, what filters, the code, who calls it, what routed by session. */
function orderOf(context: Context, stage: Stage, items: readonly WorkItem[]): readonly Order[] {
  const at = (layer: Order['layer'], key: string, sites: readonly Site[] = []): Order => ({
    layer,
    change: say(`order.${key}`, { date: context.options.sunset }),
    sites,
  });
  const infra = changesOf(context, stage, 'infra', (finding) => (isProbe(finding) ? 'probe' : 'balancer'));
  const gateway = changesOf(context, stage, 'gateway', () => 'gateway');
  const docs = changesOf(context, stage, 'docs', () => 'docs');
  const http = context.kind === 'http';
  const legacyModes = new Set(context.http.map((endpoint) => choiceOf(context, endpoint)));
  const affine = context.findings.filter((finding) => finding.data.affinity === true);
  // What pins clients stays while old ones need it; what would pin modern requests is bridged first and goes with the rest.
  const kept = affine.filter((finding) => context.stageOf(finding) === 'clean');
  const bridged = affine.filter((finding) => context.stageOf(finding) !== 'clean');
  const fixed: Readonly<Record<Stage, readonly Order[]>> = {
    observe: [at('metric', 'metric'), ...(infra.some((change) => change.layer === 'probe') ? [] : [at('probe', 'probe')])],
    sdk: [],
    dual: [...(http ? [at('gateway', 'headers')] : []), ...(kept.length > 0 ? [at('balancer', 'keep-affinity', sitesOf(kept))] : [])],
    default: [at('client', http ? 'clients' : 'clients-stdio')],
    warn: [at('code', 'sunset-header')],
    remove: [at('code', 'retire')],
    clean: [
      ...(legacyModes.has('sessionful') || legacyModes.has('separate') ? [at('code', 'stores')] : []),
      ...(bridged.length > 0 ? [at('balancer', 'drop-affinity', sitesOf(bridged))] : []),
    ],
  };
  const code = items
    .filter((item) => !['infra', 'gateway', 'docs'].includes(item.category))
    .map((item): Order => ({ layer: item.category === 'telemetry' ? 'metric' : 'code', change: words(titleOf(item)), ...workOf(item), sites: item.sites }));
  const rank: Readonly<Record<Order['layer'], number>> = { metric: 0, probe: 1, gateway: 2, code: 3, client: 4, balancer: 5, docs: 6 };
  return countedOnce([...fixed[stage], ...infra, ...gateway, ...code, ...docs].sort((a, b) => rank[a.layer] - rank[b.layer]));
}

/** One-way steps of a stage: those the planner found, and those that the stage is by nature. */
function oneWayOf(context: Context, stage: Stage): readonly Phrase[] {
  const planned = context.scan.plan.phases.filter((_phase, index) => phaseStage(context, index) === stage).flatMap((phase) => phase.oneWay);
  const http = context.kind === 'http';
  const nature =
    stage === 'remove'
      ? [say(http ? 'one-way.gone' : 'one-way.published', { date: context.options.sunset })]
      : stage === 'clean' && http
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
  if (!phase.reversible) {
    const later = phases.slice(index + 1).some((other) => !other.reversible);
    return later || !lanes.some((lane) => lane.choice !== 'none') ? 'default' : 'remove';
  }
  if (phase.milestone === 'sdk') return 'sdk';
  const item = items.find((candidate) => phase.items.includes(candidate.id));
  return item === undefined ? 'observe' : context.stageOfItem(item);
}

function rollbackOf(context: Context, stage: Stage): { readonly steps: readonly Phrase[]; readonly commands: readonly string[] } {
  const merge = `git revert --no-edit "$P${context.number(stage)}_COMMIT"`;
  const install = context.options.install ?? 'npm install';
  const published = context.kind !== 'http';
  const verify = context.stages.includes('dual') && context.kind === 'http' ? ['npx unsession verify "$MCP_URL"'] : [];
  const revert = (key: string, commands: readonly string[]) => ({ steps: [say(`rollback.${key}`)], commands });
  switch (stage) {
    case 'observe':
      return revert('observe', [merge]);
    case 'sdk':
      return revert(published ? 'published' : 'sdk', [merge, install]);
    case 'dual':
      return revert(published ? 'published' : 'dual', [merge, install, ...verify]);
    case 'default':
      return revert('default', []);
    case 'warn':
      return revert('warn', [merge]);
    case 'remove':
      return revert(published ? 'remove-published' : 'remove', [merge, install, ...verify]);
    case 'clean':
      return revert('clean', [merge]);
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
    const suffix = context.kind === 'http' ? '' : '-package';
    return {
      number: index + 1,
      stage,
      title: say(`stage.${stage}`),
      ...(stage === 'sdk' ? { milestone: 'sdk' as const } : stage === context.entryStage ? { milestone: 'entry' as const } : {}),
      owner: context.options.owner,
      items: items.map((item) => ({ id: item.id, title: titleOf(item), remedy: item.remedy, minutes: item.effort })),
      order: orderOf(context, stage, items),
      entry: [
        previous === undefined ? say('entry.first') : say('entry.after', { number: index }),
        ...(stage === 'remove' ? [say(`entry.remove${suffix}`, { date: context.options.sunset })] : latest),
      ],
      exit: [say(`exit.${stage}${suffix}`)],
      metric: metricOf(context, stage),
      reversible: oneWay.length === 0,
      oneWay,
      rollback: steps,
      commands,
    };
  });
}

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
          rollback: say(`infra-rollback.${first.category}`),
          sites: sitesOf(group),
        },
      ];
    })
    .sort((a, b) => a.number - b.number);
}

/** `export` lines and other values that the commands use. */
export function variablesOf(context: Context): RunbookModel['variables'] {
  const address = (context.options.address ?? 'http://127.0.0.1:3000').replace(/\/$/, '');
  const row = (name: string, value: string, key: string, data?: MessageData) => ({ name, value: shellWord(value), what: say(`variable.${key}`, data) });
  const addresses = modernAddresses(context);
  const separate = addresses.find(({ lane }) => lane === 'separate');
  const sse = context.http.find((endpoint) => endpoint.transport === 'sse');
  const clean = (path: string | undefined, otherwise: string): string => (path !== undefined && /^\/[\w./:-]*$/.test(path) ? path : otherwise);
  const replica = address.replace(/:(\d+)$/, (_whole, port: string) => `:${Number(port) + 1}`);
  return [
    ...addresses.map(({ endpoint, path, beside }, index) =>
      row(urlVariable(index), address + clean(path, beside ? '/mcp/v2' : '/mcp'), /^\/[\w./-]*$/.test(path ?? '') ? 'url' : 'url-set', {
        path: path ?? pathOf(endpoint),
        package: endpoint.package,
      }),
    ),
    ...(separate === undefined ? [] : [row('MCP_LEGACY_URL', address + clean(separate.endpoint.path, '/mcp'), 'legacy')]),
    ...addresses.slice(0, 1).map(({ path }) => row('MCP_REPLICA', replica + clean(path, '/mcp'), 'replica')),
    ...(sse === undefined ? [] : [row('MCP_SSE_URL', address + clean(sse.path, '/sse'), 'sse')]),
    ...stdioEntries(context).map(({ place }, index) =>
      row(commandVariable(index), (index === 0 ? context.options.command : undefined) ?? startOf(place), 'command', { place }),
    ),
    ...(context.scan.inventory.clients.length > 0 ? [row('MCP_CLIENT', 'node dist/client.js {url}', 'client')] : []),
  ];
}

/** Entries over stdio, or the servers of a library, which its users start: each with the file that starts it. */
export const stdioEntries = (context: Context): readonly { readonly place: string }[] => {
  const files = context.stdio.map((endpoint) => [...endpoint.transports, ...endpoint.routes][0]?.file ?? endpoint.id);
  const servers = context.kind === 'library' ? context.scan.inventory.servers.slice(0, 1).map((server) => server.site.file) : [];
  return [...new Set([...files, ...servers])].map((place) => ({ place }));
};

/** How a file is started when nobody said so: by its interpreter, or after a build. */
const startOf = (file: string): string =>
  file.endsWith('.py') ? `python ${shellWord(file)}` : /\.[cm]?js$/.test(file) ? `node ${shellWord(file)}` : 'node dist/index.js';

/** Variable that holds the command of the nth stdio entry. */
export const commandVariable = (index: number): string => (index === 0 ? 'MCP_COMMAND' : `MCP_COMMAND_${index + 1}`);

/** Variable that holds the address of the nth endpoint. */
export const urlVariable = (index: number): string => (index === 0 ? 'MCP_URL' : `MCP_URL_${index + 1}`);
