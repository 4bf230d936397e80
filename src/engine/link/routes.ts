import { factsOf, keyOf, type Fact, type FactOf } from '../../core/index.js';
import { byText, uniqueTexts } from '../order.js';

type Route = FactOf<'route'>;

/** Routes that one path of one package answers. */
export interface RouteGroup {
  readonly package: string;
  readonly host: string;
  readonly path: string | undefined;
  /** Source text of a path that is no literal; `…/mcp` when only the mount in front of it is none. */
  readonly expression: string | undefined;
  readonly routes: readonly Route[];
  /** Keys of the applications and routers that the requests pass, innermost first. */
  readonly apps: readonly string[];
}

/** Mounts may be nested; more than this is a loop. */
const MAX_DEPTH = 8;

/**
 * Groups routes by package, framework and full path. Adapters join mounts within a file; mounts of a router in another file
 * (a route whose handler is that router) are joined here.
 */
export function groupRoutes(facts: readonly Fact[], packageOf: (file: string) => string): readonly RouteGroup[] {
  const routes = factsOf(facts, 'route');
  const routers = new Map<string, Set<string>>();
  for (const route of routes) {
    if (!route.app) continue;
    const apps = routers.get(route.app.file) ?? new Set<string>();
    routers.set(route.app.file, apps.add(keyOf(route.app)));
  }
  const mountsOf = (app: string, file: string): readonly Route[] =>
    routes.filter((mount) => {
      if (!mount.handler || mount.site.file === file) return false;
      if (keyOf(mount.handler) === app) return true;
      // A function that builds and returns the only router of its file.
      return (
        mount.handler.file === file &&
        routers.get(file)?.size === 1 &&
        !routes.some((route) => route.handler && mount.handler && keyOf(route.handler) === keyOf(mount.handler) && route.site.file === file)
      );
    });

  // A mount serves nothing itself: its router's routes do.
  const mounted = new Set([...routers.values()].flatMap((apps) => [...apps]));
  const serving = routes.filter(({ handler, site }) => handler === undefined || handler.file === site.file || !mounted.has(keyOf(handler)));
  const placed = serving.flatMap((route): readonly { readonly route: Route; readonly path: string | undefined; readonly apps: readonly string[] }[] => {
    const climb = (
      path: string | undefined,
      app: Route['app'],
      apps: readonly string[],
      depth: number,
    ): readonly { path: string | undefined; apps: readonly string[] }[] => {
      if (!app) return [{ path, apps }];
      const own = [...apps, keyOf(app)];
      const mounts = depth < MAX_DEPTH ? mountsOf(keyOf(app), app.file) : [];
      if (mounts.length === 0) return [{ path, apps: own }];
      return mounts.flatMap((mount) =>
        climb(path === undefined || mount.path === undefined ? undefined : joinPaths(mount.path, path), mount.app, own, depth + 1),
      );
    };
    return climb(route.path, route.app, [], 0).map((place) => ({ route, ...place }));
  });

  const groups = new Map<string, { readonly group: Omit<RouteGroup, 'routes' | 'apps'>; readonly routes: Route[]; readonly apps: string[] }>();
  for (const { route, path, apps } of placed) {
    const owner = packageOf(route.site.file);
    const expression = path === undefined ? (route.expression ?? (route.path === undefined ? undefined : `…${route.path}`)) : undefined;
    const key = JSON.stringify([owner, route.host, path ?? `? ${route.site.file} ${apps[0] ?? ''} ${expression ?? ''}`]);
    const entry = groups.get(key) ?? { group: { package: owner, host: route.host, path, expression }, routes: [], apps: [] };
    entry.routes.push(route);
    entry.apps.push(...apps);
    groups.set(key, entry);
  }
  return [...groups].sort(([a], [b]) => byText(a, b)).map(([, { group, routes: members, apps }]) => ({ ...group, routes: members, apps: uniqueTexts(apps) }));
}

/** `/api` and `/mcp` make `/api/mcp`; a mount at `/` or without a path adds nothing. */
export function joinPaths(mount: string, path: string): string {
  const joined = `${mount}/${path}`.replace(/\/{2,}/g, '/');
  return joined.length > 1 ? joined.replace(/\/$/, '') : joined;
}
