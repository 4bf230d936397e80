import type { Fault } from './fault.js';
import { endpointFaults } from './faults-endpoint.js';
import { errorsFaults } from './faults-errors.js';
import { metadataFaults } from './faults-metadata.js';
import { resultsFaults } from './faults-results.js';
import { stdioFaults } from './faults-stdio.js';
import { windowFaults } from './faults-window.js';

/** All groups: what shows over HTTP, by what it is about, then what shows over stdio. */
const groups = [endpointFaults, metadataFaults, errorsFaults, resultsFaults, windowFaults, stdioFaults] as const;

type KeysOf<Group> = Group extends unknown ? keyof Group : never;
export type FaultId = KeysOf<(typeof groups)[number]>;

/** One row of the mutation proof. A switch that shows over both transports has two rows. */
export interface FaultRow extends Fault {
  readonly id: FaultId;
}

const rows = (faults: Readonly<Record<string, Fault>>): FaultRow[] => Object.entries(faults).map(([id, fault]) => ({ ...fault, id: id as FaultId }));

export const faults: readonly FaultRow[] = groups.flatMap(rows);
