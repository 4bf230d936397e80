import { leadsToMcp, isMcpPath, namesSessionHeader, saysMcp, type Kind } from '../words.js';
import { containersOf, list, mentions, record, textOf, type Entry, type Manifest } from './entries.js';

/** Services, ingresses and workloads of Kubernetes. A setting counts when its own object names MCP; other objects of the cluster are silent. */
export function kubernetes(manifest: Manifest): readonly Entry[] {
  switch (manifest.kind) {
    case 'Service':
      return [...service(manifest), ...annotations(manifest)];
    case 'Ingress':
      return annotations(manifest);
    case 'Deployment':
    case 'StatefulSet':
      return restarts(manifest);
    default:
      return [];
  }
}

/** A Service that selects, or is named after, the MCP workload. */
function service({ object }: Manifest): readonly Entry[] {
  const spec = record(object.spec);
  if (spec.sessionAffinity !== 'ClientIP' || !saysMcp(JSON.stringify([object.metadata, spec.selector]))) return [];
  return [
    {
      kind: 'client-affinity',
      path: ['spec', 'sessionAffinity'],
      data: { setting: 'sessionAffinity: ClientIP' },
      evidence: 'its name or selector names MCP',
    },
  ];
}

const STICKY = new RegExp(
  [
    'nginx\\.ingress\\.kubernetes\\.io/(?:affinity|upstream-hash-by|load-balance)',
    'nginx\\.(?:org|com)/(?:lb-method|sticky-cookie-services)',
    'haproxy-ingress\\.github\\.io/(?:affinity|balance-algorithm)',
    'haproxy\\.org/(?:affinity|cookie-persistence|load-balance)',
    'traefik\\.ingress\\.kubernetes\\.io/(?:affinity|service\\.sticky\\.cookie)',
    'alb\\.ingress\\.kubernetes\\.io/target-group-attributes',
    'service\\.beta\\.kubernetes\\.io/aws-load-balancer-target-group-attributes',
    'service\\.beta\\.kubernetes\\.io/do-loadbalancer-sticky-sessions-type',
    'appgw\\.ingress\\.kubernetes\\.io/cookie-based-affinity',
  ]
    .map((key) => `^${key}$`)
    .join('|'),
);

/** What an annotation pins clients by; `undefined` when it pins nobody. */
function pinnedBy(key: string, setting: string): Kind | undefined {
  if (setting === '' || /^(?:false|none|off)$/i.test(setting)) return undefined;
  if (key.endsWith('target-group-attributes')) return setting.includes('stickiness.enabled=true') ? 'client-affinity' : undefined;
  if (namesSessionHeader(setting)) return 'session-header-hash';
  const chooses = /(?:load-balance|lb-method|balance-algorithm)$/.test(key);
  if (/remote_addr|binary_remote|ip_hash|^source\b|^src\b/.test(setting)) return 'address-hash';
  return chooses && !/hash|^hdr\(|^cookie/.test(setting) ? undefined : 'client-affinity';
}

/** The controller that reads an annotation hashes the empty key, unless it is HAProxy. */
const wayOf = (key: string): 'one' | 'spread' => (key.startsWith('haproxy') ? 'spread' : 'one');

function annotations({ object }: Manifest): readonly Entry[] {
  const metadata = record(object.metadata);
  const spec = object.spec;
  if (!saysMcp(JSON.stringify([metadata.name, spec]))) return [];
  const evidence = object.kind === 'Ingress' ? 'its rules name MCP' : 'its name or selector names MCP';
  return Object.entries(record(metadata.annotations)).flatMap(([key, value]): readonly Entry[] => {
    const path = ['metadata', 'annotations', key];
    const text = String(value);
    const setting = `${key}: ${text}`;
    if (/^(?:alb\.ingress|service\.beta)\.kubernetes\.io\/(?:aws-load-balancer-)?healthcheck-path$/.test(key))
      return isMcpPath(text) ? [{ kind: 'probe-on-endpoint', path, data: { path: text }, evidence: 'it asks with GET, and the path is the endpoint' }] : [];
    if (key === 'nginx.ingress.kubernetes.io/proxy-buffering' && text === 'on')
      return [{ kind: 'response-buffering', path, data: { path: pathIn(spec) }, evidence: 'the controller buffers only where it is told to' }];
    if (/^nginx\.ingress\.kubernetes\.io\/(?:permanent|temporal)-redirect$/.test(key) && leadsToMcp(JSON.stringify(spec)))
      return [{ kind: 'redirect', path, data: { path: pathIn(spec), setting }, evidence }];
    const kind = STICKY.test(key) ? pinnedBy(key, text) : undefined;
    if (kind === undefined) return [];
    return [{ kind, path, data: { setting }, evidence, ...(kind === 'session-header-hash' ? { byKey: wayOf(key) } : {}) }];
  });
}

/** The MCP path among the rules of an ingress. */
function pathIn(spec: unknown): string {
  const paths = list(record(spec).rules).flatMap((rule) => list(record(record(rule).http).paths).map((entry) => textOf(record(entry).path)));
  return paths.find(isMcpPath) ?? paths[0] ?? '/mcp';
}

/** One replica that is stopped before the next starts. Each half alone is ordinary. */
function restarts({ object }: Manifest): readonly Entry[] {
  const spec = record(object.spec);
  if (spec.replicas !== 1 || record(spec.strategy).type !== 'Recreate' || !mentions(object.metadata, spec.selector, containersOf(spec))) return [];
  return [
    {
      kind: 'single-instance',
      path: ['spec', 'replicas'],
      data: { setting: 'replicas: 1, strategy: Recreate' },
      evidence: 'its name, labels or image name MCP; the reason is not in the file',
      possible: true,
    },
  ];
}
