import { z } from 'zod';
import { CheckStep, LaneMode } from './check-step.js';

/** Id of a conformance check, e.g. `CK-H01`: H server over HTTP, S server over stdio, C client, L legacy window. */
export const CheckId = z.string().regex(/^CK-[HSCL]\d{2}$/);
export type CheckId = z.infer<typeof CheckId>;

/** Level of the requirement in the specification; `local` is policy of this tool, `rfc` plain HTTP. */
export const CheckLevel = z.enum(['must', 'should', 'may', 'local', 'rfc']);
export type CheckLevel = z.infer<typeof CheckLevel>;

/** When a check runs: by default, only on request, only with control over the server, or never (a person attests). */
export const CheckClass = z.enum(['quick', 'slow', 'needs-control', 'attest']);
export type CheckClass = z.infer<typeof CheckClass>;

/**
 * What must exist before a check says anything. Without a capability the verdict is `not-applicable`, without a
 * fixture, a second address or a permission it is `not-tested`; it is never `pass`.
 */
export const Precondition = z.enum([
  'modern',
  'legacy',
  'tools',
  'resources',
  'prompts',
  'resource',
  'prompt',
  'subject',
  'allowed-tool',
  'header-tool',
  'progress-tool',
  'eliciting-tool',
  'state-tool',
  'capability-tool',
  'log-tool',
  'slow-tool',
  'observer-tool',
  'change-tool',
  'logging',
  'subscriptions',
  'list-changes',
  'tasks',
  'sessions',
  'replica',
  'token',
  'origin',
  'protected',
  'sse',
  'control',
  'health',
  'retired',
]);
export type Precondition = z.infer<typeof Precondition>;

/** What a check may expect of a tool that the user allowed to be called. Found by two trial calls, or stated by the user. */
export const ToolRole = z.enum(['plain', 'header', 'progress', 'eliciting', 'state', 'capability', 'log', 'slow', 'observer', 'change']);
export type ToolRole = z.infer<typeof ToolRole>;

/** What a process that several checks use has been sent: modern requests only, or a handshake first. */
export const Sharing = z.enum(['modern', 'legacy']);
export type Sharing = z.infer<typeof Sharing>;

/** One executable check of the revision, as data. */
export const Check = z.object({
  id: CheckId,
  title: z.string(),
  level: CheckLevel,
  era: z.enum(['modern', 'legacy', 'both']),
  transport: z.enum(['http', 'stdio', 'sse', 'client']),
  class: CheckClass,
  /** Spec page and anchor, e.g. `basic/transports/streamable-http#sending-messages`. */
  spec: z.string(),
  /** Requirement ids of the digest, e.g. `HTTP-15`. */
  requirements: z.array(z.string()).readonly(),
  /** What a reader is told when it fails, in one sentence. */
  failure: z.string(),
  needs: z.array(Precondition).readonly(),
  /** Modes of the legacy lane in which it applies; all when absent. */
  lanes: z.array(LaneMode).readonly().optional(),
  /** Over stdio: may talk to a process that other such checks have talked to, because it waits for each answer and leaves nothing open. */
  shares: Sharing.optional(),
  /** Ends the process that it shares: runs after the others. */
  ends: z.literal(true).optional(),
  /** Runs with nothing beside it: it changes lists, waits, or stops the peer. */
  alone: z.boolean().optional(),
  steps: z.array(CheckStep).readonly(),
});
export type Check = Readonly<z.input<typeof Check>>;
