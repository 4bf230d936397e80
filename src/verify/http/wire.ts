import http from 'node:http';
import https from 'node:https';
import type { CheckRequest } from '../../core/check-step.js';
import type { Answer } from '../answer.js';
import { valuesAt } from '../evaluate/path.js';
import type { Settings } from '../options.js';
import { messageOf, standardHeaders } from '../protocol.js';
import { freshId, type During, type OpenWire } from '../wire.js';
import { LATE, send } from './send.js';

/** Addresses that a request may be sent to: nothing that the user did not name. */
export interface Addresses {
  readonly endpoint: string;
  readonly legacy: string;
  readonly replica?: string | undefined;
  readonly sse?: string | undefined;
}

/** Longest wait before a request is repeated that was refused because of load, in milliseconds. */
const BUSY_RETRY = 2000;

/** Opens HTTP wires to the addresses: each request on its own connection unless the check names a shared one. */
export function httpWires(addresses: Addresses, settings: Settings): OpenWire {
  const secrets = { ...settings.headers, ...(settings.token === undefined ? {} : { Authorization: `Bearer ${settings.token}` }) };
  const wait = (milliseconds: number | undefined): number | undefined =>
    milliseconds === undefined ? undefined : Math.max(20, Math.round(milliseconds * settings.pace));
  return (onAnswer) => {
    const agents = new Map<string, http.Agent>();
    const agentOf = (name: string | undefined, url: URL): http.Agent | undefined => {
      if (name === undefined) return undefined;
      const key = `${name} ${url.origin}`;
      const agent =
        agents.get(key) ??
        (url.protocol === 'https:' ? new https.Agent({ keepAlive: true, maxSockets: 1 }) : new http.Agent({ keepAlive: true, maxSockets: 1 }));
      agents.set(key, agent);
      return agent;
    };

    const exchange = async (request: CheckRequest, during: During = []): Promise<Answer> => {
      const url = addressOf(request.to ?? 'endpoint', addresses);
      const id = request.id ?? freshId();
      const verb = request.verb ?? 'POST';
      const message = request.body === undefined && request.method !== undefined && verb === 'POST' ? messageOf(request, id) : undefined;
      const until = request.until;
      const answer = await send(
        {
          url,
          verb,
          headers: headersOf({ ...standardHeaders(request), ...secrets }, request.headers ?? {}),
          body: bodyOf(request, message),
          id: request.notification === true ? undefined : id,
          method: request.method,
        },
        {
          timeout: settings.timeout + (request.readFor === undefined ? 0 : LATE + (wait(request.readFor) ?? 0)),
          maxBytes: settings.maxBytes,
          readFor: wait(request.readFor),
          abortAfter: wait(request.abortAfter),
          headersOnly: request.headersOnly,
          enough: until === undefined ? undefined : (messages, comments) => valuesAt({ messages, comments }, until).values.length > 0,
          ...(typeof during !== 'function' && during.length === 0
            ? {}
            : { onOpen: (events) => inOrder(typeof during === 'function' ? during(events) : during, exchange) }),
          agent: agentOf(request.connection, url),
          ...(settings.tls ? { tls: settings.tls } : {}),
          signal: settings.signal,
        },
      );
      const busy = answer.status === 429 || (answer.status === 503 && answer.header['retry-after'] !== undefined);
      if (busy && request.connection !== 'retry') {
        await new Promise((resolve) => setTimeout(resolve, Math.min(BUSY_RETRY, 1000 * Number(answer.header['retry-after'] ?? 1) || 1000)));
        return exchange({ ...request, connection: 'retry' }, during);
      }
      onAnswer?.(request, answer);
      return answer;
    };
    return {
      exchange,
      close: () => {
        for (const agent of agents.values()) agent.destroy();
        return Promise.resolve();
      },
    };
  };
}

async function inOrder(requests: readonly CheckRequest[], exchange: (request: CheckRequest) => Promise<Answer>): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const request of requests) answers.push(await exchange(request));
  return answers;
}

function addressOf(to: string, addresses: Addresses): URL {
  if (to === 'endpoint') return new URL(addresses.endpoint);
  if (to === 'legacy') return new URL(addresses.legacy);
  if (to === 'replica') return new URL(addresses.replica ?? addresses.endpoint);
  if (to === 'sse') return new URL(addresses.sse ?? addresses.endpoint);
  return new URL(to, addresses.endpoint);
}

function headersOf(
  standard: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string | null | readonly string[]>>,
): (readonly [string, string])[] {
  const replaced = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const pairs: (readonly [string, string])[] = Object.entries(standard).filter(([name]) => !replaced.has(name.toLowerCase()));
  for (const [name, value] of Object.entries(own)) {
    if (value === null) continue;
    if (typeof value === 'string') pairs.push([name, value]);
    else for (const copy of value) pairs.push([name, copy]);
  }
  return pairs;
}

function bodyOf(request: CheckRequest, message: unknown): string | undefined {
  if (request.fill !== undefined) return (request.body ?? 'a').repeat(Math.ceil(request.fill / (request.body ?? 'a').length)).slice(0, request.fill);
  return request.body ?? (message === undefined ? undefined : JSON.stringify(message));
}
