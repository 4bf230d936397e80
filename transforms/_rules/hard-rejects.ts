import { factsOf, type Rule } from '../../src/core/index.js';
import { modernOnly, refusal, reported } from './evidence.js';

const PAGE = 'basic/transports/streamable-http';

/** Session ids, standing streams, DELETE and replay belong to the old revisions; an endpoint that calls itself modern must not have them. */
export const sessionAsModern: Rule = {
  id: 'session-as-modern',
  title: 'Session behaviour on a modern endpoint',
  spec: [PAGE],
  evaluate(inventory, _plan, findings, facts) {
    const minted = modernOnly(inventory, factsOf(facts, 'transport'), facts, findings).filter(
      (fact) => fact.sessions === 'minted' || fact.hooks.some((hook) => hook.startsWith('onsession')),
    );
    const modern = inventory.endpoints.filter((endpoint) => endpoint.era === 'modern' && endpoint.sessions === 'minted');
    const sites = [...minted.map((fact) => fact.site), ...modern.flatMap((endpoint) => endpoint.transports), ...reported(findings, this.id)];
    return refusal(
      this,
      sites,
      'A session id is minted outside of the legacy lane of an endpoint that serves 2026-07-28. That revision has no sessions, no standing GET stream, no DELETE and no replay.',
      'Move the session code behind the legacy side of the entry, or remove it; keep state under a handle that a tool argument carries.',
    );
  },
};

/** What a client can do is said in each request; a value of an earlier request, process or connection must not be used. */
export const sharedCapabilities: Rule = {
  id: 'shared-capabilities',
  title: 'Capabilities of one request used for another',
  spec: ['basic/index'],
  evaluate(_inventory, _plan, findings) {
    return refusal(
      this,
      reported(findings, this.id),
      'Client capabilities or identity are kept in process or connection memory and read by later requests, which may come from another client.',
      'Read them from the `_meta` of the request that needs them; on the SDK from the request context.',
    );
  },
};

const ASKING: ReadonlySet<string> = new Set(['elicitation', 'sampling', 'roots', 'ping', 'request']);

/** A modern server sends no requests of its own, on any stream. */
export const serverRequest: Rule = {
  id: 'server-request',
  title: 'Request from server to client on modern traffic',
  spec: [PAGE],
  evaluate(inventory, plan, findings, facts) {
    const requests = factsOf(facts, 'push').filter((fact) => ASKING.has(fact.what));
    const modern = modernOnly(inventory, requests, facts, findings).map((fact) => fact.site);
    const stranded = plan.lanes
      .filter((lane) => lane.choice === 'stateless' && lane.asked === 'stateless')
      .flatMap((lane) =>
        inventory.endpoints.filter((endpoint) => endpoint.id === lane.endpoint && endpoint.era === 'legacy').flatMap((endpoint) => endpoint.push),
      )
      .filter((site) => requests.some((fact) => fact.site.file === site.file && fact.site.span.start === site.span.start));
    return refusal(
      this,
      [...modern, ...stranded, ...reported(findings, this.id)],
      'The server sends a JSON-RPC request to its client where no way back exists: on modern traffic, or in a stateless legacy lane. The call fails or hangs until its time-out.',
      'Return `input_required` from the handler and continue when the client retries with the answer, or keep the sessionful lane for old clients.',
    );
  },
};

/** A modern stream ends with its request and cannot be resumed. */
export const streamResume: Rule = {
  id: 'stream-resume',
  title: 'Resumption of a modern stream',
  spec: [PAGE],
  evaluate(inventory, _plan, findings, facts) {
    const stores = modernOnly(inventory, factsOf(facts, 'transport'), facts, findings).filter((fact) => fact.eventStore);
    return refusal(
      this,
      [...stores.map((fact) => fact.site), ...reported(findings, this.id)],
      'Events are stored or `Last-Event-ID` is read outside of the legacy lane. Modern streams have no event ids and are not replayed.',
      'A lost answer is asked for again with a new request id; long work gets a handle that can be asked for its result.',
    );
  },
};

/** A recognised modern error proves a modern server; trying `initialize` then hides the error and may run the call twice. */
export const modernFallback: Rule = {
  id: 'modern-fallback',
  title: 'Fallback to the legacy era after a modern error',
  spec: ['basic/versioning'],
  evaluate(_inventory, _plan, findings) {
    return refusal(
      this,
      reported(findings, this.id),
      'The client falls back to the old revisions after any error, without looking at it. -32020, -32021, -32022 and -32602 about `_meta` come from modern servers only; 401, 403, 5xx and time-outs say nothing about the era.',
      'Inspect the error first, and fall back only when it is none of these.',
    );
  },
};

/** A redirect may lose method, body or credentials, so no JSON-RPC POST is moved by one. */
export const postRedirect: Rule = {
  id: 'post-redirect',
  title: 'JSON-RPC POST moved by a redirect',
  spec: [PAGE],
  evaluate(_inventory, _plan, findings) {
    return refusal(
      this,
      reported(findings, this.id),
      'Requests to an MCP path are answered with a redirect. 301, 302 and 303 may turn a POST into a GET; every redirect may send credentials to another place.',
      'Serve both paths, or route inside of the proxy (`proxy_pass`, a rewrite rule without a redirect).',
    );
  },
};
