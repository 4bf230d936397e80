import type { ts } from 'ts-morph';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import type { RequestForm } from '../served.js';

/** What of a request is known where an entry is asked. */
export interface BodyUse {
  /** Expression of the parsed body, when something in front has read it. */
  readonly parsed: string | undefined;
  /** Further facts that the legacy code hands to its web-standard transport, e.g. `authInfo: auth`. */
  readonly options: readonly string[];
}

/** A place in a handler where an entry is asked or called. */
export interface EntryPlace {
  readonly file: TypeScriptFile;
  /** The function around the place, when it is there already. */
  readonly fn?: { readonly type?: ts.TypeNode | undefined };
  readonly form: RequestForm;
  /** Names of the first and the second parameter that carry the request. */
  readonly names: readonly (string | undefined)[];
  readonly body: BodyUse;
}

/** The words of one host for asking the entry and for handing it the whole request. */
export interface Dialect {
  /** Shim template, and what its model says of the host. */
  readonly template: 'node-dual-era' | 'web-dual-era';
  readonly model: Readonly<Record<string, unknown>>;
  /** `web` entries answer with a response, `node` entries on the response object. */
  readonly family: 'node' | 'web';
}

const NODE = { fastify: false, koa: false } as const;

const DIALECTS: Readonly<Record<RequestForm, Dialect>> = {
  node: { template: 'node-dual-era', family: 'node', model: { ...NODE, title: 'a Node HTTP server' } },
  'node-parsed': { template: 'node-dual-era', family: 'node', model: { ...NODE, title: 'handlers of Node requests' } },
  fastify: { template: 'node-dual-era', family: 'node', model: { ...NODE, fastify: true, title: 'Fastify' } },
  koa: { template: 'node-dual-era', family: 'node', model: { ...NODE, koa: true, title: 'Koa' } },
  hono: { template: 'web-dual-era', family: 'web', model: { hono: true, title: 'Hono' } },
  web: { template: 'web-dual-era', family: 'web', model: { hono: false, title: 'web-standard handlers' } },
  elysia: { template: 'web-dual-era', family: 'web', model: { hono: false, title: 'Elysia' } },
  event: { template: 'web-dual-era', family: 'web', model: { hono: false, title: 'event handlers' } },
};

export const dialectOf = (form: RequestForm): Dialect => DIALECTS[form];

/** `return;` where the function returns nothing; Fastify wants the reply back where it returns one. */
function leave(region: EntryPlace): string {
  const type = region.fn?.type?.getText(region.file.tree) ?? '';
  return region.form === 'fastify' && !/void|undefined|unknown|any/.test(type) ? `return ${region.names[1] ?? 'reply'};` : 'return;';
}

/** The web-standard request, as the handler names it. */
const requestOf = ({ form, names: [first = 'request'] }: EntryPlace): string => (form === 'hono' ? `${first}.req.raw` : first);

/** The parsed body that the handler itself can name; `undefined` when nobody has read it. */
function bodyOf({ form, names: [first = 'req'], body }: EntryPlace): string | undefined {
  if (body.parsed !== undefined) return body.parsed;
  if (form === 'node-parsed' || form === 'fastify') return `${first}.body`;
  return undefined;
}

/** `, { parsedBody: body, authInfo }`: what the legacy code tells its web-standard transport about the request. */
function webOptions({ body }: EntryPlace): string {
  const parts = [...(body.parsed === undefined ? [] : [body.parsed === 'parsedBody' ? 'parsedBody' : `parsedBody: ${body.parsed}`]), ...body.options];
  return parts.length === 0 ? '' : `, { ${parts.join(', ')} }`;
}

/** Statements that ask the entry and leave the handler when it has answered. `answer` is a free name. */
export function askLines(region: EntryPlace & { readonly condition: string | undefined }, entry: string, answer: string): readonly string[] {
  const { form, names, condition } = region;
  const [first = 'req', second = 'res'] = names;
  if (dialectOf(form).family === 'web') {
    const call = `await ${entry}(${form === 'hono' ? first : requestOf(region)}${webOptions(region)})`;
    return condition === undefined
      ? [`const ${answer} = ${call};`, `if (${answer} !== undefined) return ${answer};`]
      : [`const ${answer} = ${condition} ? ${call} : undefined;`, `if (${answer} !== undefined) return ${answer};`];
  }
  const parsed = form === 'fastify' || form === 'koa' ? undefined : bodyOf(region);
  const call = form === 'koa' ? `await ${entry}(${first})` : `await ${entry}(${first}, ${second}${parsed === undefined ? '' : `, ${parsed}`})`;
  return [condition === undefined ? `if (${call}) ${leave(region)}` : `if (${condition} && (${call})) ${leave(region)}`];
}

/** Statements that hand the whole request to an entry of the SDK. `last`: nothing runs after them. */
export function serveLines(region: EntryPlace, entry: string, guards: readonly string[], last: boolean): readonly string[] {
  const { form, names } = region;
  const [first = 'req', second = 'res'] = names;
  const out = last ? [] : [leave(region)];
  if (dialectOf(form).family === 'web') return [...guards, `return ${entry}.fetch(${requestOf(region)}${webOptions(region)});`];
  const parsed = bodyOf(region);
  const body = parsed === undefined ? '' : `, ${parsed}`;
  if (form === 'fastify')
    return [`${second}.hijack();`, ...guards, `await ${entry}(${first}.raw, ${second}.raw${body});`, ...(leave(region) === 'return;' ? out : [leave(region)])];
  if (form === 'koa') return [`${first}.respond = false;`, ...guards, `await ${entry}(${first}.req, ${first}.res${body});`, ...out];
  return [...guards, `await ${entry}(${first}, ${second}${body});`, ...out];
}

/** Request and response of Node, as the handler names them. */
export function nodePair({ form, names: [first = 'req', second = 'res'] }: EntryPlace): readonly [string, string] {
  if (form === 'fastify') return [`${first}.raw`, `${second}.raw`];
  return form === 'koa' ? [`${first}.req`, `${first}.res`] : [first, second];
}

/** The web-standard request as text, for guards. */
export const webRequest = requestOf;

/** How a guard leaves the handler. */
export const leaveText = leave;
