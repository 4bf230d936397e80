import type { Endpoint, Need, RewriteContext } from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { freeName } from '../../_mcp/typescript/emit/names.js';
import { sdkDependencies } from '../../_mcp/typescript/emit/needs.js';
import { type EntryPlace, dialectOf, leaveText, nodePair, webRequest } from './dialect.js';

/** Host names of this machine, as pages on it name their origin. */
export const LOOPBACK_ORIGINS = ['localhost', '127.0.0.1', '[::1]'] as const;

/** How an entry that no shim guards refuses foreign hosts and web pages. */
export interface Guarding {
  /** Declarations in front of the entry. */
  readonly lines: readonly string[];
  /** Statements in front of the entry's call in a handler. */
  readonly inHandler: (place: EntryPlace) => readonly string[];
  readonly needs: readonly Need[];
  readonly todo: readonly string[];
  readonly notes: readonly string[];
}

/** The host names of this machine as a list in the quotes of a file. */
export const pageList = (file: TypeScriptFile): string => `[${LOOPBACK_ORIGINS.map((host) => file.quote + host + file.quote).join(', ')}]`;

/** What the team has to fill in where the address is not known. */
export const pagesTodo =
  'name the hosts of the web pages that may call this path; the modern lane serves programs and pages of this machine only, the legacy lane any page';

/**
 * The same without a shim: guards of the SDK in front of the entry.
 * @param serves `modern`: no client of an earlier revision comes here, so that every request is checked
 * @param into path of the file that calls the guards, when it is not `file`
 */
export function plainGuards(
  endpoint: Endpoint,
  file: TypeScriptFile,
  form: EntryPlace['form'],
  context: RewriteContext,
  serves: 'both' | 'modern',
  into: string = file.path,
): Guarding {
  const none: Guarding = { lines: [], inHandler: () => [], needs: [], todo: [], notes: [] };
  if (endpoint.originPolicy.length > 0) return none;
  const web = dialectOf(form).family === 'web';
  const from = (module: string, ...names: readonly string[]): readonly Need[] => [
    ...names.map((name): Need => ({ kind: 'import', file: into, module, name })),
    ...sdkDependencies(context, endpoint.package, [module]),
  ];
  const { quote } = file;
  if (endpoint.exposure === 'loopback') {
    const notes = [`Requests with a Host or Origin that is not this machine are answered 403 on this path${serves === 'both' ? ', for both eras' : ''}.`];
    if (web) {
      const refused = freeName('refused', file);
      return {
        ...none,
        inHandler: (place) => [
          `const ${refused} = hostHeaderValidationResponse(${webRequest(place)}, localhostAllowedHostnames()) ?? originValidationResponse(${webRequest(place)}, localhostAllowedOrigins());`,
          `if (${refused} !== undefined) return ${refused};`,
        ],
        needs: from(
          '@modelcontextprotocol/server',
          'hostHeaderValidationResponse',
          'localhostAllowedHostnames',
          'localhostAllowedOrigins',
          'originValidationResponse',
        ),
        notes,
      };
    }
    const [host, origin] = [freeName('isLocalHost', file), freeName('isLocalOrigin', file)];
    return {
      ...none,
      lines: [`const ${host} = localhostHostValidation();`, `const ${origin} = localhostOriginValidation();`],
      inHandler: (place) => {
        const pair = nodePair(place).join(', ');
        return [`if (!${host}(${pair}) || !${origin}(${pair})) ${leaveText(place)}`];
      },
      needs: from('@modelcontextprotocol/node', 'localhostHostValidation', 'localhostOriginValidation'),
      notes,
    };
  }
  const pages = freeName('webPages', file);
  const todo = [pagesTodo];
  const mark = `// TODO(unsession) session-transport/session-route: ${pagesTodo}`;
  if (web) {
    const refused = freeName('refused', file);
    return {
      ...none,
      lines: [mark, `const ${pages} = ${pageList(file)};`],
      inHandler: (place) => [
        serves === 'modern'
          ? `const ${refused} = originValidationResponse(${webRequest(place)}, ${pages});`
          : `const ${refused} = (${webRequest(place)}.headers.get(${quote}mcp-protocol-version${quote}) ?? ${quote}${quote}) < ${quote}2026${quote} ? undefined : originValidationResponse(${webRequest(place)}, ${pages});`,
        `if (${refused} !== undefined) return ${refused};`,
      ],
      needs: from('@modelcontextprotocol/server', 'originValidationResponse'),
      todo,
    };
  }
  return {
    ...none,
    lines: [mark, `const ${pages} = originValidation(${pageList(file)});`],
    inHandler: (place) => {
      const [req, res] = nodePair(place);
      return [
        serves === 'modern'
          ? `if (!${pages}(${req}, ${res})) ${leaveText(place)}`
          : `if (String(${req}.headers[${quote}mcp-protocol-version${quote}] ?? ${quote}${quote}) >= ${quote}2026${quote} && !${pages}(${req}, ${res})) ${leaveText(place)}`,
      ];
    },
    needs: from('@modelcontextprotocol/node', 'originValidation'),
    todo,
  };
}
