import type { Fault } from './fault.js';
import { httpFaults } from './faults-http.js';
import { stdioFaults } from './faults-stdio.js';

export type FaultId = keyof typeof httpFaults | keyof typeof stdioFaults;

/** One row of the mutation proof. A switch that shows over both transports has two rows. */
export interface FaultRow extends Fault {
  readonly id: FaultId;
}

const rows = (faults: Readonly<Record<string, Fault>>): FaultRow[] => Object.entries(faults).map(([id, fault]) => ({ ...fault, id: id as FaultId }));

export const faults: readonly FaultRow[] = [...rows(httpFaults), ...rows(stdioFaults)];
