import { ts } from 'ts-morph';
import type { Need, RewriteContext, TextEdit } from '../../../src/core/index.js';
import { MODERN_REQUEST_HEADERS } from '../../_mcp/vocabulary.js';
import { constantOf, type TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { registrations } from '../../_hosts/express/index.js';
import { unwrap } from '../../_mcp/typescript/nodes.js';
import type { Lane } from './lane.js';
import { sdkDependencies } from '../../_mcp/typescript/emit/needs.js';

/** What stands in front of an entry beside the entry itself. */
export interface Surroundings {
  /** Lines in front of the entry. */
  readonly lines: readonly string[];
  readonly needs: readonly Need[];
  readonly todo: readonly string[];
  readonly notes: readonly string[];
  /** The entry has to refuse foreign web pages itself: nothing in front of it does. */
  readonly ownOrigins?: boolean;
}

const EXPRESS_ADAPTER = '@modelcontextprotocol/express';

/**
 * The modern revision demands a check of Origin (and Host, against DNS rebinding) and the SDK's handler has none. On a loopback
 * address the right list is known; elsewhere only the team knows it, so a marker names what to fill in.
 */
export function guards(lane: Lane, context: RewriteContext): Surroundings {
  const none: Surroundings = { lines: [], needs: [], todo: [], notes: [] };
  const { endpoint, file, routes } = lane;
  const [route] = routes;
  if (route === undefined || route.app.sdk || endpoint.originPolicy.length > 0) return none;
  const path = route.pathNode === undefined ? '' : `${file.textOf(route.pathNode)}, `;
  const app = file.textOf(unwrap((route.call.expression as ts.PropertyAccessExpression).expression));
  const receiver = /^[\w.$]+$/.test(app) ? app : undefined;
  if (endpoint.exposure === 'loopback' && receiver !== undefined) {
    const names = ['localhostHostValidation', 'localhostOriginValidation'];
    return {
      lines: [`${receiver}.use(${path}localhostHostValidation(), localhostOriginValidation());`],
      needs: [
        ...names.map((name): Need => ({ kind: 'import', file: file.path, module: EXPRESS_ADAPTER, name })),
        ...sdkDependencies(context, endpoint.package, [EXPRESS_ADAPTER]),
      ],
      todo: [],
      notes: ['Requests with a Host or Origin that is not this machine are answered 403 on this path, for both eras.'],
    };
  }
  const what = `name the hosts of the web pages that may call this path; the modern lane serves programs and pages of this machine only, the legacy lane any page (hostHeaderValidation and originValidation from ${EXPRESS_ADAPTER} in front of the path check both)`;
  return { ...none, lines: [`// TODO(unsession) session-transport/session-route: ${what}`], todo: [what], ownOrigins: true };
}

/** Adds the headers of modern browser clients to the literal lists of `cors({ … })` that stand in front of the routes. */
export function corsEdits(lane: Lane, has: (path: string) => boolean): { readonly edits: readonly TextEdit[]; readonly notes: readonly string[] } {
  const edits: TextEdit[] = [];
  const notes: string[] = [];
  for (const registration of registrations(lane.file, has)) {
    if (registration.app.symbol.name !== lane.routes[0]?.app.symbol.name) continue;
    for (const { what, options } of registration.middleware) {
      if (what !== 'cors' || options === undefined) continue;
      const allowed = extend(options.values.get('allowedHeaders'), MODERN_REQUEST_HEADERS, lane.file);
      const exposed = extend(options.values.get('exposedHeaders'), ['WWW-Authenticate'], lane.file);
      edits.push(...allowed, ...exposed);
      if (allowed.length > 0) notes.push(`Browser clients may now send ${MODERN_REQUEST_HEADERS.join(', ')}.`);
    }
  }
  return { edits, notes };
}

/** Appends the missing names to a literal list of strings. */
function extend(node: ts.Node | undefined, names: readonly string[], file: TypeScriptFile): readonly TextEdit[] {
  const list = node === undefined ? undefined : unwrap(node);
  if (list === undefined || !ts.isArrayLiteralExpression(list) || list.elements.length === 0) return [];
  const present = new Set(list.elements.map((element) => String(constantOf(element, file)).toLowerCase()));
  if (present.has('*')) return [];
  const missing = names.filter((name) => !present.has(name.toLowerCase()));
  const last = list.elements.at(-1);
  if (missing.length === 0 || last === undefined) return [];
  return [{ start: last.end, end: last.end, text: missing.map((name) => `, ${file.quote}${name}${file.quote}`).join('') }];
}
