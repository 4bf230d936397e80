import type { IncomingMessage } from 'node:http';
import type { ModernRequest } from './modern.js';
import type { Setup } from './options.js';
import { decodeValue, isObject, ProtocolError, VERSION_KEY, type Json } from './protocol.js';
import { tools } from './tools.js';

const NAMED: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri', 'tasks/get': 'taskId' };

/** What arrived on a socket, for the fault `keeps-blanks` alone. */
export const wireText = new WeakMap<object, string>();

/** All values of a header, by raw lines, so that repetitions are seen. */
export function linesOf(request: IncomingMessage, name: string): readonly string[] {
  const lines: string[] = [];
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2)
    if (request.rawHeaders[i]?.toLowerCase() === name.toLowerCase()) lines.push(request.rawHeaders[i + 1] ?? '');
  return lines;
}

const mismatch = (setup: Setup, text: string): never => {
  throw new ProtocolError(setup.has('mismatch-old-code') ? -32001 : -32020, text, setup.has('mismatch-status-200') ? 200 : 400);
};

/** Rungs 9 and 11: the version header is there and equals the body. */
export function requireVersionHeader(setup: Setup, request: IncomingMessage, message: ModernRequest): void {
  const lines = linesOf(request, 'mcp-protocol-version');
  if (lines.length === 0) {
    if (!setup.has('version-header-optional')) mismatch(setup, 'MCP-Protocol-Version is missing');
    return;
  }
  const body = message.meta[VERSION_KEY];
  if (lines[0] !== body && body !== undefined && !setup.has('version-header-unchecked')) mismatch(setup, 'MCP-Protocol-Version differs from the body');
}

/** Rung 13: `Mcp-Method` and `Mcp-Name` against the body. */
export function requireRoutingHeaders(setup: Setup, request: IncomingMessage, message: ModernRequest): void {
  const methods = linesOf(request, 'mcp-method');
  if (methods.length > 1 && !setup.has('takes-duplicates')) mismatch(setup, 'Mcp-Method is repeated');
  const [method] = methods;
  if (method === undefined && !setup.has('method-header-optional')) mismatch(setup, 'Mcp-Method is missing');
  if (method !== undefined && !setup.has('method-header-unchecked')) {
    const value = setup.has('decodes-method') ? decodeValue(method, false, false) : method;
    const same = setup.has('method-any-case') ? value.toLowerCase() === message.method.toLowerCase() : value === message.method;
    if (!same && !(setup.has('decodes-method') && value !== method && value === message.method)) mismatch(setup, 'Mcp-Method differs from the body');
  }
  if (setup.has('exact-header-names') && request.rawHeaders.includes('MCP-METHOD')) mismatch(setup, 'Mcp-Method is missing');
  const key = NAMED[message.method];
  if (key === undefined) return;
  const wanted = message.params[key];
  const [name] = linesOf(request, 'mcp-name');
  if (name === undefined) {
    if (setup.has('name-header-optional') || (setup.has('uri-header-optional') && key === 'uri')) return;
    return void mismatch(setup, 'Mcp-Name is missing');
  }
  if (setup.has('name-header-unchecked')) return;
  if (setup.has('task-header-unchecked') && key === 'taskId') return;
  // node:http has stripped the blanks around the value already; the fault looks at the wire.
  if (setup.has('keeps-blanks') && /\nmcp-name:(?: {2,}|[^\r\n]* \r)/i.test(wireText.get(request.socket) ?? ''))
    return void mismatch(setup, 'Mcp-Name differs from the body');
  const decoded = setup.has('takes-encoded-names-literally') ? name : decodeValue(name, setup.has('lenient-base64'), setup.has('any-case-marker'));
  const lenient = setup.has('lenient-base64') && name !== decoded;
  if (decoded !== wanted && !(lenient && (decoded === '' || String(wanted).startsWith(decoded.slice(0, 3))))) mismatch(setup, 'Mcp-Name differs from the body');
}

/** Rung 16: `Mcp-Param-*` against the annotated arguments of the named tool. */
export function requireParameterHeaders(setup: Setup, request: IncomingMessage, message: ModernRequest): void {
  if (message.method !== 'tools/call' || setup.has('parameters-unchecked')) return;
  const tool = tools.find((entry) => entry.name === message.params['name']);
  const properties = tool?.inputSchema['properties'];
  if (!isObject(properties)) return;
  const args = isObject(message.params['arguments']) ? message.params['arguments'] : {};
  for (const [name, schema] of Object.entries(properties)) {
    const header = isObject(schema) ? schema['x-mcp-header'] : undefined;
    if (typeof header === 'string') compare(setup, name, schema as Json, linesOf(request, `mcp-param-${header}`)[0], args);
  }
}

function compare(setup: Setup, name: string, schema: Json, line: string | undefined, args: Json): void {
  const value = args[name];
  if (value === undefined || value === null) {
    if (line === undefined && setup.has('parameter-header-always') && schema['type'] === 'string') mismatch(setup, `The header of ${name} is missing`);
    return;
  }
  if (line === undefined) {
    if (!setup.has('parameter-header-optional')) mismatch(setup, `The header of ${name} is missing`);
    return;
  }
  if (setup.has('parameters-literal') ? line === value : false) return;
  const decoded = setup.has('parameters-literal') ? line : decodeValue(line, setup.has('lenient-base64'), false);
  const same =
    typeof value === 'number'
      ? setup.has('reads-hex')
        ? Number(decoded) === value
        : /^-?\d+(\.0+)?$/.test(decoded) && Number(decoded) === value
      : decoded === (typeof value === 'string' ? value : JSON.stringify(value));
  if (!same) mismatch(setup, `The header of ${name} differs from the body`);
}
