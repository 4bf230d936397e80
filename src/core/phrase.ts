import { z } from 'zod';
import { MessageData } from './finding.js';

/**
 * A sentence of the runbook. `say` names an entry of the message catalogue and `with` fills its placeholders, so that the model
 * holds no language; `text` is a sentence that arrived finished (reason of the planner, message of a rule) or a string of the repository.
 * Neither is Markdown yet: the renderer escapes both for the place they stand in.
 */
export const Phrase = z.union([z.object({ say: z.string(), with: MessageData.optional() }).readonly(), z.object({ text: z.string() }).readonly()]);
export type Phrase = z.infer<typeof Phrase>;

/**
 * Stages of a rollout, in their order. `observe`: measure, nothing visible; `sdk`: M1; `dual`: M2, both lanes answer; `default`: clients move;
 * `warn`: legacy answers announce their end; `remove`: the legacy lane goes on the removal date; `clean`: what only served sessions goes.
 */
export const Stage = z.enum(['observe', 'sdk', 'dual', 'default', 'warn', 'remove', 'clean']);
export type Stage = z.infer<typeof Stage>;

/**
 * What a finding may tell the runbook in its `data`, beside the values of its own messages. A concern that sets none of them still appears
 * in the inventory; these only place it more exactly.
 */
export const RunbookHints = z.object({
  /** Stage in which the change must happen, e.g. `remove` for affinity, `observe` for a probe that would start to fail. */
  stage: Stage.optional(),
  /** ISO date that the repository has promised to its users: a `Sunset` header, a changelog line. */
  promised: z.iso.date().optional(),
  /** Name of the metric, log field or event that is written here. */
  metric: z.string().optional(),
  /** What is pushed: a value of `PushFact.what`. */
  what: z.string().optional(),
  /** Deprecated feature of the catalogue that is used here: `roots`, `sampling`, `logging`, `http-sse`, … */
  deprecated: z.string().optional(),
  /** Key under which something of a session is kept outside of the process. */
  outside: z.string().optional(),
  /** Pins a client to an instance. */
  affinity: z.boolean().optional(),
  /** A step that cannot be taken back, and what is lost by it, as a sentence without its full stop. */
  oneWay: z.string().optional(),
  /** Id of the hard reject or refusal that this place violates. */
  reject: z.string().optional(),
});
export type RunbookHints = z.infer<typeof RunbookHints>;

/** Who must answer an open question, or own a step, when no person is known. */
export const Party = z.enum(['owner', 'platform', 'security', 'metrics', 'clients', 'tools', 'docs']);
export type Party = z.infer<typeof Party>;
