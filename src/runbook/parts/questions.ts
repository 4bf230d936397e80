import { isFault, type Endpoint, type OpenQuestion, type Phrase, type RunbookModel, type Site, type Stage } from '../../core/index.js';
import { isSse, modernAddresses, pathOf } from '../addresses.js';
import { sitesOf, type Context } from '../context.js';
import { brokenPromises, hintsOf, promisesIn } from '../dates.js';
import { DEPRECATIONS } from '../deprecations.js';
import { say, words } from '../messages.js';
import { attested, checklist } from './checklist.js';
import { LEAD_DAYS, metricsFound } from './rollout.js';
import { addDays } from '../dates.js';

const placesOf = (endpoint: Endpoint): readonly Site[] => (endpoint.routes.length > 0 ? endpoint.routes : endpoint.transports);

/** Part 16. What the code cannot tell, who must answer it, and before which phase. */
export function openQuestions(context: Context): readonly OpenQuestion[] {
  const list: OpenQuestion[] = [];
  const ask = (key: string, who: OpenQuestion['who'], before: Stage, sites: readonly Site[] = [], data?: Readonly<Record<string, string | number>>): void => {
    list.push({ question: say(`question.${key}.ask`, data), who, why: say(`question.${key}.why`, data), before, number: context.number(before), sites });
  };
  const http = context.networked;
  if (context.kind === 'elsewhere') ask('server', 'owner', context.stages[0] ?? 'dual');
  if (http && context.legacyExists) {
    if (metricsFound(context).length === 0) ask('metric', 'metrics', 'observe');
    ask('clients', 'clients', 'default');
    ask('recovery', 'clients', 'dual');
    ask('monitors', 'platform', 'observe');
    ask('timeouts', 'platform', 'dual');
  }
  /** One question for all endpoints that it is about. */
  const askOf = (key: string, who: OpenQuestion['who'], before: Stage, endpoints: readonly Endpoint[]): void => {
    const paths = [...new Set(endpoints.map(pathOf))];
    if (endpoints.length > 0) ask(key, who, before, endpoints.flatMap(placesOf), { paths: paths.join(', ') });
  };
  const { http: endpoints } = context;
  askOf(
    'exposure',
    'security',
    'dual',
    endpoints.filter(({ exposure }) => exposure === 'unknown'),
  );
  askOf(
    'path',
    'owner',
    'observe',
    endpoints.filter(({ path }) => path === undefined),
  );
  askOf(
    'probe',
    'owner',
    'observe',
    endpoints.filter((endpoint) => endpoint.era === 'legacy' && endpoint.transports.length === 0 && !isSse(endpoint)),
  );
  askOf(
    'sessions',
    'owner',
    'dual',
    endpoints.filter((endpoint) => endpoint.sessions === 'unknown' && !isSse(endpoint)),
  );
  askOf(
    'modern-path',
    'owner',
    'dual',
    modernAddresses(context).flatMap(({ beside, built, endpoint }) => (beside && built === undefined ? [endpoint] : [])),
  );
  const sse = context.http.filter((endpoint) => endpoint.transport === 'sse');
  if (sse.length > 0)
    ask(
      'sse',
      'clients',
      'remove',
      sse.flatMap((endpoint) => endpoint.routes),
    );
  if (context.scan.inventory.clients.length > 0) ask('own-clients', 'clients', 'default', context.scan.inventory.clients);
  if (context.kind === 'http') ask('idempotency', 'tools', 'dual');
  if (context.kind === 'http') ask('lists', 'tools', 'dual');
  const external = context.scan.inventory.stores.filter((store) => store.form === 'external' || store.holds === 'unknown');
  if (external.length > 0)
    ask(
      'stores',
      'tools',
      'dual',
      external.map((store) => store.site),
    );
  const asking = context.findings.filter(
    (finding) => finding.category === 'push' && ['elicitation', 'sampling', 'roots', 'request'].includes(hintsOf(finding).what ?? ''),
  );
  if (asking.length > 0 && http) ask('state-key', 'security', 'dual', sitesOf(asking));
  const resources = context.findings.filter((finding) => finding.category === 'resource');
  if (resources.length > 0) ask('instance', 'platform', 'dual', sitesOf(resources));
  if (context.kind === 'library') ask('semver', 'owner', context.stages[0] ?? 'dual');
  const documents = context.findings.filter((finding) => finding.category === 'docs');
  ask(documents.length > 0 ? 'docs-elsewhere' : 'docs', 'docs', 'dual', sitesOf(documents));
  const untested = checklist(context).filter((entry) => entry.evidence === 'not-tested' || entry.evidence === 'inconclusive').length;
  if (untested > 0) ask('untested', 'owner', 'default', [], { count: untested });
  for (const check of attested(context))
    list.push({
      question: say('question.attest.ask', { id: check.id, title: check.title }),
      who: 'owner',
      why: words(check.failure),
      before: 'default',
      number: context.number('default'),
      sites: [],
    });
  // What is left out by policy (generated, vendored) is listed, and asks nobody.
  const unread = context.scan.notAnalysed.filter(isFault).length;
  if (unread > 0) ask('not-analysed', 'owner', context.stages[0] ?? 'dual', [], { count: unread });
  return list.sort((a, b) => a.number - b.number);
}

