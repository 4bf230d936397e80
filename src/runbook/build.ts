import type { Check, Finding, RunbookModel, ScanResult } from '../core/index.js';
import { storeName } from './addresses.js';
import { contextOf, type Context, type RunbookOptions } from './context.js';
import { hintsOf } from './dates.js';
import { checklist, completion } from './parts/checklist.js';
import { endpointTables } from './parts/endpoints.js';
import { laneEntries, removedBehaviour, requestMetadata, responseMap, subscriptionPart } from './parts/lanes.js';
import { datesOf, openQuestions, removalGate } from './parts/questions.js';
import { infraChanges, rollbackBoundary } from './parts/boundary.js';
import { rollout } from './parts/rollout.js';
import { variablesOf } from './parts/variables.js';
import { decisions, refusalRows, securityRows } from './parts/security.js';
import { stateInventory, testTable, windowRules } from './parts/state.js';
import { topologyOf } from './parts/topology.js';
import { traces } from './parts/traces.js';

function packagesOf(context: Context): RunbookModel['packages'] {
  return context.scan.inventory.packages
    .filter((entry) => entry.candidate)
    .map((entry) => ({
      folder: entry.folder,
      name: entry.name ?? entry.folder,
      sdk: entry.sdk.length === 0 ? '—' : entry.sdk.map((major) => `v${major}`).join(' + '),
      ahead: entry.ahead,
    }));
}

function effortOf(scan: ScanResult): RunbookModel['effort'] {
  const automatic = scan.plan.items.filter((item) => item.remedy === 'automatic').reduce((sum, item) => sum + item.effort, 0);
  const total = scan.plan.items.reduce((sum, item) => sum + item.effort, 0);
  return { total, automatic, people: total - automatic };
}

/** Keys of sessions outside of the process, one row for each key. */
function outsideStores(context: Context): RunbookModel['parts']['stores'] {
  const keys = new Map<string, Finding[]>();
  for (const finding of context.findings) {
    const { outside } = hintsOf(finding);
    if (outside !== undefined) keys.set(outside, [...(keys.get(outside) ?? []), finding]);
  }
  return [...keys].map(([name, findings]) => ({ name, holds: 'state', form: 'external', sites: findings.map((finding) => finding.site) }));
}

/** What was not read, files with one reason together. */
function unread(scan: ScanResult): RunbookModel['notAnalysed'] {
  const reasons = new Map<string, string[]>();
  for (const { file, line, reason } of scan.notAnalysed)
    reasons.set(reason, [...(reasons.get(reason) ?? []), line === undefined ? file : `${file}:${String(line)}`]);
  return [...reasons].map(([reason, files]) => ({ files, reason }));
}

/** Last part of a path, as the name of a repository. */
const nameOf = (root: string): string =>
  root
    .split(/[\\/]/)
    .filter((part) => part !== '' && part !== '.')
    .at(-1) ?? 'repository';

/**
 * Builds the model of a runbook. Pure: the same scan, checks and options give the same model.
 * `options.sunset` and `options.owner` must have passed `checkDates`.
 */
export function buildRunbook(scan: ScanResult, checks: readonly Check[], options: RunbookOptions): RunbookModel {
  const context = contextOf(scan, checks, options);
  const stages = rollout(context);
  const count = (remedy: string): number => scan.plan.items.filter((item) => item.remedy === remedy).length;
  const { evidence } = options;
  const subscriptions = subscriptionPart(context);
  const helpers = scan.inventory.applicationSessions;
  return {
    schemaVersion: '1',
    tool: scan.tool,
    repository: {
      name: nameOf(scan.target.root),
      ...(scan.target.commit === undefined ? {} : { commit: scan.target.commit }),
      dirty: scan.target.dirty ?? false,
    },
    written: options.now,
    owner: options.owner,
    sunset: options.sunset,
    kind: context.kind,
    networked: context.networked,
    sdkStep: context.sdkStep,
    milestone: scan.milestone,
    effort: effortOf(scan),
    counts: {
      packages: scan.inventory.packages.filter((entry) => entry.candidate).length,
      endpoints: context.http.length + context.stdio.length,
      findings: context.findings.length,
      items: scan.plan.items.length,
      automatic: count('automatic'),
      guided: count('guided'),
      manual: count('manual'),
      refused: count('refused'),
      none: count('none'),
    },
    legacyExists: context.legacyExists,
    packages: packagesOf(context),
    parts: {
      servers: scan.inventory.servers.map((server) => ({ name: server.className, sites: [server.site] })),
      stores: [
        ...scan.inventory.stores.map((store) => ({ name: storeName(store.symbol.name), holds: store.holds, form: store.form, sites: [store.site] })),
        ...outsideStores(context),
      ],
      clients: scan.inventory.clients,
      retired: scan.inventory.legacyLane,
    },
    endpoints: endpointTables(context),
    stdio: context.stdio.map((endpoint) => ({ package: endpoint.package, sites: [...endpoint.transports, ...endpoint.routes] })),
    lanes: laneEntries(context),
    responses: responseMap(context),
    removed: removedBehaviour(context),
    metadata: requestMetadata(context),
    ...(subscriptions === undefined ? {} : { subscriptions }),
    state: stateInventory(context),
    ...(helpers === undefined ? {} : { helpers: helpers.map(({ name, site }) => ({ name, sites: [site] })) }),
    window: windowRules(context),
    traces: traces(context),
    rollout: stages,
    boundary: rollbackBoundary(context, stages),
    infra: infraChanges(context),
    tests: testTable(context),
    security: securityRows(context),
    variables: variablesOf(context),
    checklist: checklist(context),
    ...(evidence === undefined
      ? {}
      : {
          evidence: {
            address: evidence.target.address,
            startedAt: evidence.startedAt,
            ...(evidence.inconclusive === undefined ? {} : { inconclusive: evidence.inconclusive }),
          },
        }),
    completion: completion(context),
    decisions: decisions(context),
    refusals: refusalRows(context),
    questions: openQuestions(context),
    notAnalysed: unread(scan),
    dates: datesOf(context),
    gate: removalGate(context),
    topology: topologyOf(context),
  };
}
