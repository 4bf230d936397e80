import { shellWord, type MessageData, type RunbookModel } from '../../core/index.js';
import { modernAddresses, pathOf } from '../addresses.js';
import type { Context } from '../context.js';
import { say } from '../messages.js';

/** `export` lines and other values that the commands use. */
export function variablesOf(context: Context): RunbookModel['variables'] {
  const address = (context.options.address ?? 'http://127.0.0.1:3000').replace(/\/$/, '');
  const row = (name: string, value: string, key: string, data?: MessageData) => ({ name, value: shellWord(value), what: say(`variable.${key}`, data) });
  const addresses = modernAddresses(context);
  const { clients } = context.scan.inventory;
  const separate = addresses.find(({ lane }) => lane === 'separate');
  const sse = context.http.find((endpoint) => endpoint.transport === 'sse');
  const clean = (path: string | undefined, otherwise: string): string => (path !== undefined && /^\/[\w./:-]*$/.test(path) ? path : otherwise);
  const replica = address.replace(/:(\d+)$/, (_whole, port: string) => `:${Number(port) + 1}`);
  return [
    ...addresses.map(({ endpoint, path, beside }, index) =>
      row(urlVariable(index), address + clean(path, beside ? '/mcp/v2' : '/mcp'), /^\/[\w./-]*$/.test(path ?? '') ? 'url' : 'url-set', {
        path: path ?? pathOf(endpoint),
        package: endpoint.package,
      }),
    ),
    ...(context.kind === 'elsewhere' && context.legacyExists
      ? [row('MCP_URL', `${address}/mcp`, 'url-elsewhere'), row('MCP_REPLICA', `${replica}/mcp`, 'replica')]
      : []),
    ...(separate === undefined ? [] : [row('MCP_LEGACY_URL', address + clean(separate.endpoint.path, '/mcp'), 'legacy')]),
    ...addresses.slice(0, 1).map(({ path }) => row('MCP_REPLICA', replica + clean(path, '/mcp'), 'replica')),
    ...(sse === undefined ? [] : [row('MCP_SSE_URL', address + clean(sse.path, '/sse'), 'sse')]),
    ...stdioEntries(context).map(({ place }, index) =>
      row(commandVariable(index), (index === 0 ? context.options.command : undefined) ?? startOf(place), 'command', { place }),
    ),
    ...clients
      .slice(0, 1)
      .map(({ file }) => row('MCP_CLIENT', `${/\.(?:py|[cm]?js)$/.test(file) ? startOf(file) : 'node dist/client.js'} {url}`, 'client', { place: file })),
  ];
}

/** Entries over stdio, or the servers of a library, which its users start: each with the file that starts it. */
export const stdioEntries = (context: Context): readonly { readonly place: string }[] => {
  const files = context.stdio.map((endpoint) => [...endpoint.transports, ...endpoint.routes][0]?.file ?? endpoint.id);
  const servers = context.kind === 'library' ? context.scan.inventory.servers.slice(0, 1).map((server) => server.site.file) : [];
  return [...new Set([...files, ...servers])].map((place) => ({ place }));
};

/** How a file is started when nobody said so: by its interpreter, or after a build. */
const startOf = (file: string): string =>
  file.endsWith('.py') ? `python ${shellWord(file)}` : /\.[cm]?js$/.test(file) ? `node ${shellWord(file)}` : 'node dist/index.js';

/** Variable that holds the command of the nth stdio entry. */
export const commandVariable = (index: number): string => (index === 0 ? 'MCP_COMMAND' : `MCP_COMMAND_${index + 1}`);

/** Variable that holds the address of the nth endpoint. */
export const urlVariable = (index: number): string => (index === 0 ? 'MCP_URL' : `MCP_URL_${index + 1}`);
