import { z } from 'zod';
import { Category } from '../finding.js';
import { SymbolRef, at, within } from './place.js';

/** A container that holds one entry per session, or a single slot. */
export const StoreFact = z.object({
  type: z.literal('store'),
  ...at,
  symbol: SymbolRef,
  form: z.enum(['map', 'object', 'field', 'slot', 'weak', 'external']),
  holds: z.enum(['transport', 'server', 'state', 'resource', 'unknown']),
  written: z.boolean(),
  /** Entries are removed somewhere. */
  cleaned: z.boolean(),
});

/** A read or write of a session id. */
export const KeyUseFact = z.object({
  type: z.literal('key-use'),
  ...at,
  ...within,
  source: z.enum(['header', 'transport', 'context', 'query', 'variable']),
  category: Category,
  store: SymbolRef.optional(),
});

/** State that lives as long as a session, with or without a visible id. */
export const StateFact = z.object({
  type: z.literal('state'),
  ...at,
  ...within,
  form: z.enum(['keyed', 'closure', 'weak', 'field']),
  category: Category,
  symbol: SymbolRef.optional(),
  /** The class of an object that is kept: the fact counts only where a `remembering-class` fact names the same class. */
  of: SymbolRef.optional(),
});

/** A class whose methods change its own fields. No state by itself: whoever keeps an object of it for a session has state. */
export const RememberingClassFact = z.object({ type: z.literal('remembering-class'), ...at, symbol: SymbolRef });

/** A class that keeps or checks sessions of the application, under keys that it makes itself: the protocol has no part in it. */
export const ApplicationSessionFact = z.object({ type: z.literal('application-session'), ...at, name: z.string() });
