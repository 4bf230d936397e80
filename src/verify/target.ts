import type { Check, Sharing } from '../core/check.js';
import type { CheckResult } from '../core/verify-report.js';
import { runClientCheck } from './client/run.js';
import { UNKNOWN_PEER, type Peer, type Wall } from './discover/peer.js';
import { survey } from './discover/survey.js';
import { wallOf } from './discover/wall.js';
import { httpWires, type Addresses } from './http/wire.js';
import type { Settings, Target } from './options.js';
import type { Evidence } from './redact.js';
import { diesUnasked, launchWall } from './stdio/launch.js';
import type { Command } from './stdio/process.js';
import { stdioWires } from './stdio/wire.js';
import type { OpenWire } from './wire.js';

/** A target that can be spoken to. */
export interface OpenedTarget {
  readonly address: string;
  readonly transports: readonly ('http' | 'stdio' | 'sse' | 'client')[];
  readonly open: OpenWire;
  /** Stdio only: wires that share a process. */
  readonly openShared?: (kind: Sharing) => OpenWire;
  /** Ends what still runs. */
  readonly finish?: () => Promise<void>;
  readonly addresses?: Addresses;
  readonly survey: () => Promise<Peer>;
  /** The sentence when no check said anything. */
  readonly nothing: string;
  /** Clients only: judges one check by a referee. */
  readonly referee?: (check: Check, evidence: Evidence) => Promise<CheckResult>;
}

/**
 * @throws TypeError when the address is not an http or https URL
 */
export function openTarget(target: Target, settings: Settings): OpenedTarget {
  if (target.transport === 'http') return openHttp(target.url, settings);
  return target.transport === 'stdio' ? openStdio(target, settings) : openClient(target, settings);
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
          wallOf: (answer) => wallOf(answer, url.origin),
          sseRequests: [settings.sseUrl === undefined ? 'endpoint' : 'sse'].map((to) => ({
            era: 'raw' as const,
            to,
            verb: 'GET',
            headers: { Accept: 'text/event-stream' },
            readFor: 1000 / settings.pace,
            until: 'messages[method]',
          })),
          separate: settings.legacyUrl !== undefined,
        },
        settings,
      ),
  };
}

function openStdio(command: Command, settings: Settings): OpenedTarget {
  const { open, openShared, finish } = stdioWires(command, settings);
  return {
    address: [command.command, ...command.args].join(' '),
    transports: ['stdio'],
    open,
    openShared,
    finish,
    nothing: 'The server answered, but no check could judge it.',
    survey: async () => {
      const peer = await survey({ open, openShared, wallOf: () => undefined, sseRequests: [], separate: false }, settings);
      const first = peer.evidence[0];
      if (!first) return peer;
      if (first.exited === undefined) {
        const wall: Wall | undefined =
          peer.modern || peer.legacy || peer.wall || !first.silent || first.stray.length > 0
            ? undefined
            : {
                kind: 'silent',
                text: `The process runs and answers nothing within ${String(settings.timeout)} ms, neither to server/discover nor to initialize.`,
              };
        return { ...peer, probe: first.silent ? 'silent' : 'answered', ...(wall ? { wall } : {}) };
      }
      if (peer.legacy) return { ...peer, probe: 'exited' };
      const quiet = await diesUnasked(command, first.milliseconds, settings.maxBytes);
      return quiet.died ? { ...peer, probe: 'launch-failed', wall: launchWall(quiet.code, quiet.stderr) } : { ...peer, probe: 'exited' };
    },
  };
}

function openClient(target: Extract<Target, { transport: 'client' }>, settings: Settings): OpenedTarget {
  return {
    address: [target.command, ...target.args].join(' '),
    transports: ['client'],
    open: () => {
      throw new Error('A client under test is not spoken to.');
    },
    nothing: 'The client did nothing that a check could judge.',
    survey: () => Promise.resolve(UNKNOWN_PEER),
    referee: (check, evidence) => runClientCheck(check, target, settings, evidence),
  };
}
