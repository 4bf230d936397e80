import type { Detector, Report, Span } from '../../src/core/index.js';
import type { DataDocument } from '../../src/languages/data/file.js';
import { hints, isMcpPath, namesSessionHeader, saysMcp, type Kind } from './words.js';

type Path = readonly (string | number)[];
type Tell = (kind: Kind, path: Path, data: Readonly<Record<string, string>>, evidence: readonly string[], certain?: boolean) => void;

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : {};
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const texts = (value: unknown): string => JSON.stringify(value);

/** Kubernetes, SAM and CloudFormation manifests. A setting counts when its own object names MCP; other objects of the cluster are silent. */
export const data: Detector<'data', Kind> = (file, report) => ({
  Document(document) {
    const object = record(document.value);
    const kind = textOf(object.kind);
    const name = textOf(record(object.metadata).name);
    const holder = kind === '' ? file.path.slice(file.path.lastIndexOf('/') + 1) : `The ${kind}${name === '' ? '' : ` \`${name}\``}`;
    const tell = teller(document, report, holder);
    if (kind === 'Service') service(object, tell);
    if (kind === 'Ingress') ingress(object, tell);
    if (kind === 'DestinationRule') destinationRule(document, tell);
    if (kind === 'Deployment' || kind === 'StatefulSet') deployment(object, tell);
    probes(document, tell);
    targetGroups(document, tell);
  },
});

const teller =
  (document: DataDocument, report: Report<Kind>, holder: string): Tell =>
  (kind, path, values, evidence, certain = true) => {
    const span: Span | undefined = document.spanOf(path);
    if (span === undefined) return;
    report.finding(kind, span, { group: kind, certainty: certain ? 'likely' : 'possible', evidence, data: { holder, ...values, ...hints(kind) } });
  };

/** A Service that selects, or is named after, the MCP workload. */
function service(object: Readonly<Record<string, unknown>>, tell: Tell): void {
  const spec = record(object.spec);
  if (spec.sessionAffinity !== 'ClientIP' || !saysMcp(texts([object.metadata, spec.selector]))) return;
  tell('client-affinity', ['spec', 'sessionAffinity'], { setting: 'sessionAffinity: ClientIP' }, ['its name or selector names MCP']);
}

const AFFINITY_ANNOTATIONS =
  /^(?:nginx\.ingress\.kubernetes\.io\/(?:affinity|upstream-hash-by)|haproxy(?:-ingress\.github\.io|\.org)\/(?:affinity|cookie-persistence)|traefik\.ingress\.kubernetes\.io\/(?:affinity|service\.sticky\.cookie)|alb\.ingress\.kubernetes\.io\/target-group-attributes)$/;

function ingress(object: Readonly<Record<string, unknown>>, tell: Tell): void {
  if (!saysMcp(texts([record(object.metadata).name, object.spec]))) return;
  for (const [key, value] of Object.entries(record(record(object.metadata).annotations))) {
    if (!AFFINITY_ANNOTATIONS.test(key)) continue;
    const setting = String(value);
    if (setting === 'false' || setting === '' || (key.startsWith('alb.') && !setting.includes('stickiness.enabled=true'))) continue;
    const kind: Kind = namesSessionHeader(setting) ? 'session-header-hash' : /remote_addr|binary_remote/.test(setting) ? 'address-hash' : 'client-affinity';
    tell(kind, ['metadata', 'annotations', key], { setting: `${key}: ${setting}` }, ['its rules name MCP']);
  }
}

/** Consistent hashing of a service mesh. */
function destinationRule(document: DataDocument, tell: Tell): void {
  const whole = texts(document.value);
  document.each((path, value) => {
    if (path.at(-1) !== 'consistentHash') return;
    const hash = record(value);
    const header = typeof hash.httpHeaderName === 'string' ? hash.httpHeaderName : undefined;
    if (header !== undefined && namesSessionHeader(header))
      tell('session-header-hash', path, { setting: `httpHeaderName: ${header}` }, ['it hashes the session header']);
    else if (saysMcp(whole))
      tell(hash.useSourceIp === true ? 'address-hash' : 'client-affinity', path, { setting: Object.keys(hash)[0] ?? 'consistentHash' }, ['its host names MCP']);
  });
}

/** One replica that is stopped before the next starts. Each half alone is ordinary. */
function deployment(object: Readonly<Record<string, unknown>>, tell: Tell): void {
  const spec = record(object.spec);
  if (spec.replicas !== 1 || record(spec.strategy).type !== 'Recreate' || !saysMcp(texts([object.metadata, spec.selector, spec.template]))) return;
  tell(
    'single-instance',
    ['spec', 'replicas'],
    { setting: 'replicas: 1, strategy: Recreate' },
    ['its name, labels or image name MCP', 'the reason is not in the file'],
    false,
  );
}

const PROBES: ReadonlySet<unknown> = new Set(['livenessProbe', 'readinessProbe', 'startupProbe', 'healthcheck', 'HealthCheckPath', 'healthCheckPath']);

function probes(document: DataDocument, tell: Tell): void {
  document.each((path, value) => {
    if (!PROBES.has(path.at(-1))) return;
    const probe = record(value);
    const asked = typeof value === 'string' ? value : record(probe.httpGet).path;
    const at = typeof value === 'string' ? path : [...path, 'httpGet', 'path'];
    if (typeof asked === 'string' && isMcpPath(asked)) tell('probe-on-endpoint', at, { path: asked }, ['it asks with GET, and the path is the endpoint']);
    const command = Array.isArray(record(probe.exec).command)
      ? (record(probe.exec).command as readonly unknown[])
      : Array.isArray(probe.test)
        ? (probe.test as readonly unknown[])
        : typeof probe.test === 'string'
          ? [probe.test]
          : [];
    const line = command.map(String).join(' ');
    if (line === '' || !saysMcp(line)) return;
    const target = Array.isArray(record(probe.exec).command) ? [...path, 'exec', 'command'] : [...path, 'test'];
    if (/\bping\b|initialize/i.test(line) || /\bmcp-ping\b/.test(line))
      tell('probe-by-ping', target, { command: line.slice(0, 80) }, ['the command names MCP and ping or initialize'], false);
    else if (
      /\b(?:curl|wget)\b/.test(line) &&
      !/-X\s*POST|--post/.test(line) &&
      line.split(/\s+/).some((word) => isMcpPath(word.replace(/^https?:\/\/[^/]+/, '').replace(/["']/g, '')))
    )
      tell('probe-on-endpoint', target, { path: '/mcp' }, ['it asks with GET, and the path is the endpoint']);
  });
}

/** `stickiness.enabled` of AWS target groups in SAM and CloudFormation. */
function targetGroups(document: DataDocument, tell: Tell): void {
  document.each((path, value) => {
    const entry = record(value);
    if (entry.Key !== 'stickiness.enabled' || String(entry.Value) !== 'true') return;
    const resource = path.slice(0, 2);
    const body = resource.reduce<unknown>((inner, key) => record(inner)[String(key)], document.value);
    if (saysMcp(`${String(resource[1] ?? '')} ${texts(body)}`))
      tell('client-affinity', path, { setting: 'stickiness.enabled' }, ['its target group names MCP']);
  });
}
