import { encode, isObject, post, type Has, type Json, type Reply } from './wire.js';

export const REVISION = '2026-07-28';
const NAMED: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** A failure that reaches the user. */
export class ClientError extends Error {}

/** Speaks the modern revision to one HTTP endpoint. */
export class Modern {
  private count = 0;
  /** Parameters that are mirrored, by tool: parameter -> header. */
  readonly mirrored = new Map<string, ReadonlyMap<string, string>>();

  constructor(
    readonly url: string,
    private readonly has: Has,
  ) {}

  /** One request, without any reaction to its error. */
  async send(method: string, params: Json = {}, version = REVISION): Promise<Reply> {
    const { has } = this;
    const id = has('reuses-ids') ? 1 : ++this.count;
    const meta = {
      [VERSION_KEY]: version,
      ...(has('no-client-info') ? {} : { 'io.modelcontextprotocol/clientInfo': { name: 'reference-client', version: '1' } }),
      ...(has('no-capabilities')
        ? {}
        : { 'io.modelcontextprotocol/clientCapabilities': has('capabilities-as-booleans') ? { elicitation: true } : { elicitation: { form: {} } } }),
    };
    return post(
      has,
      this.url,
      this.headers(method, params, version),
      { jsonrpc: '2.0', id, method, params: has('no-meta') ? params : { ...params, _meta: meta } },
      id,
    );
  }

  private headers(method: string, params: Json, version: string): Record<string, string> {
    const { has } = this;
    const key = NAMED[method];
    const name = key === undefined ? undefined : params[key];
    const headers: Record<string, string> = {
      'Content-Type': 'application/json',
      Accept: has('accepts-json-only') ? 'application/json' : 'application/json, text/event-stream',
      ...(has('no-version-header') ? {} : { 'MCP-Protocol-Version': has('header-differs') ? '2025-11-25' : version }),
      ...(has('no-method-header') ? {} : { 'Mcp-Method': method }),
      ...(typeof name === 'string' && !has('no-name-header') ? { 'Mcp-Name': encode(has, name) } : {}),
      ...(has('name-everywhere') && key === undefined ? { 'Mcp-Name': method } : {}),
      ...(has('sends-session') ? { 'Mcp-Session-Id': 'old-habit' } : {}),
    };
    const args = isObject(params['arguments']) ? params['arguments'] : {};
    for (const [parameter, header] of this.mirrored.get(String(params['name'])) ?? []) {
      const value = args[parameter];
      if (value !== undefined && value !== null && !has('mirrors-nothing'))
        headers[`Mcp-Param-${header}`] = encode(has, typeof value === 'string' ? value : JSON.stringify(value));
    }
    return headers;
  }

  /** A request with the reactions that the revision asks for: version retry, header recovery, input. */
  async request(method: string, params: Json = {}): Promise<Json> {
    const { has } = this;
    let reply = await this.send(method, params);
    if (codeOf(reply) === -32022 && !has('gives-up-on-version') && supportedOf(reply).includes(REVISION)) reply = await this.send(method, params);
    if (codeOf(reply) === -32020 && method === 'tools/call' && !has('no-recovery')) {
      await this.listTools();
      reply = await this.send(method, params);
    }
    if (reply.broken) {
      if (has('resumes-streams')) await fetch(this.url, { headers: { Accept: 'text/event-stream', 'Last-Event-ID': '1' } });
      throw new ClientError(`${method}: the stream broke`);
    }
    return this.complete(method, params, reply);
  }

  private async complete(method: string, params: Json, reply: Reply): Promise<Json> {
    const { has } = this;
    const result = reply.message?.['result'];
    if (!isObject(result)) throw new ClientError(`${method}: HTTP ${String(reply.status)}, error ${String(codeOf(reply))}`);
    const type = result['resultType'] ?? 'complete';
    if (type === 'complete' || (has('reads-any-result') && type !== 'input_required')) return result;
    if (type !== 'input_required') throw new ClientError(`${method}: unknown kind of result ${JSON.stringify(type)}`);
    const keys = isObject(result['inputRequests']) ? Object.keys(result['inputRequests']) : [];
    const state = result['requestState'];
    const stated = has('invents-state')
      ? { requestState: 'mine' }
      : typeof state === 'string'
        ? { requestState: has('rewrites-state') ? JSON.stringify(JSON.parse(state.startsWith('{') ? state : '{}')) : state }
        : {};
    const inputResponses = Object.fromEntries(keys.map((key) => [key, has('answers-with-value') ? 'Oslo' : { action: 'accept', content: { name: 'Oslo' } }]));
    return this.complete(method, params, await this.send(method, { ...params, inputResponses, ...(has('drops-state') ? {} : stated) }));
  }

  /** All pages of the tool list, without the tools whose annotations are illegal. */
  async listTools(): Promise<readonly string[]> {
    const { has } = this;
    const tools: Json[] = [];
    let cursor: unknown;
    do {
      const page = await this.request('tools/list', cursor === undefined ? {} : { cursor });
      if (Array.isArray(page['tools'])) tools.push(...(page['tools'] as Json[]));
      cursor = has('stops-at-empty-cursor') && page['nextCursor'] === '' ? undefined : page['nextCursor'];
    } while (cursor !== undefined);
    return tools.filter((tool) => this.learn(tool)).map((tool) => String(tool['name']));
  }

  private learn(tool: Json): boolean {
    const schema = isObject(tool['inputSchema']) ? tool['inputSchema']['properties'] : undefined;
    const found = new Map<string, string>();
    for (const [name, property] of Object.entries(isObject(schema) ? schema : {})) {
      const header = isObject(property) ? property['x-mcp-header'] : undefined;
      if (header === undefined) continue;
      const legal =
        typeof header === 'string' && /^[!#$%&'*+.^_`|~\w-]+$/.test(header) && ['string', 'integer', 'boolean'].includes(String((property as Json)['type']));
      if (!legal) return this.has('keeps-bad-tools');
      found.set(name, header);
    }
    this.mirrored.set(String(tool['name']), found);
    return true;
  }
}

export const codeOf = (reply: Reply): unknown => (isObject(reply.message?.['error']) ? reply.message['error']['code'] : undefined);

export function supportedOf(reply: Reply): readonly unknown[] {
  const error = reply.message?.['error'];
  const data = isObject(error) ? error['data'] : undefined;
  return isObject(data) && Array.isArray(data['supported']) ? (data['supported'] as unknown[]) : [];
}
