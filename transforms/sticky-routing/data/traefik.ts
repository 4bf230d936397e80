import { isMcpPath, leadsToMcp } from '../words.js';
import { above, list, mentions, record, textOf, under, type Entry, type Manifest, type Path } from './entries.js';

/** Traefik: its own files, its resources in a cluster, and labels of containers. */
export const traefik = (manifest: Manifest): readonly Entry[] => [...sticky(manifest), ...labels(manifest)];

/** `sticky.cookie` of a service, wherever services are described. */
const sticky = (manifest: Manifest): readonly Entry[] =>
  under(manifest.document, /^sticky$/).flatMap(({ path, value }): readonly Entry[] => {
    const { cookie } = record(value);
    if (cookie === undefined || cookie === false || !concerned(manifest, path)) return [];
    const name = textOf(record(cookie).name);
    return [
      {
        kind: 'client-affinity',
        path,
        data: { setting: `sticky.cookie${name === '' ? '' : ` ${name}`}` },
        evidence: 'its service, or the router in front of it, names MCP',
      },
    ];
  });

/** Whose service is it? A route of an IngressRoute, a TraefikService, or `http.services.<name>` with the routers that lead to it. */
function concerned({ document, object, kind }: Manifest, path: Path): boolean {
  if (kind === 'IngressRoute') return mentions(above(document, path, path.lastIndexOf('routes') + 2));
  if (kind !== '') return mentions(record(object.metadata).name, object.spec);
  const index = path.lastIndexOf('services');
  if (index < 0) return false;
  const name = String(path[index + 1]);
  const routers = Object.values(record(record(above(document, path, index)).routers)).map(record);
  return mentions(
    name,
    above(document, path, index + 2),
    routers.filter((router) => router.service === name),
  );
}

const LABEL = /^traefik\.http\.services\.([^.]+)\.loadbalancer\.(sticky(?:\.cookie)?(?:\.\w+)?|healthcheck\.path)$/i;

/** Labels of a container, as a list or a mapping. One line of a service speaks for the others. */
function labels({ document }: Manifest): readonly Entry[] {
  const told = new Set<string>();
  return under(document, /^labels$/).flatMap(({ path, value }) => {
    const written = Array.isArray(value)
      ? list(value).map((entry, index) => ({ at: index, pair: /^([^=]+)=(.*)$/s.exec(textOf(entry)) }))
      : Object.entries(record(value)).map(([key, entry]) => ({ at: key, pair: [key, key, String(entry)] }));
    const container = above(document, path, path.at(-2) === 'deploy' ? path.length - 2 : path.length - 1);
    return written.flatMap(({ at, pair }): readonly Entry[] => {
      const [, key = '', setting = ''] = pair ?? [];
      const label = LABEL.exec(key.trim());
      const [, name = '', what = ''] = label ?? [];
      if (label === null || setting === 'false' || !(leadsToMcp(name) || mentions(container))) return [];
      const holder = `The service \`${name}\` of Traefik`;
      if (/^healthcheck/i.test(what))
        return isMcpPath(setting)
          ? [{ kind: 'probe-on-endpoint', path: [...path, at], data: { holder, path: setting }, evidence: 'it asks with GET, and the path is the endpoint' }]
          : [];
      if (told.has(name)) return [];
      told.add(name);
      return [
        {
          kind: 'client-affinity',
          path: [...path, at],
          data: { holder, setting: `${key.trim()}=${setting}` },
          evidence: 'its labels or its container name MCP',
        },
      ];
    });
  });
}
