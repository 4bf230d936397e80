import { ts } from 'ts-morph';
import type { Endpoint, Need, TextEdit } from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { indentOf } from '../../_mcp/typescript/emit/edits.js';
import { freeName } from '../../_mcp/typescript/emit/names.js';
import { calledMember, nameText, unwrap } from '../../_mcp/typescript/nodes.js';
import type { Served } from '../served.js';

/** An endpoint with its registrations in one file. */
interface ServedEndpoint {
  readonly endpoint: Pick<Endpoint, 'host' | 'parser'>;
  readonly file: TypeScriptFile;
  readonly served: readonly Served[];
}

/** What a host needs beside the entry itself. */
export interface HostExtras {
  /** Declarations in front of the entry. */
  readonly lines: readonly string[];
  readonly edits: readonly TextEdit[];
  readonly needs: readonly Need[];
  readonly todo: readonly string[];
  readonly notes: readonly string[];
}

const NONE: HostExtras = { lines: [], edits: [], needs: [], todo: [], notes: [] };

/** Body errors of NestJS happen in front of all controllers, in a file that only the team can name. */
const NEST_BODY =
  'NestJS answers bodies that it cannot read in its own words: register a global exception filter that answers them with the JSON-RPC error -32700';

/**
 * Fastify reads the body before the handler runs, and answers one that it cannot read in its own words. Clients of the protocol expect a
 * JSON-RPC error: the routes get an error handler of their own for that, unless the project has one.
 */
export function bodyErrors(lane: ServedEndpoint): HostExtras {
  const { file, served } = lane;
  const extras = bodyErrorHandler(lane);
  const { name } = extras;
  if (name === undefined) return { ...NONE, ...extras };
  const edits = served
    .filter(({ verbs, node }) => (verbs.includes('POST') || verbs.includes('ALL')) && node.getSourceFile() === file.tree)
    .flatMap(({ node }) => (ts.isCallExpression(node) ? optionEdit(node, name) : []));
  return edits.length === 0 ? NONE : { ...extras, edits };
  function optionEdit(call: ts.CallExpression, handler: string): readonly TextEdit[] {
    const property = `errorHandler: ${handler}`;
    const [first, second, third] = call.arguments;
    const object = calledMember(call) === 'route' ? first : third === undefined ? undefined : second;
    const value = object === undefined ? undefined : unwrap(object);
    if (value !== undefined && ts.isObjectLiteralExpression(value)) {
      const [head] = value.properties;
      if (head === undefined || value.properties.some(({ name: key }) => nameText(key) === 'errorHandler')) return [];
      const start = head.getStart(file.tree);
      const newLine = file.text.slice(value.getStart(file.tree), start).includes('\n');
      return [{ start, end: start, text: `${property},${newLine ? file.eol + indentOf(head, file) : ' '}` }];
    }
    if (second === undefined || third !== undefined || calledMember(call) === 'route' || ts.isObjectLiteralExpression(unwrap(second))) return [];
    const start = second.getStart(file.tree);
    return [{ start, end: start, text: `{ ${property} }, ` }];
  }
}

/** The handler itself, for a route that is written anew; no name when the host or the project has no use for one. */
export function bodyErrorHandler({ endpoint, file, served }: ServedEndpoint): Omit<HostExtras, 'edits'> & {
  readonly name: string | undefined;
} {
  const none = { lines: [], needs: [], todo: [], notes: [], name: undefined };
  if (endpoint.host === 'nestjs' && served.some(({ form }) => form === 'node-parsed') && !/bodyParser\s*:\s*false/.test(file.text))
    return { ...none, todo: [NEST_BODY] };
  if (endpoint.host !== 'fastify' || endpoint.parser !== 'before' || /\b(?:setErrorHandler|errorHandler)\b/.test(file.text)) return none;
  const name = freeName('refuseBody', file);
  const typed = !file.isJavaScript;
  const { indentUnit: unit, quote } = file;
  return {
    name,
    lines: [
      '/** Bodies that Fastify cannot read are refused as JSON-RPC errors. */',
      typed ? `const ${name} = (error: FastifyError, _request: FastifyRequest, reply: FastifyReply) => {` : `const ${name} = (error, _request, reply) => {`,
      `${unit}const { statusCode = 500, message } = error;`,
      `${unit}if (statusCode !== 400 && statusCode !== 413 && statusCode !== 415) throw error;`,
      `${unit}return reply.code(statusCode).send({ jsonrpc: ${quote}2.0${quote}, error: { code: statusCode === 400 ? -32700 : -32600, message }, id: null });`,
      '};',
    ],
    needs: typed
      ? ['FastifyError', 'FastifyReply', 'FastifyRequest'].map((type) => ({ kind: 'import', file: file.path, module: 'fastify', name: type, typeOnly: true }))
      : [],
    todo: [],
    notes: ['A body that Fastify cannot read is refused with a JSON-RPC error instead of the words of Fastify.'],
  };
}
