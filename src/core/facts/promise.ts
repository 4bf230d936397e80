import { z } from 'zod';
import { at } from './place.js';

/** A range of a manifest that decides how uses in the code of its package are judged. */
export const RequirementFact = z.object({ type: z.literal('requirement'), ...at, name: z.string(), range: z.string() });

/** A day that was promised as the end of legacy routes. */
export const PromisedDateFact = z.object({
  type: z.literal('promised-date'),
  ...at,
  /** ISO day. */
  day: z.string(),
  /** `header`: clients are told with each answer; `document`: people have read it. */
  medium: z.enum(['header', 'document']),
});