/** Dates that concern the removal: promises of the repository, then the deprecation registry for features that it uses. */
export function datesOf(context: Context): RunbookModel['dates'] {
  const { sunset } = context.options;
  const broken = new Set(brokenPromises(context.findings, sunset).map((promise) => promise.finding));
  const promised = promisesIn(context.findings).map((promise) => ({
    date: promise.date,
    kind: 'promise' as const,
    what: say(broken.has(promise.finding) ? 'date.promise-broken' : 'date.promise-kept', { date: promise.date, sunset }),
    source: `${promise.finding.site.file}:${promise.finding.site.line}`,
    conflict: broken.has(promise.finding),
    sites: sitesOf([promise.finding]),
  }));
  const registry = DEPRECATIONS.flatMap((entry) => {
    const uses = context.findings.filter((finding) => hintsOf(finding).deprecated === entry.id);
    const sse =
      entry.id === 'http-sse'
        ? context.http.filter((endpoint) => endpoint.transport === 'sse' || endpoint.transport === 'sse-post').flatMap((endpoint) => endpoint.routes)
        : [];
    const sites = [...sitesOf(uses), ...sse];
    if (sites.length === 0) return [];
    const passed = context.options.now >= entry.earliest;
    return [
      {
        date: entry.earliest,
        kind: 'deprecation' as const,
        what: say(passed ? 'date.eligible' : 'date.deprecated', {
          title: entry.title,
          since: entry.since,
          wording: entry.wording,
          replacement: entry.replacement,
        }),
        source: entry.source,
        conflict: false,
        sites,
      },
    ];
  });
  return [...promised, ...registry];
}

/** The gate of the removal: a metric and a date, and who holds it. */
export function removalGate(context: Context): readonly Phrase[] {
  if (!context.legacyExists) return [];
  const { sunset, owner } = context.options;
  if (!context.networked) return [say('gate.package', { date: sunset }), say('gate.owner', { owner })];
  const names = [...new Set(metricsFound(context).map((metric) => metric.name))].slice(0, 3).join(', ');
  return [
    names === '' ? say('gate.metric-missing') : say('gate.metric', { names }),
    say('gate.survives'),
    say('gate.announce', { date: addDays(sunset, -(LEAD_DAYS.warn ?? 30)) }),
    say('gate.date', { date: sunset }),
    say('gate.owner', { owner }),
    say(context.kind === 'elsewhere' ? 'gate.after-elsewhere' : 'gate.after'),
  ];
}
