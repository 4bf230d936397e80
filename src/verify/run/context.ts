import type { Sharing } from '../../core/check.js';
import type { CheckRequest, ExchangeStep } from '../../core/check-step.js';
import type { Answer } from '../answer.js';
import type { Peer } from '../discover/peer.js';
import type { Variables } from '../evaluate/fill.js';
import type { Settings } from '../options.js';
import type { Evidence } from '../redact.js';
import type { OpenWire } from '../wire.js';

/** An answer as observers see it: without its body. */
export interface Observed {
  readonly check: string;
  readonly era: 'modern' | 'legacy' | 'raw';
  readonly method?: string | undefined;
  readonly answer: Answer;
}

/** What all checks of a run share. */
export interface RunContext {
  readonly open: OpenWire;
  /** The same where the transport has nothing to share. */
  readonly openShared: (kind: Sharing) => OpenWire;
  readonly peer: Peer;
  readonly settings: Settings;
  readonly variables: Variables;
  readonly evidence: Evidence;
  readonly observed: Observed[];
  /** True when the peer still answers an ordinary request. */
  readonly alive: () => Promise<boolean>;
  /** Checks in a row that found the peer gone. */
  readonly lost: { inARow: number };
}

export type { CheckRequest, ExchangeStep };
