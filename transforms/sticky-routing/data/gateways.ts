import { namesSessionHeader, isMcpPath, type ByKey, type Kind } from '../words.js';
import { above, list, mentions, record, textOf, under, type Entry, type Manifest, type Path } from './entries.js';

/** Proxies of a service mesh, gateways of Kubernetes, and Envoy itself: what they hash, and where they redirect. */
export function gateways(manifest: Manifest): readonly Entry[] {
  return [
    ...hashPolicies(manifest),
    ...statefulSessions(manifest),
    ...consistentHash(manifest),
    ...persistence(manifest),
    ...contour(manifest),
    ...kong(manifest),
    ...redirects(manifest),
  ];
}

const pinned = (kind: Kind, path: Path, setting: string, evidence: string): Entry => ({ kind, path, data: { setting }, evidence });
/** A hash of the session header. Where it is missing these proxies choose at random, or in turn. */
const bySession = (path: Path, setting: string, way: ByKey = 'spread'): Entry => ({
  ...pinned('session-header-hash', path, setting, 'it names the session header'),
  byKey: way,
});

/** The route of Envoy that an entry belongs to, with the names of its virtual host but without the routes beside it. */
function routeAround({ document }: Manifest, path: Path): unknown {
  const index = path.lastIndexOf('routes');
  if (index < 0) return document.value;
  const { name, domains } = record(above(document, path, index));
  return [above(document, path, index + 2), name, domains];
}

/** `hash_policy` of Envoy's routes, also in an EnvoyFilter. */
const hashPolicies = (manifest: Manifest): readonly Entry[] =>
  under(manifest.document, /^(?:hash_policy|hashPolicy)$/).flatMap(({ path, value }) =>
    list(value).flatMap((policy, index): readonly Entry[] => {
      const { header, cookie, connection_properties, connectionProperties, query_parameter, queryParameter } = record(policy);
      const at = [...path, index];
      const named = textOf(record(header).header_name ?? record(header).headerName);
      const query = textOf(record(query_parameter ?? queryParameter).name);
      if (namesSessionHeader(named)) return [bySession(at, `hash_policy, header ${named}`)];
      if (!mentions(routeAround(manifest, path))) return [];
      if (/^session_?id$/i.test(query)) return [bySession(at, `hash_policy, query ${query}`)];
      const evidence = 'its route or virtual host names MCP';
      if (cookie !== undefined) return [pinned('client-affinity', at, `hash_policy, cookie ${textOf(record(cookie).name)}`, evidence)];
      if (named !== '') return [pinned('client-affinity', at, `hash_policy, header ${named}`, evidence)];
      const connection = record(connection_properties ?? connectionProperties);
      return connection.source_ip === true || connection.sourceIp === true ? [pinned('address-hash', at, 'hash_policy, source_ip', evidence)] : [];
    }),
  );

/** Envoy's filter for sessions that stay with their host; its form `envelope` was made for MCP. */
const statefulSessions = (manifest: Manifest): readonly Entry[] =>
  under(manifest.document, /^(?:session_state|sessionState)$/).flatMap(({ path, value }): readonly Entry[] => {
    const { name, typed_config, typedConfig } = record(value);
    const config = record(typed_config ?? typedConfig);
    const header = textOf(record(config.header).name) || textOf(config.name);
    if (namesSessionHeader(header)) return [bySession(path, `stateful_session, header ${header}`, 'learned')];
    return textOf(name).startsWith('envoy.http.stateful_session') && mentions(manifest.document.value)
      ? [pinned('client-affinity', path, `stateful_session, ${textOf(name).split('.').at(-1) ?? ''}`, 'its listener names MCP')]
      : [];
  });

/** `consistentHash` of Istio's DestinationRule and of Envoy Gateway's BackendTrafficPolicy. */
const consistentHash = ({ document, object }: Manifest): readonly Entry[] =>
  under(document, /^consistentHash$/).flatMap(({ path, value }): readonly Entry[] => {
    const hash = record(value);
    const headers = [hash.httpHeaderName, record(hash.header).name, ...list(hash.headers).map((header) => record(header).name)].map(textOf);
    const header = headers.find(namesSessionHeader);
    if (header !== undefined) return [bySession(path, `${hash.httpHeaderName === undefined ? 'header' : 'httpHeaderName'}: ${header}`)];
    if (!mentions(record(object.metadata).name, object.spec)) return [];
    const byAddress = hash.useSourceIp === true || hash.type === 'SourceIP';
    const setting = textOf(hash.type) === '' ? (Object.keys(hash)[0] ?? 'consistentHash') : `consistentHash: ${textOf(hash.type)}`;
    return [pinned(byAddress ? 'address-hash' : 'client-affinity', path, setting, 'its host or target names MCP')];
  });

