import type { MigrateResult, Milestone, NotAnalysed, Patch, Proof, Refusal, ScanResult, WorkItem } from '../core/index.js';
import { lineStarts, typesFail } from '../core/index.js';
import { type DiskSource, Overlay, encodedDiff, writeChanges, type Discovery } from '../workspace/index.js';
import { UsageError, type Knowledge, type ScanOptions } from './knowledge.js';
import { entryHasToWait } from './milestones.js';
import { byText } from './order.js';
import type { RenderShim } from './rewrite/compose.js';
import { Outcomes } from './rewrite/outcomes.js';
import { PositionMap } from './rewrite/positions.js';
import type { Proposal } from './rewrite/proposal.js';
import { runMilestone, wouldChange, type Run } from './rewrite/rounds.js';
import type { Scanner } from './scan/scan.js';
import type { Scanned } from './scan/types.js';
import type { Understanding } from './understand.js';

export interface MigrateOptions extends ScanOptions {
  /** Ids of work items; all when absent. */
  readonly items?: readonly string[];
  /** `all` by default. */
  readonly milestone?: Milestone | 'all';
  /** `safe` applies complete rewrites of automatic items only; `review` (default) also scaffolds. */
  readonly safety?: 'safe' | 'review';
  /** Writes the result; a dry run otherwise. */
  readonly write?: boolean;
  readonly allowDirty?: boolean;
  /** Compares the type errors before and after, and writes nothing when a new one stands at no marker, or packages for it are not installed. */
  readonly typecheck?: boolean;
  /** Asks about each item before it is applied. */
  readonly approve?: (item: WorkItem, proposal: Proposal) => boolean | Promise<boolean>;
  readonly renderShim: RenderShim;
}

/** What a migration starts from: one scan of the disk. */
export interface Start {
  readonly discovery: Discovery;
  readonly disk: DiskSource;
  readonly scanner: Scanner;
  readonly scanned: Scanned;
  readonly known: Understanding;
  readonly before: ScanResult;
  readonly knowledge: Knowledge;
  readonly options: MigrateOptions;
}

/** The changes of a migration, before the result is dressed up. */
export type Migrated = Pick<MigrateResult, 'outcomes' | 'patches' | 'proofs' | 'types' | 'idempotent' | 'refusals' | 'notAnalysed'> & {
  readonly total: Overlay;
};

const MILESTONES: readonly Milestone[] = ['sdk', 'entry'];

/** Runs that reject what is not idempotent; each rejects at least one item. */
const MAX_ATTEMPTS = 5;

/**
 * Both milestones on overlays, the second on top of the first, so that each is a patch of its own. Items that a second migration
 * would change again are rejected, and everything is done anew without them.
 * @throws UsageError for an unknown item, InternalFault when the rewrite does not converge
 */
export async function rewriteAll(start: Start): Promise<Migrated> {
  checkItems(start);
  const refused = refuseOrder(start);
  if (refused) return { ...nothing(start), refusals: [...start.before.refusals, refused] };

  const banned = new Set<string>();
  for (let attempt = 1; ; attempt++) {
    const { run, sdk, entry } = await rewriteOnce(start, banned);
    const again = run.proofs.size > 0 ? await wouldChange(run, entry) : [];
    if (again.length > 0 && attempt < MAX_ATTEMPTS) {
      for (const id of again) banned.add(id);
      await start.scanner.rescan(start.disk, entry.paths().length + sdk.paths().length > 0 ? [...new Set([...sdk.paths(), ...entry.paths()])] : []);
      continue;
    }
    return finish(start, run, sdk, entry, banned, again.length === 0);
  }
}

async function rewriteOnce(start: Start, banned: ReadonlySet<string>): Promise<{ readonly run: Run; readonly sdk: Overlay; readonly entry: Overlay }> {
  const { options } = start;
  const run: Run = {
    scanner: start.scanner,
    knowledge: start.knowledge,
    options,
    renderShim: options.renderShim,
    selection: { items: options.items ?? [], safety: options.safety ?? 'review', banned, approve: options.approve },
    outcomes: new Outcomes(),
    positions: new PositionMap(),
    proofs: new Map<string, Proof>(),
    scanned: start.scanned,
    known: start.known,
  };
  const sdk = new Overlay(start.disk);
  const entry = new Overlay(sdk);
  const wanted = MILESTONES.filter((milestone) => (options.milestone ?? 'all') === 'all' || options.milestone === milestone);
  for (const milestone of wanted) {
    const wait = entryHasToWait(run.known.inventory);
    await runMilestone(run, milestone === 'sdk' ? sdk : entry, milestone, milestone === 'sdk' ? () => undefined : wait);
  }
  return { run, sdk, entry };
}

