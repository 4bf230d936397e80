import { createHash } from 'node:crypto';
import { severityOf, type Assessment, type Concern, type Finding, type WorkItem } from '../../core/index.js';
import { concernsOf, InternalFault, type Knowledge } from '../knowledge.js';
import type { Links } from '../link/link.js';
import { byText, groupBy, uniqueSites, uniqueTexts } from '../order.js';

const SEVERITY = { error: 0, warning: 1, note: 2, info: 3 } as const;

/**
 * Groups findings into what has one cure: concern, package and group. An item of the SDK milestone may span packages: its
 * concern states one group for all packages that exchange types. Uses that only the legacy lane runs make no item.
 * When lanes are retired it is the other way round: only these make items, of the concerns that can remove a lane.
 */
export function itemsOf(
  findings: readonly Finding[],
  links: Links,
  knowledge: Knowledge,
  packageOf: (file: string) => string,
  known: Omit<Assessment, 'findings'>,
): readonly WorkItem[] {
  const concerns = concernsOf(knowledge);
  const retired = known.options.retire === true;
  const open = findings.filter((finding) =>
    retired ? finding.lane === 'legacy' && concerns.get(concernId(finding))?.retire !== undefined : finding.lane !== 'legacy',
  );
  const groups = groupBy(open, (finding) =>
    JSON.stringify([concernId(finding), finding.milestone, finding.milestone === 'sdk' ? '' : packageOf(finding.site.file), finding.group]),
  );
  const items = [...groups].flatMap(([key, members]): readonly WorkItem[] => {
    const concern = concerns.get(concernId(members[0]));
    return concern ? [assess(draft(key, concern, members, links, packageOf), concern, members, { ...known, findings })] : [];
  });
  return items.sort(
    (a, b) =>
      (a.milestone === b.milestone ? 0 : a.milestone === 'sdk' ? -1 : 1) ||
      byText(a.concern, b.concern) ||
      byText(a.package, b.package) ||
      byText(a.group, b.group),
  );
}

const concernId = (finding: Finding | undefined): string => finding?.id.slice(0, finding.id.indexOf('/')) ?? '';

function draft(key: string, concern: Concern, members: readonly Finding[], links: Links, packageOf: (file: string) => string): WorkItem {
  const worst = [...members].sort((a, b) => SEVERITY[severityOf(a)] - SEVERITY[severityOf(b)])[0] ?? members[0];
  const lanes = new Set(members.map((finding) => finding.lane));
  const [lane] = lanes;
  const packages = uniqueTexts(members.map((finding) => packageOf(finding.site.file)));
  const milestone = worst?.milestone ?? concern.milestone;
  const endpoint = milestone === 'entry' ? endpointOf(members, links, packages) : undefined;
  return {
    id: `${concern.id}-${createHash('sha256').update(key).digest('hex').slice(0, 6)}`,
    concern: concern.id,
    title: concern.title,
    group: members[0]?.group ?? '',
    package: packages[0] ?? '.',
    milestone,
    category: worst?.category ?? concern.category,
    lane: lanes.size === 1 && lane ? lane : 'both',
    findings: members.map((finding) => finding.fingerprint),
    files: uniqueTexts(members.map((finding) => finding.site.file)),
    sites: uniqueSites(members.map((finding) => finding.site)),
    ...(endpoint === undefined ? {} : { endpoint }),
    remedy: 'none',
    reason: '',
    todo: [],
    effort: concern.effort.base + concern.effort.each * members.length,
    closes: concern.closes ?? [],
    data: worst?.data ?? {},
  };
}

/** The endpoint that the group names, else the one that all places agree on, else the only one of the package. */
function endpointOf(members: readonly Finding[], links: Links, packages: readonly string[]): string | undefined {
  const endpoints = links.inventory.endpoints;
  if (endpoints.some((endpoint) => endpoint.id === members[0]?.group)) return members[0]?.group;
  const reached = members.map((finding) => links.endpointsAt(finding.site)).filter((ids) => ids.length > 0);
  const [first, ...others] = reached;
  const common = first?.filter((id) => others.every((ids) => ids.includes(id)));
  if (common?.length === 1) return common[0];
  const local = endpoints.filter((endpoint) => packages.includes(endpoint.package));
  return local.length === 1 ? local[0]?.id : undefined;
}

function assess(item: WorkItem, concern: Concern, members: readonly Finding[], known: Assessment): WorkItem {
  if (known.options.retire === true)
    return { ...item, remedy: 'automatic', reason: 'The lane is marked as one that this tool wrote; nothing modern depends on it.' };
  if (!concern.assess) {
    const inert = members.every((finding) => finding.impact === 'none');
    if (inert && !concern.rewrite) return { ...item, remedy: 'none', reason: 'Nothing has to change; it is listed for the record.' };
    return concern.rewrite
      ? { ...item, remedy: 'automatic', reason: 'The rewrite proves its precondition at each place.' }
      : { ...item, remedy: 'manual', reason: 'No rewrite exists for it.' };
  }
  try {
    const { remedy, reason, todo, data } = concern.assess(item, known);
    return { ...item, remedy, reason, todo: todo ?? [], data: { ...item.data, ...data } };
  } catch (error) {
    throw new InternalFault(
      `assessing ${item.id} (${item.files[0] ?? ''}) failed in "${concern.id}": ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
