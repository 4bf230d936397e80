import { type Fact, type FactOf, type Site, type SymbolRef, factsOf, keyOf } from '../../src/core/index.js';

/** What is known of the function or class that builds the server of a connection, once all files are read. */
export interface Built {
  /** The function that builds the server in the end; others only hand its result on. */
  readonly factory: FactOf<'factory'>;
  /** Why its servers cannot be built per request, with the place. */
  readonly obstacle: { readonly why: string; readonly next: string; readonly site: Site } | undefined;
}

/** Functions that hand on what another one returns are followed this far. */
const MAX_HOPS = 8;

/**
 * Finds what builds a server, through functions that only return what another one returns.
 * @returns `undefined` when the function is not known to return a server
 */
export function builtBy(symbol: SymbolRef, facts: readonly Fact[]): Built | undefined {
  const all = factsOf(facts, 'factory');
  let key = keyOf(symbol);
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    const own = all.filter((fact) => keyOf(fact.symbol) === key);
    // One function that keeps its server is enough: it may be the override of a subclass.
    const factory = own.find(({ returns }) => returns === 'kept') ?? own.find(({ returns }) => returns !== 'unknown') ?? own[0];
    if (factory === undefined) return undefined;
    const obstacle = obstacleOf(factory);
    if (obstacle !== undefined || factory.through === undefined)
      return factory.returns === 'unknown' && obstacle === undefined ? undefined : { factory, obstacle };
    key = keyOf(factory.through);
  }
  return undefined;
}

function obstacleOf(factory: FactOf<'factory'>): Built['obstacle'] {
  if (factory.returns === 'kept')
    return {
      why: `\`${factory.symbol.name}\` gives the same server each time`,
      next: 'Let it build a new server on each call; the entry is written then.',
      site: factory.site,
    };
  const [effect] = factory.effects;
  if (effect === undefined) return undefined;
  return factory.members === undefined
    ? {
        why: `\`${factory.symbol.name}\` does more than build a server: it would run once per request`,
        next: 'Move timers, listeners and writes to outer variables out of the factory.',
        site: effect,
      }
    : {
        why: `an object of \`${factory.symbol.name}\` does more than build a server, or remembers what its client did: it would be built once per request`,
        next: 'Move timers, listeners and what has to be remembered out of the class.',
        site: effect,
      };
}
