import type { Peer } from './discover/peer.js';
import { survey } from './discover/survey.js';
import { wallOf } from './discover/wall.js';
import { httpWires, type Addresses } from './http/wire.js';
import type { Settings, Target } from './options.js';
import type { OpenWire } from './wire.js';

/** A target that can be spoken to. */
export interface OpenedTarget {
  readonly address: string;
  readonly transports: readonly ('http' | 'stdio' | 'sse' | 'client')[];
  readonly open: OpenWire;
  readonly addresses?: Addresses;
  readonly survey: () => Promise<Peer>;
  /** The sentence when no check said anything. */
  readonly nothing: string;
}

/**
 * @throws TypeError when the address is not an http or https URL
 */
export function openTarget(target: Target, settings: Settings): Promise<OpenedTarget> {
  if (target.transport !== 'http') throw new TypeError(`Transport ${target.transport} is not built yet.`);
  return Promise.resolve(openHttp(target.url, settings));
}

function openHttp(address: string, settings: Settings): OpenedTarget {
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError(`Not an http or https address: ${address}`);
  const addresses: Addresses = { endpoint: url.href, legacy: settings.legacyUrl ?? url.href, replica: settings.replica, sse: settings.sseUrl };
  const open = httpWires(addresses, settings);
  return {
    address: url.href,
    transports: ['http', 'sse'],
    open,
    addresses,
    nothing: 'The server answered, but no check could judge it.',
    survey: () =>
      survey(
        {
          open,
          wallOf: answer => wallOf(answer, url.origin),
          sseRequests: [settings.sseUrl === undefined ? 'endpoint' : 'sse'].map(to => ({ era: 'raw' as const, to, verb: 'GET', headers: { Accept: 'text/event-stream' }, readFor: 1000 / settings.pace, until: 'messages[method]' })),
          separate: settings.legacyUrl !== undefined,
        },
        settings,
      ),
  };
}
