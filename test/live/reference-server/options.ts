import { randomUUID } from 'node:crypto';
import type { FaultId } from './faults.js';

/** How the reference server is set up. Without faults it follows the revision to the letter. */
export interface ReferenceOptions {
  /** Deviations to show, for the proof that the checks see them. */
  readonly faults?: readonly FaultId[];
  readonly legacy?: 'none' | 'stateless' | 'sessionful';
  /** Serve HTTP+SSE at `/sse` and `/messages`. */
  readonly sse?: boolean;
  /** Demand this bearer token. */
  readonly token?: string;
  /** Advertise the tasks extension. */
  readonly tasks?: boolean;
  /** Multiplies all times of the server. */
  readonly pace?: number;
  /** Key of `requestState`; instances that share it accept each other's state. `random` is a key of the process. */
  readonly stateKey?: string;
}

/** Switches of a running server. */
export class Setup {
  readonly legacy: 'none' | 'stateless' | 'sessionful';
  readonly pace: number;
  readonly stateKey: string;
  /** A metric (`running`), and what only faults look at. */
  readonly memory = { running: 0, lists: 0, capabilities: {} as Record<string, unknown> };
  private readonly faults: ReadonlySet<string>;

  constructor(readonly options: ReferenceOptions) {
    this.legacy = options.legacy ?? 'none';
    this.pace = options.pace ?? 1;
    this.stateKey = options.stateKey === 'random' ? randomUUID() : (options.stateKey ?? 'a key that all instances share');
    this.faults = new Set(options.faults);
  }

  /** True when the server is to deviate in this way. */
  has(fault: FaultId): boolean {
    return this.faults.has(fault);
  }
}