function finish(start: Start, run: Run, sdk: Overlay, entry: Overlay, banned: ReadonlySet<string>, idempotent: boolean): Migrated {
  const { disk } = start;
  for (const item of start.known.plan.items) {
    if (!banned.has(item.id)) continue;
    run.outcomes.set(item, 'failed', {
      reason: {
        why: 'A second migration would change its result again.',
        next: `Do this item by hand, and report the fault of "${item.concern}".`,
        sites: item.sites,
      },
    });
  }
  const outcomes = run.outcomes
    .all()
    .map((outcome) =>
      outcome.reason
        ? { ...outcome, reason: { ...outcome.reason, sites: outcome.reason.sites.map((site) => run.positions.originalSite(site, disk.text(site.file))) } }
        : outcome,
    )
    .sort((a, b) => MILESTONES.indexOf(a.milestone) - MILESTONES.indexOf(b.milestone) || byText(a.item, b.item));
  const patches = [
    { milestone: 'sdk' as const, overlay: sdk },
    { milestone: 'entry' as const, overlay: entry },
  ].flatMap(({ milestone, overlay }): readonly Patch[] => {
    const changes = overlay.changed();
    const items = outcomes
      .filter((outcome) => outcome.milestone === milestone && (outcome.outcome === 'applied' || outcome.outcome === 'scaffolded'))
      .map((outcome) => outcome.item);
    const prefix = start.discovery.git?.prefix;
    return changes.length === 0 ? [] : [{ milestone, changes, ...encodedDiff(changes, overlay.base, prefix === undefined ? {} : { prefix }), items }];
  });
  const total = new Overlay(disk);
  for (const patch of patches) total.apply(patch.changes);
  const changed = new Set(total.paths());
  return {
    outcomes,
    patches,
    proofs: [...run.proofs.values()].filter((proof) => changed.has(proof.file)).sort((a, b) => byText(a.file, b.file)),
    idempotent,
    refusals: start.before.refusals,
    notAnalysed: run.scanned.notAnalysed.map((notice) => onDisk(notice, run.positions, disk)),
    total,
  };
}

/** The line of a notice, in the text that people have. */
function onDisk(notice: NotAnalysed, positions: PositionMap, disk: DiskSource): NotAnalysed {
  const text = notice.line === undefined ? undefined : disk.text(notice.file);
  if (notice.line === undefined || text === undefined) return notice;
  const start = lineStarts(text)[notice.line - 1] ?? 0;
  const site = positions.originalSite(
    { file: notice.file, span: { start, end: start }, line: notice.line, column: 1, endLine: notice.line, endColumn: 1 },
    text,
  );
  return { ...notice, line: site.line };
}

const nothing = (start: Start): Omit<Migrated, 'refusals'> => ({
  outcomes: [],
  patches: [],
  proofs: [],
  idempotent: true,
  notAnalysed: start.scanned.notAnalysed,
  total: new Overlay(start.disk),
});

/** @throws UsageError that names the ids that exist */
function checkItems({ known, options }: Start): void {
  const ids = known.plan.items.map((item) => item.id);
  const unknown = (options.items ?? []).filter((id) => !ids.includes(id));
  if (unknown.length === 0) return;
  throw new UsageError(
    `there is no work item ${unknown.map((id) => `"${id}"`).join(', ')}; ${ids.length > 0 ? `there is ${ids.slice(0, 20).join(', ')}${ids.length > 20 ? ', …' : ''}` : 'the scan found none'}`,
  );
}

/** The entry milestone alone, on code that still runs on SDK v1, is refused: its rewrites are written for v2. */
function refuseOrder({ known, options }: Start): Refusal | undefined {
  const wait = entryHasToWait(known.inventory);
  const wanted = known.plan.items.filter((item) => options.items === undefined || options.items.length === 0 || options.items.includes(item.id));
  const only = options.milestone === 'entry' || (options.items !== undefined && options.items.length > 0 && wanted.every((item) => item.milestone === 'entry'));
  if (!only) return undefined;
  const reasons = wanted.flatMap((item) => wait(item) ?? []);
  const [first] = reasons;
  return (
    first && { id: 'milestone-order', title: 'The SDK step comes first', reason: { ...first, sites: reasons.flatMap((reason) => reason.sites).slice(0, 10) } }
  );
}

/** Writes everything that was changed, in one journalled run. */
export async function write(start: Start, migrated: Migrated): Promise<boolean> {
  const changes = migrated.total.changed();
  if (start.options.write !== true || changes.length === 0 || typesFail(migrated.types)) return false;
  await writeChanges(start.discovery.root, changes, {
    before: start.disk,
    ...(start.options.allowDirty === undefined ? {} : { allowDirty: start.options.allowDirty }),
    label: `migrate --milestone ${start.options.milestone ?? 'all'}`,
  });
  return true;
}
