import { z } from 'zod';
import { at, within } from './place.js';

/** A message that a server sends on its own initiative. */
export const PushFact = z.object({
  type: z.literal('push'),
  ...at,
  ...within,
  what: z.enum(['elicitation', 'sampling', 'roots', 'logging', 'progress', 'list-changed', 'resource-updated', 'ping', 'request', 'notification']),
  /** `request`: through the context of the running request; `instance`: through the server object. */
  through: z.enum(['request', 'instance']),
});

/** A client object, a hand-made handshake, or a persisted session id on the client side. */
export const ClientFact = z.object({
  type: z.literal('client'),
  ...at,
  ...within,
  what: z.enum(['sdk', 'handshake', 'transport', 'fallback', 'session-id', 'probe']),
});

/** A question to the user that a handler of a server returns with its result, instead of sending it. */
export const QuestionFact = z.object({ type: z.literal('question'), ...at, ...within, what: z.enum(['elicitation', 'sampling', 'roots']) });

/** A tool that is offered with a schema that names no type, by the name of the tool. */
export const OpenSchemaFact = z.object({ type: z.literal('open-schema'), ...at, tool: z.string() });
