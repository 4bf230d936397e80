import type { CheckRequest } from '../core/check-step.js';
import type { Answer, StreamEvent } from './answer.js';

/** Requests that are sent while a stream is open, or what to send in view of its first event. */
export type During = readonly CheckRequest[] | ((events: readonly StreamEvent[]) => readonly CheckRequest[]);

/** A way to the peer. One wire serves one check: its own connections over HTTP, its own process over stdio. */
export interface Wire {
  /** Sends one filled-in request and reads the answer. `during` is sent while the stream of the answer is open. Never throws. */
  exchange(request: CheckRequest, during?: During): Promise<Answer>;
  close(): Promise<void>;
  /** Starts what takes time to start, without waiting for it. */
  warm?(): void;
}

/** Opens a wire; `onAnswer` sees every answer with the request that asked for it. */
export type OpenWire = (onAnswer?: (request: CheckRequest, answer: Answer) => void) => Wire;

let counter = 1000;

/** A JSON-RPC id that this process has not used: an integer, never 0. */
export const freshId = (): number => ++counter;
