import { isMcpPath, saysMcp } from '../words.js';
import { list, record, textOf, under, type Entry, type Manifest, type Path } from './entries.js';

const asks = (path: Path, asked: string): readonly Entry[] =>
  isMcpPath(asked) ? [{ kind: 'probe-on-endpoint', path, data: { path: asked }, evidence: 'it asks with GET, and the path is the endpoint' }] : [];

/** Keys whose value is the path that a platform asks by GET. */
const PATH_KEYS = /^(?:[hH]ealth[cC]heckPath|HealthCheckPath|healthcheckPath|requestPath)$/;
/** Keys that hold a check, with the path below them. */
const CHECK_KEYS =
  /^(?:livenessProbe|readinessProbe|startupProbe|healthcheck|healthCheck|health_check|healthCheckPolicy|http_health_check|httpHealthCheck|liveness_check|readiness_check|checks|http_checks|active)$/;

/** Health checks of clusters, clouds and proxies that ask the endpoint by GET, or speak MCP in a command. */
export const checks = ({ document }: Manifest): readonly Entry[] => [
  ...under(document, PATH_KEYS).flatMap(({ path, value }) => asks(path, textOf(value))),
  ...under(document, CHECK_KEYS).flatMap(({ path, value }) =>
    Array.isArray(value) ? list(value).flatMap((one, index) => check([...path, index], one)) : check(path, value),
  ),
];

function check(path: Path, value: unknown): readonly Entry[] {
  const probe = record(value);
  const posts = /^(?:POST|OPTIONS)$/i.test(textOf(probe.method));
  const places: readonly (readonly string[])[] = [['httpGet', 'path'], ['http', 'path'], ['path'], ['http_path']];
  const asked = posts
    ? []
    : places.flatMap((place) => {
        const found = textOf(place.reduce<unknown>((inner, key) => record(inner)[key], probe));
        return asks([...path, ...place], found);
      });
  return [...asked, ...command(path, probe)];
}

/** A command that names MCP: it speaks the protocol, or fetches the endpoint. */
function command(path: Path, probe: Readonly<Record<string, unknown>>): readonly Entry[] {
  const exec = record(probe.exec).command;
  const written = Array.isArray(exec) ? list(exec) : Array.isArray(probe.test) ? list(probe.test) : [textOf(probe.test)];
  const line = written.map(String).join(' ');
  if (line === '' || !saysMcp(line)) return [];
  const at = Array.isArray(exec) ? [...path, 'exec', 'command'] : [...path, 'test'];
  if (/\bping\b|initialize/i.test(line))
    return [
      { kind: 'probe-by-ping', path: at, data: { command: line.slice(0, 80) }, evidence: 'the command names MCP and ping or initialize', possible: true },
    ];
  const fetched = line
    .split(/\s+/)
    .map((word) => word.replace(/^https?:\/\/[^/]+/, '').replace(/["']/g, ''))
    .find(isMcpPath);
  return fetched !== undefined && /\b(?:curl|wget)\b/.test(line) && !/-X\s*POST|--post/.test(line)
    ? [{ kind: 'probe-on-endpoint', path: at, data: { path: fetched }, evidence: 'it asks with GET, and the path is the endpoint' }]
    : [];
}
