import { z } from 'zod';
import { at } from './place.js';

/** How many instances of a program run, as a manifest, an image or a start command says it. */
export const InstancesFact = z.object({
  type: z.literal('instances'),
  ...at,
  /** `on-demand`: a platform starts as many as there are requests. */
  amount: z.enum(['one', 'several', 'on-demand']),
  /** In words: `3 instances`. */
  words: z.string(),
  /** Processes behind one address and port, which no balancer can tell apart. */
  processes: z.boolean(),
  /** The workload, its image or its file is named after MCP. */
  named: z.boolean(),
});

/** A setting that brings a client back to the instance that it had before. */
export const AffinityFact = z.object({ type: z.literal('affinity'), ...at });

/** A class whose objects a platform keeps: its declaration in code, or its binding in a manifest. */
export const ObjectClassFact = z.object({
  type: z.literal('object-class'),
  ...at,
  className: z.string(),
  /** Name under which code reaches the objects, for a binding. */
  binding: z.string().optional(),
});
