import type { Category, Finding, Phrase, RunbookModel, StateEntry } from '../../core/index.js';
import { choiceOf } from '../addresses.js';
import { grouped, sitesOf, whatOf, type Context } from '../context.js';
import { say } from '../messages.js';

/** Categories that are a use of the session; what it is used for decides the cure. */
const USES: readonly Category[] = ['state', 'resource', 'policy', 'auth', 'telemetry', 'lifecycle', 'push', 'transport'];

/** Decisions that the cure of a category needs; they are written under the inventory, one list for each entry that needs them. */
const PLANS: Readonly<Partial<Record<Category, readonly string[]>>> = {
  state: ['mint', 'owner', 'lifetime', 'quota', 'replica', 'refusal', 'overlap', 'legacy-key', 'model'],
  resource: ['mint', 'owner', 'lifetime', 'quota', 'instance', 'cleanup', 'overlap', 'refusal', 'legacy-key'],
  policy: ['policy-key', 'policy-blank', 'policy-test'],
  auth: ['auth-request', 'auth-order', 'auth-test'],
};

/** Name for the handle of a store: `carts` gives `cart_id`; a name that already ends so is kept. */
export function handleName(name: string): string {
  const last = name.split(/[.#]/).at(-1) ?? name;
  const snake = last
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/\W+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase();
  const core = snake.replace(/(_?(by|per|for)_?(session|sid|id|client|conn\w*))$|^(session|sid)s?_/g, '').replace(/_(map|store|cache|registry|table)$/, '');
  if (core === '' || /^(sessions?|state|data|store)$/.test(core)) return 'workflow_id';
  if (core.endsWith('_id')) return core;
  const single = /(ss|us|is)$/.test(core)
    ? core
    : core
        .replace(/ies$/, 'y')
        .replace(/(x|ch|sh)es$/, '$1')
        .replace(/s$/, '');
  return `${single}_id`;
}

const nameOf = (finding: Finding): string => (typeof finding.data.name === 'string' ? finding.data.name : '');
/** State of one server object may as well belong to the request or to the process: then it needs no handle at all. */
const isServers = (finding: Finding): boolean => finding.data.holder === 'server';

function planOf(category: Category, finding: Finding): readonly Phrase[] {
  const name = nameOf(finding);
  const whose = isServers(finding) ? [say('handle.whose')] : [];
  const decisions = (PLANS[category] ?? []).map((key) => say(`handle.${key}`, key === 'mint' ? { handle: handleName(name) } : undefined));
  return [...whose, ...decisions];
}

function entryOf(context: Context, group: readonly Finding[]): StateEntry | undefined {
  const first = group[0];
  if (first === undefined) return undefined;
  const item = context.item(first);
  const evidence = [...new Set(group.flatMap((finding) => finding.evidence))];
  return {
    rule: first.id,
    category: first.category,
    lane: first.lane,
    what: whatOf(context, first),
    evidence,
    cure: say(`cure.${first.category}`),
    plan: first.lane === 'legacy' ? [] : planOf(first.category, first),
    remedy: item?.remedy ?? (group.every((finding) => finding.impact === 'none') ? 'none' : 'manual'),
    ...(item === undefined ? {} : { item: item.id }),
    sites: sitesOf(group),
  };
}

/** Part 8: every use of a session, grouped by rule and store, state before plumbing. */
export function stateInventory(context: Context): readonly StateEntry[] {
  const rank = (entry: StateEntry): number => USES.indexOf(entry.category);
  return grouped(context.findings.filter((finding) => USES.includes(finding.category) && finding.milestone === 'entry'))
    .flatMap((group) => {
      const entry = entryOf(context, group);
      return entry === undefined ? [] : [{ entry, first: group[0] }];
    })
    .sort((a, b) => rank(a.entry) - rank(b.entry))
    .map(planOnce());
}

/**
 * One plan for one place: a use that an earlier entry of the same kind lists already is decided there. Variables of one server object share
 * their decisions: the first has them in full, the others name it.
 */
function planOnce(): (use: { readonly entry: StateEntry; readonly first: Finding | undefined }) => StateEntry {
  const planned = new Set<string>();
  const told = new Map<Category, string>();
  return ({ entry, first }) => {
    if (entry.plan.length === 0) return entry;
    const places = entry.sites.map((site) => `${entry.category} ${site.file}:${String(site.line)}`);
    const known = places.every((place) => planned.has(place));
    for (const place of places) planned.add(place);
    if (known) return { ...entry, plan: [] };
    const name = first !== undefined && isServers(first) ? nameOf(first) : '';
    if (name === '') return entry;
    const shared = told.get(entry.category);
    if (shared !== undefined) return { ...entry, plan: [say('handle.as-before', { name: shared, handle: handleName(name) })] };
    told.set(entry.category, name);
    return entry;
  };
}

/** What the compatibility window must keep to, as far as it applies here. */
export function windowRules(context: Context): readonly Phrase[] {
  if (!context.legacyExists) return [];
  if (!context.networked)
    return context.kind === 'stdio'
      ? [say('window.stdio'), say('window.marked', { date: context.options.sunset })]
      : [say('window.marked', { date: context.options.sunset })];
  const modes = new Set(context.http.filter((endpoint) => endpoint.era !== 'modern').map((endpoint) => choiceOf(context, endpoint)));
  const separate = modes.has('separate') || context.http.some((endpoint) => endpoint.transport === 'sse');
  return [
    say('window.era'),
    ...[...modes].filter((mode) => mode !== 'none').map((mode) => say(`window.${mode}`)),
    ...(separate ? [say('window.old-urls')] : []),
    say('window.marked', { date: context.options.sunset }),
    say('window.fallback'),
    say('window.redirect'),
    ...(context.kind === 'elsewhere' ? [] : [say('window.clients')]),
  ];
}

/** Security assertions stay; what asserts the old wire stays with the legacy lane and gets a twin; what only names the SDK changes with it. */
function fateOf(finding: Finding): RunbookModel['tests'][number]['fate'] {
  if (finding.category === 'auth' || finding.category === 'policy') return 'kept';
  return finding.milestone === 'sdk' ? 'changed' : 'twin';
}

/** Tests that assert the old behaviour: changed, kept or added, never deleted by a tool. */
export function testTable(context: Context): RunbookModel['tests'] {
  return grouped(context.testFindings).flatMap((group) => {
    const first = group[0];
    return first === undefined ? [] : [{ rule: first.id, what: whatOf(context, first), fate: fateOf(first), sites: sitesOf(group) }];
  });
}
