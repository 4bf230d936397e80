import { factsOf, type Endpoint, type Fact, type Rule, type Site } from '../../src/core/index.js';
import { refusal, refusalOf, reported } from './evidence.js';

/** Origin checks whose list lets everybody in. */
function wildcards(facts: readonly Fact[]): ReadonlySet<string> {
  const open = factsOf(facts, 'guard').filter((fact) => (fact.what === 'origin' || fact.what === 'cors') && fact.allows.includes('*'));
  return new Set(open.map((fact) => `${fact.site.file}:${fact.site.span.start}`));
}

const exact = (endpoint: Endpoint, open: ReadonlySet<string>): boolean => endpoint.originPolicy.some((site) => !open.has(`${site.file}:${site.span.start}`));

/** Public exposure without authentication, authorization and an exact Origin policy. Loopback and unknown addresses are not public. */
export const publicExposure: Rule = {
  id: 'public-exposure',
  title: 'Public endpoint without authentication or exact Origin policy',
  spec: ['basic/transports/streamable-http'],
  evaluate(inventory, _plan, _findings, facts) {
    const open = wildcards(facts);
    const bare = inventory.endpoints.filter(
      (endpoint) => endpoint.transport !== 'stdio' && endpoint.exposure === 'public' && (endpoint.authentication.length === 0 || !exact(endpoint, open)),
    );
    const lacking = (endpoint: Endpoint): string =>
      [
        ...(endpoint.authentication.length === 0 ? ['authentication'] : []),
        ...(exact(endpoint, open) ? [] : [endpoint.originPolicy.length === 0 ? 'Origin policy' : 'exact Origin list (it allows `*`)']),
      ].join(' and no ');
    return bare.map((endpoint) =>
      refusalOf(
        this,
        endpoint.id,
        endpoint.routes.length > 0 ? endpoint.routes : endpoint.transports,
        `\`${endpoint.path ?? endpoint.id}\` listens on a public address and has no ${lacking(endpoint)}. Every web page and every host that reaches it can call the tools.`,
        'Put authentication and an exact list of origins in front of both lanes, bind to a loopback address, or accept the risk when a gateway outside of this repository does it.',
      ),
    );
  },
};

/** Routing that pins a client to an instance, in the place of state that the caller can name. */
export const hiddenAffinity: Rule = {
  id: 'hidden-affinity',
  title: 'Sticky routing instead of explicit state',
  spec: ['basic/index'],
  evaluate(inventory, plan, findings) {
    const sticky = findings.filter((finding) => finding.category === 'infra' && finding.data.affinity === true);
    if (sticky.length === 0) return [];
    const planned = new Set(plan.items.filter((item) => item.remedy !== 'none' && item.remedy !== 'refused').flatMap((item) => item.findings));
    const hidden = findings.filter(
      (finding) =>
        (finding.category === 'state' || finding.category === 'resource') &&
        finding.lane !== 'legacy' &&
        finding.role === 'source' &&
        !planned.has(finding.fingerprint),
    );
    const migrated = inventory.endpoints.filter((endpoint) => endpoint.era !== 'legacy');
    const kept: readonly Site[] = migrated
      .flatMap((endpoint) => endpoint.state)
      .filter(
        (site) => !findings.some((finding) => finding.lane === 'legacy' && finding.site.file === site.file && finding.site.span.start === site.span.start),
      );
    const state = [...hidden.map((finding) => finding.site), ...kept];
    if (state.length === 0) return [];
    // One deployment is one thing: the state is named with each file that pins its callers.
    const files = [...new Set(sticky.map((finding) => finding.site.file))].sort();
    return files.map((file) =>
      refusalOf(
        this,
        file,
        [...sticky.filter((finding) => finding.site.file === file).map((finding) => finding.site), ...state],
        'State is kept in the memory of one instance, nothing in the plan gives it a handle, and sticky routing is what makes it work. Modern requests carry nothing to route by: the state is lost or mixed up.',
        'Give the state an explicit handle bound to the principal, in a store that all instances reach; then remove the affinity.',
      ),
    );
  },
};

/** A call whose answer was lost may have had its effect; repeating it blindly has it twice. */
export const blindRetry: Rule = {
  id: 'blind-retry',
  title: 'Automatic retry of calls that are not idempotent',
  spec: ['basic/transports/streamable-http'],
  evaluate(_inventory, _plan, findings) {
    return refusal(
      this,
      reported(findings, this.id),
      'Tool calls are repeated automatically after a failure, without an idempotency key and without looking at `idempotentHint` or `readOnlyHint`. Lost answers are not replayed any more, so a repeat is a second call.',
      'Repeat only calls of tools that say they are idempotent or read only, or send an idempotency key that the tool stores outside of process memory.',
    );
  },
};
