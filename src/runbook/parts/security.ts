import { acceptanceOf, riskOf, type Finding, type Phrase, type RunbookModel, type Site } from '../../core/index.js';
import { pathOf } from '../addresses.js';
import { sitesOf, type Context } from '../context.js';
import { hintsOf } from '../dates.js';
import { say } from '../messages.js';

type Row = RunbookModel['security'][number];

const row = (topic: string, state: Row['state'], key: string, sites: readonly Site[], data?: Readonly<Record<string, string>>): Row => ({
  topic: say(`security.${topic}.topic`),
  state,
  what: say(`security.${topic}.${key}`, data),
  sites,
});

/** Part 13. What guards each endpoint today, and the rules that the change must keep. */
export function securityRows(context: Context): readonly Row[] {
  const reached = context.http.filter((endpoint) => endpoint.exposure !== 'loopback');
  const local = context.http.length > 0 && reached.length === 0;
  const asking = context.findings.filter(
    (finding) => finding.category === 'push' && ['elicitation', 'sampling', 'roots', 'request'].includes(hintsOf(finding).what ?? ''),
  );
  const auth = context.findings.filter((finding) => finding.category === 'auth');
  const policy = context.findings.filter((finding) => finding.category === 'policy');
  const retries = context.findings.filter((finding) => hintsOf(finding).reject === 'blind-retry');
  const rows: Row[] = [];
  for (const endpoint of reached) {
    const path = { path: pathOf(endpoint) };
    const places = [...endpoint.routes];
    rows.push(
      endpoint.authentication.length > 0
        ? row('authentication', 'found', 'found', endpoint.authentication, path)
        : row('authentication', endpoint.exposure === 'public' ? 'missing' : 'unknown', endpoint.exposure === 'public' ? 'missing' : 'unknown', places, path),
    );
    rows.push(
      endpoint.originPolicy.length > 0
        ? row('origin', 'found', 'found', endpoint.originPolicy, path)
        : row('origin', endpoint.exposure === 'public' ? 'missing' : 'unknown', endpoint.exposure === 'public' ? 'missing' : 'unknown', places, path),
    );
  }
  if (local)
    rows.push(
      row(
        'exposure',
        'found',
        'loopback',
        context.http.flatMap((endpoint) => endpoint.originPolicy),
      ),
    );
  if (context.http.length > 0 || (context.networked && auth.length > 0)) rows.push(row('authorization', 'rule', 'rule', sitesOf(auth)));
  if (policy.length > 0) rows.push(row('policy', 'rule', 'rule', sitesOf(policy)));
  if (context.http.length > 0 || retries.length > 0)
    rows.push(row('retry', retries.length > 0 ? 'missing' : 'rule', retries.length > 0 ? 'missing' : 'rule', sitesOf(retries)));
  if (asking.length > 0) rows.push(row('request-state', 'rule', 'rule', sitesOf(asking)));
  if (context.http.length > 0) rows.push(row('cache', 'rule', 'rule', []), row('reflection', 'rule', 'rule', []));
  if (context.kind === 'stdio') rows.push(row('stdio', 'rule', 'rule', []));
  return rows;
}

/** Part 15. Choices with what was not chosen and why; lane decisions have their own part. */
export function decisions(context: Context): RunbookModel['decisions'] {
  const decision = (key: string, rejected: readonly string[], sites: readonly Site[] = []) => ({
    title: say(`decision.${key}.title`),
    decision: say(`decision.${key}.decision`),
    reason: say(`decision.${key}.reason`),
    rejected: rejected.map((option) => ({ option: say(`decision.${key}.${option}.option`), why: say(`decision.${key}.${option}.why`) })),
    sites,
  });
  const of = (...categories: readonly Finding['category'][]): readonly Finding[] => context.findings.filter((finding) => categories.includes(finding.category));
  const list = [];
  if (context.stages.includes('sdk') && context.stages.includes('dual')) {
    const steps = decision('two-steps', ['one']);
    list.push(context.sdkStep === 'wire' ? steps : { ...steps, reason: say(`decision.two-steps.reason-${context.sdkStep}`) });
  }
  const sessions = context.http.some((endpoint) => endpoint.sessions !== 'none' && endpoint.era !== 'modern');
  if (sessions) list.push(decision('no-session-store', ['redis', 'token', 'rename', 'sticky']));
  const state = of('state', 'resource');
  if (state.length > 0) list.push(decision('handles', ['request-state', 'principal-only'], sitesOf(state)));
  if (sessions) list.push(decision('window', ['big-bang', 'forever']));
  const asking = of('push').filter((finding) => ['elicitation', 'sampling', 'roots', 'request'].includes(hintsOf(finding).what ?? ''));
  if (asking.length > 0) list.push(decision('input', ['keep-push'], sitesOf(asking)));
  const affinity = of('infra').filter((finding) => finding.data.affinity === true && context.stageOf(finding) === 'clean');
  if (affinity.length > 0) list.push(decision('affinity', ['first', 'never'], sitesOf(affinity)));
  if (context.kind === 'stdio') list.push(decision('stdio', ['modern-only']));
  return list;
}

/** Exceptions and refusals, with the reason of an accepted risk. */
export function refusalRows(context: Context): RunbookModel['refusals'] {
  const accepted = context.options.acceptedRisks ?? {};
  const all = new Map([...context.scan.plan.refusals, ...context.scan.refusals].map((refusal) => [riskOf(refusal), refusal]));
  const told = new Set<string>();
  return [...all.values()].map((refusal) => {
    // The way out is the same for all things that one rule refuses: it is told once.
    const again = told.has(refusal.reason.next);
    told.add(refusal.reason.next);
    const reason = acceptanceOf(refusal, accepted);
    const phrase = (text: string): Phrase => ({ text });
    return {
      id: riskOf(refusal),
      title: refusal.title,
      why: phrase(refusal.reason.why),
      ...(again ? {} : { next: phrase(refusal.reason.next) }),
      ...(reason === undefined ? {} : { accepted: reason }),
      sites: refusal.reason.sites,
    };
  });
}
