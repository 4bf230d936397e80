import { factsOf, type Fact, type FactOf, type Finding, type Inventory, type Report, type Site, type Span } from '../../src/core/index.js';
import { hints, type Kind } from './words.js';

/** How many instances of a program run, and how that is written. */
export interface Instances extends Omit<FactOf<'instances'>, 'type' | 'site'> {
  readonly holder: string;
  readonly setting: string;
}

/** A number of instances; `undefined` when the value is none. */
export const counted = (
  value: unknown,
  unit: 'instances' | 'worker processes' = 'instances',
): Pick<Instances, 'amount' | 'words' | 'processes'> | undefined => {
  const count = typeof value === 'number' ? value : typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : undefined;
  if (count === undefined) return undefined;
  return { amount: count > 1 ? 'several' : 'one', words: `${count} ${unit}`, processes: unit === 'worker processes' };
};

/** What a platform does that starts an instance for each request when it must. */
export const ON_DEMAND = { amount: 'on-demand', words: 'as many instances as there are requests', processes: false } as const;

/** Says how many instances run, and asks `judgeInstances` whether sessions stand in the way. */
export function reportInstances(report: Report<Kind>, at: Span, { holder, setting, ...fact }: Instances): void {
  report.fact({ type: 'instances', site: report.site(at), ...fact });
  if (fact.amount === 'one') return;
  report.finding('instances-beside-sessions', at, {
    group: 'instances-beside-sessions',
    certainty: 'possible',
    data: { holder, setting, amount: fact.words, ...hints('instances-beside-sessions') },
  });
}

/** True when one folder is the other or lies below it. */
const related = (a: string, b: string): boolean => a === '.' || b === '.' || a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);

/**
 * Keeps what runs a server with sessions of its own in more than one instance, with the places of these sessions. Dropped when clients
 * are pinned, when no session is kept, and when a workload beside it is the one that is named after MCP. Pure.
 */
export function judgeInstances(finding: Finding, inventory: Inventory, facts: readonly Fact[]): Finding | undefined {
  const instances = factsOf(facts, 'instances');
  const own = instances.find((fact) => isAt(fact.site, finding.site));
  if (own === undefined || finding.role === 'test') return undefined;
  if (!own.processes && factsOf(facts, 'affinity').length > 0) return undefined;
  const folder = packageOf(finding.site.file, inventory);
  const sessions = inventory.endpoints.filter(
    ({ era, transport, sessions: kept, package: owner }) =>
      era !== 'modern' && transport !== 'stdio' && (kept === 'minted' || transport === 'sse') && related(owner, folder),
  );
  if (sessions.length === 0) return undefined;
  const starts = sessions.some(({ routes, transports }) => [...routes, ...transports].some(({ file }) => file === finding.site.file));
  const named = own.named || starts || isNamedAfter(finding, sessions[0]?.package, inventory);
  const others = instances.some((fact) => fact.named && folderOf(fact.site.file) === folderOf(own.site.file));
  if (!named && (others || new Set(inventory.endpoints.map((endpoint) => endpoint.package)).size > 1)) return undefined;
  const places = sessions.flatMap(({ transports, routes }) => (transports.length > 0 ? transports : routes)).slice(0, 3);
  return {
    ...finding,
    certainty: named ? 'likely' : 'possible',
    related: places,
    evidence: places.map(({ file, line }) => `sessions are kept by the process of ${file}:${line}`),
  };
}

/** Is the workload called like the package that keeps the sessions? */
function isNamedAfter(finding: Finding, folder: string | undefined, inventory: Inventory): boolean {
  const name = inventory.packages
    .find((entry) => entry.folder === folder)
    ?.name?.split('/')
    .at(-1);
  return name !== undefined && String(finding.data['holder']).includes(`\`${name}\``);
}

const folderOf = (file: string): string => file.slice(0, Math.max(0, file.lastIndexOf('/')));

const isAt = (a: Site, b: Site): boolean => a.file === b.file && a.span.start === b.span.start && a.span.end === b.span.end;

const packageOf = (file: string, inventory: Inventory): string =>
  inventory.packages
    .map(({ folder }) => folder)
    .filter((folder) => folder === '.' || file.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0] ?? '.';
