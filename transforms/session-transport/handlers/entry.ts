import { ts } from 'ts-morph';
import type { Need, RewriteContext, TextEdit } from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { indentOf, linesAt } from '../../_mcp/typescript/emit/edits.js';
import { freeName } from '../../_mcp/typescript/emit/names.js';
import { sdkDependencies } from '../../_mcp/typescript/emit/needs.js';
import { LOOPBACK_ORIGINS } from '../rewrite/surroundings.js';
import { dialectOf, leaveText, nodePair, webRequest } from './dialect.js';
import type { HandlerLane } from './lane.js';
import type { Region } from './region.js';

/** How an entry that no shim guards refuses foreign hosts and web pages. */
export interface Guarding {
  /** Declarations in front of the entry. */
  readonly lines: readonly string[];
  /** Statements in front of the entry's call in a handler. */
  readonly inHandler: (region: Region) => readonly string[];
  readonly needs: readonly Need[];
  readonly todo: readonly string[];
  readonly notes: readonly string[];
}

const listText = (file: TypeScriptFile): string => `[${LOOPBACK_ORIGINS.map((host) => file.quote + host + file.quote).join(', ')}]`;

/** What the team has to fill in where the address is not known. */
const pagesTodo =
  'name the hosts of the web pages that may call this path; the modern lane serves programs and pages of this machine only, the legacy lane any page';

/** Options of the shim: it guards both lanes on a loopback address, and only the modern one where the address is not known. */
export function shimGuards({ endpoint, file }: HandlerLane): {
  readonly options: string;
  readonly lines: readonly string[];
  readonly todo: readonly string[];
  readonly notes: readonly string[];
} {
  if (endpoint.originPolicy.length > 0) return { options: '', lines: [], todo: [], notes: [] };
  if (endpoint.exposure === 'loopback')
    return {
      options: ', { localOnly: true }',
      lines: [],
      todo: [],
      notes: ['Requests with a Host or Origin that is not this machine are answered 403 on this path, for both eras.'],
    };
  return {
    options: `, { allowedOrigins: ${listText(file)} }`,
    lines: [`// TODO(unsession) session-transport/session-route: ${pagesTodo}`],
    todo: [pagesTodo],
    notes: [],
  };
}

/** The same without a shim: guards of the SDK in front of the entry. */
export function plainGuards(lane: Pick<HandlerLane, 'endpoint' | 'file' | 'regions'>, context: RewriteContext): Guarding {
  const { endpoint, file, regions } = lane;
  const none: Guarding = { lines: [], inHandler: () => [], needs: [], todo: [], notes: [] };
  const [head] = regions;
  if (endpoint.originPolicy.length > 0 || head === undefined) return none;
  const web = dialectOf(head.form).family === 'web';
  const from = (module: string, ...names: readonly string[]): readonly Need[] => [
    ...names.map((name): Need => ({ kind: 'import', file: file.path, module, name })),
    ...sdkDependencies(context, endpoint.package, [module]),
  ];
  const { quote } = file;
  if (endpoint.exposure === 'loopback') {
    const notes = ['Requests with a Host or Origin that is not this machine are answered 403 on this path, for both eras.'];
    if (web) {
      const refused = freeName('refused', file);
      return {
        ...none,
        inHandler: (region) => [
          `const ${refused} = hostHeaderValidationResponse(${webRequest(region)}, localhostAllowedHostnames()) ?? originValidationResponse(${webRequest(region)}, localhostAllowedOrigins());`,
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
      inHandler: (region) => {
        const pair = nodePair(region).join(', ');
        return [`if (!${host}(${pair}) || !${origin}(${pair})) ${leaveText(region)}`];
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
      lines: [mark, `const ${pages} = ${listText(file)};`],
      inHandler: (region) => [
        `const ${refused} = (${webRequest(region)}.headers.get(${quote}mcp-protocol-version${quote}) ?? ${quote}${quote}) < ${quote}2026${quote} ? undefined : originValidationResponse(${webRequest(region)}, ${pages});`,
        `if (${refused} !== undefined) return ${refused};`,
      ],
      needs: from('@modelcontextprotocol/server', 'originValidationResponse'),
      todo,
    };
  }
  return {
    ...none,
    lines: [mark, `const ${pages} = originValidation(${listText(file)});`],
    inHandler: (region) => {
      const [req, res] = nodePair(region);
      return [
        `if (String(${req}.headers[${quote}mcp-protocol-version${quote}] ?? ${quote}${quote}) >= ${quote}2026${quote} && !${pages}(${req}, ${res})) ${leaveText(region)}`,
      ];
    },
    needs: from('@modelcontextprotocol/node', 'originValidation'),
    todo,
  };
}

/** `async` in front of a function that waits from now on. */
export function asyncEdit(region: Region): readonly TextEdit[] {
  if (!region.makeAsync) return [];
  const start = region.fn.getStart(region.file.tree);
  const modifier = ts.isFunctionDeclaration(region.fn) || ts.isMethodDeclaration(region.fn) ? nameStart(region) : start;
  return [{ start: modifier, end: modifier, text: 'async ' }];
}

/** Where `async` stands in a declaration: in front of `function`, or of the name of a method. */
function nameStart({ fn, file }: Region): number {
  const keyword = fn.getChildren(file.tree).find((child) => child.kind === ts.SyntaxKind.FunctionKeyword);
  return keyword?.getStart(file.tree) ?? fn.name?.getStart(file.tree) ?? fn.getStart(file.tree);
}

/** Text in front of the session code, whatever it stands in: a list of statements, a lone statement, an arrow function without a block. */
export function insertInFront(region: Region, lines: readonly string[]): readonly TextEdit[] {
  const { file, legacy } = region;
  const [first] = legacy;
  if (first === undefined) return [];
  const start = first.getStart(file.tree);
  const parent = first.parent;
  const indent = indentOf(first, file);
  if (ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isCaseOrDefaultClause(parent))
    return [{ start, end: start, text: linesAt([...lines, ''], indent, file) + indent }];
  const deeper = indent + file.indentUnit;
  const lead = ts.isStatement(first) ? '' : 'return ';
  const text = ['{', ...lines.map((line) => deeper + line), deeper + lead].join(file.eol);
  return [
    { start, end: start, text },
    { start: first.end, end: first.end, text: `${ts.isStatement(first) ? '' : ';'}${file.eol}${indent}}` },
  ];
}