/** `sessionPersistence` of the Gateway API: in a rule of a route, or in a policy for a backend. */
const persistence = ({ document, object }: Manifest): readonly Entry[] =>
  under(document, /^sessionPersistence$/).flatMap(({ path, value }): readonly Entry[] => {
    const { type = 'Cookie', sessionName } = record(value);
    const setting = `sessionPersistence, ${textOf(type)}${textOf(sessionName) === '' ? '' : ` ${textOf(sessionName)}`}`;
    if (type === 'Header' && namesSessionHeader(textOf(sessionName))) return [bySession(path, setting, 'learned')];
    const rule = path[1] === 'rules' ? above(document, path, 3) : object.spec;
    return mentions(record(object.metadata).name, rule) ? [pinned('client-affinity', path, setting, 'its name, rule or target names MCP')] : [];
  });

/** `loadBalancerPolicy` of Contour's HTTPProxy. */
const contour = ({ document, object, kind }: Manifest): readonly Entry[] =>
  kind !== 'HTTPProxy'
    ? []
    : under(document, /^loadBalancerPolicy$/).flatMap(({ path, value }): readonly Entry[] => {
        const { strategy, requestHashPolicies } = record(value);
        const hashes = list(requestHashPolicies).map(record);
        const header = hashes.map(({ headerHashOptions }) => textOf(record(headerHashOptions).headerName)).find(namesSessionHeader);
        if (strategy === 'RequestHash' && header !== undefined) return [bySession(path, `RequestHash, header ${header}`)];
        if (!/^(?:Cookie|RequestHash)$/.test(textOf(strategy)) || !mentions(object.metadata, above(document, path, path.lastIndexOf('routes') + 2))) return [];
        const byAddress = strategy === 'RequestHash' && hashes.some(({ hashSourceIP }) => hashSourceIP === true);
        return [pinned(byAddress ? 'address-hash' : 'client-affinity', path, `loadBalancerPolicy: ${textOf(strategy)}`, 'its name or route names MCP')];
      });

/** `hash_on` of Kong's upstreams, in its own form and in its resources. */
const kong = ({ document, object }: Manifest): readonly Entry[] =>
  under(document, /^(?:hash_on|hashOn)$/).flatMap(({ path, value }): readonly Entry[] => {
    const around = above(document, path, path.length - 1);
    const whole = path[0] === 'upstreams' ? around : object;
    const { hash_on_header, hash_on_cookie } = record(around);
    const nested = record(value);
    const by = textOf(value) || (Object.keys(nested)[0] ?? '');
    const named = textOf(hash_on_header) || textOf(hash_on_cookie) || textOf(nested[by]);
    if (by === 'header' && namesSessionHeader(named)) return [bySession(path, `hash_on: header ${named}`)];
    if (by === 'none' || by === '' || !mentions(whole)) return [];
    return [pinned(by === 'ip' ? 'address-hash' : 'client-affinity', path, `hash_on: ${by}`, 'its upstream names MCP')];
  });

/** Routes of an MCP path that answer with a redirect: Envoy, VirtualService, HTTPRoute. */
const redirects = ({ document, kind }: Manifest): readonly Entry[] =>
  under(document, /^(?:redirect|requestRedirect)$/).flatMap(({ path, value }): readonly Entry[] => {
    const at = path.findLastIndex((key, index) => /^(?:routes|rules|http)$/.test(String(key)) && typeof path[index + 1] === 'number');
    const envoy = path[at] === 'routes' && path.length === at + 3;
    if (!(envoy || kind === 'VirtualService' || kind === 'HTTPRoute') || Object.keys(record(value)).length === 0) return [];
    const route = record(above(document, path, at + 2));
    const asked = JSON.stringify([route.match, route.matches])
      .split(/["\s]+/)
      .find(isMcpPath);
    return asked === undefined
      ? []
      : [
          {
            kind: 'redirect',
            path,
            data: { path: asked, setting: `${String(path.at(-1))}: ${JSON.stringify(value)}` },
            evidence: 'the path is one that MCP clients use',
          },
        ];
  });
