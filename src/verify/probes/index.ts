import type { Deviation } from '../evaluate/assert.js';
import type { Variables } from '../evaluate/fill.js';
import type { RunContext } from '../run/context.js';
import type { Unmet } from '../run/preconditions.js';
import type { Wire } from '../wire.js';
import { restart } from './control.js';
import { announcedChange, disconnectCancels, sideBySide, stopWhileListening } from './listening.js';
import { pages } from './pages.js';
import { rounds } from './rounds.js';
import { sseBridge } from './sse.js';

/** What a probe works with. `with` is the data of the step, filled in. */
export interface ProbeInput {
  readonly wire: Wire;
  readonly context: RunContext;
  readonly variables: Variables;
  readonly with: Readonly<Record<string, unknown>>;
  readonly kept: Record<string, unknown>;
}

/** A probe says what deviates, or that it could not look. */
export interface ProbeOutcome {
  readonly deviations: readonly Deviation[];
  readonly unmet?: Unmet;
}

export type Probe = (input: ProbeInput) => Promise<ProbeOutcome>;

/** The named procedures of the runner. */
export const probes: Readonly<Record<string, Probe>> = {
  restart,
  'announced-change': announcedChange,
  pages,
  rounds,
  'side-by-side': sideBySide,
  'stop-while-listening': stopWhileListening,
  'disconnect-cancels': disconnectCancels,
  'sse-bridge': sseBridge,
};
