import { setFlagsFromString } from 'node:v8';

/**
 * How much the heap may grow before it is collected again, in percent of what was alive. By itself V8 waits until it is several times as
 * large on a machine with much memory, so a scan that keeps 90 MB would take 600.
 */
const GROWTH_PERCENT = 40;

/**
 * Keeps the memory and the work of this process near to what it needs, once there are trees to build: a small heap would only be collected more often.
 * WebAssembly (the Python parsers) is compiled once and not again by the optimizing compiler, which takes 3 CPU seconds and 300 MB and is
 * never paid back in a run of this length. Both settings are known to V8 of every Node from 20 on.
 */
export function liveFrugally(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  setFlagsFromString('--liftoff-only');
}
