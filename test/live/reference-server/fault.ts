import type { VerifyOptions } from '../../../src/verify/index.js';
import type { ReferenceOptions } from './options.js';

/** One deviation of the reference server from the revision, and the checks that it must turn red. */
export interface Fault {
  readonly what: string;
  /** Level of the requirement that is broken. */
  readonly level: 'must' | 'should';
  readonly over: 'http' | 'stdio';
  /** Set-up in which the deviation shows. */
  readonly with?: Omit<ReferenceOptions, 'faults'>;
  readonly options?: VerifyOptions;
  /** Checks that fail because of it, and no others. */
  readonly fails: readonly string[];
  /** Checks that warn because of it, and no others. */
  readonly warns?: readonly string[];
}

/** Keeps the names of faults as literal types, so that a misspelt switch is a compile error. */
export function defineFaults<const Id extends string>(over: Fault['over'], faults: Readonly<Record<Id, Omit<Fault, 'over'>>>): Readonly<Record<Id, Fault>> {
  return Object.fromEntries(Object.entries<Omit<Fault, 'over'>>(faults).map(([id, fault]) => [id, { ...fault, over }])) as unknown as Readonly<
    Record<Id, Fault>
  >;
}
