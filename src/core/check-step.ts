import { z } from 'zod';

/** How the legacy lane is served; the expectation of some checks depends on it. */
export const LaneMode = z.enum(['stateless', 'sessionful', 'separate', 'none']);
export type LaneMode = z.infer<typeof LaneMode>;

const HeaderValues = z.record(z.string(), z.union([z.string(), z.null(), z.array(z.string()).readonly()]));

/**
 * One HTTP exchange or one stdio line of a check. Strings may name variables in braces (`{tool.name}`); a string that is
 * nothing but one variable keeps the type of the value.
 */
export const CheckRequest = z.object({
  /** `modern` adds the three `_meta` keys and the standard headers, `legacy` the headers of the handshake era, `raw` nothing. */
  era: z.enum(['modern', 'legacy', 'raw']).default('modern'),
  /** `endpoint` is the address under test; any other string is resolved against it. */
  to: z.string().default('endpoint'),
  verb: z.string().default('POST'),
  method: z.string().optional(),
  /** No id, no answer expected. */
  notification: z.boolean().optional(),
  /** Default: a fresh integer. */
  id: z.union([z.string(), z.int()]).optional(),
  params: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  /** Merged over the three required `_meta` keys; `null` removes a key; the string `none` sends no `_meta` at all. */
  meta: z.union([z.literal('none'), z.record(z.string(), z.unknown())]).optional(),
  /** Client capabilities of this request. */
  capabilities: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  /** `null` removes a header that would be sent, an array sends it several times. */
  headers: HeaderValues.optional(),
  /** Raw body instead of a built message. */
  body: z.string().optional(),
  /** A string that is repeated to a body or line of this many bytes. */
  fill: z.int().positive().optional(),
  /** Requests of one check with one name share a kept-alive connection; without it each has its own. */
  connection: z.string().optional(),
  /** Keep values of the answer: name -> path. Later strings write `{kept.name}`. */
  keep: z.record(z.string(), z.string()).optional(),
  /** Keep reading this many milliseconds after the answer, or at most this long when no answer is expected. */
  readFor: z.int().positive().optional(),
  /** Stop reading as soon as this path finds something. */
  until: z.string().optional(),
  /** HTTP: status and headers are enough; the body, which may be a stream without end, is not read. */
  headersOnly: z.literal(true).optional(),
  /** Close the connection after this many milliseconds although no answer is there. */
  abortAfter: z.int().positive().optional(),
  /** Send this many at once, each with its own id and connection; the assertions hold for each answer. */
  parallel: z.int().positive().optional(),
});
export type CheckRequest = z.input<typeof CheckRequest>;

/**
 * What must hold at one place of an answer. `at` is a path into
 * `{ status, type, header, body, messages, message, result, error, id, last, asked, foreign, events, comments, retries, ended, silent, problem, exited, stray, during }`;
 * `messages[method="x"].params` and `list[*]` select many values, and each of them must hold. A negative test
 * (`not`, `noneOf`, `excludes`, `unlike`) holds when there is no value, any other fails.
 */
export const Assertion = z.object({
  at: z.string(),
  is: z.unknown().optional(),
  not: z.unknown().optional(),
  oneOf: z.union([z.string(), z.array(z.unknown()).readonly()]).optional(),
  noneOf: z.array(z.unknown()).readonly().optional(),
  absent: z.literal(true).optional(),
  present: z.literal(true).optional(),
  includes: z.unknown().optional(),
  excludes: z.unknown().optional(),
  matches: z.string().optional(),
  unlike: z.string().optional(),
  typeOf: z.enum(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']).optional(),
  /** Each value has something at this path. */
  has: z.string().optional(),
  /** Members (of an array) or keys (of an object) are among these. */
  within: z.union([z.string(), z.array(z.unknown()).readonly()]).optional(),
  /** Same members in any order. */
  sameSet: z.union([z.string(), z.array(z.unknown()).readonly()]).optional(),
  atLeast: z.number().optional(),
  atMost: z.number().optional(),
  below: z.number().optional(),
  /** The values that the path finds, in this order. */
  sameList: z.union([z.string(), z.array(z.unknown()).readonly()]).optional(),
  /** Number of values that the path finds. */
  count: z.int().optional(),
  /** Two paths into each value find the same. */
  agree: z.tuple([z.string(), z.string()]).readonly().optional(),
  /** No value occurs twice. */
  distinct: z.literal(true).optional(),
  /** The values strictly increase. */
  increasing: z.literal(true).optional(),
  /** A failed `should` is a warning instead of a failure. */
  level: z.enum(['must', 'should']).optional(),
  /** Only for these modes of the legacy lane. */
  lanes: z.array(LaneMode).readonly().optional(),
  /** Only when this variable is set. */
  when: z.string().optional(),
  /** Why it matters, when the path does not say it. */
  because: z.string().optional(),
});
export type Assertion = z.input<typeof Assertion>;

/** Alternatives: the step holds when all assertions of one of the lists hold. */
export const Expectation = z.array(z.array(Assertion).readonly()).readonly();
export type Expectation = z.input<typeof Expectation>;

const stepMembers = {
  /** Only when all of these variables are set and not empty; a leading `!` asks for the opposite. */
  when: z.array(z.string()).readonly().optional(),
  lanes: z.array(LaneMode).readonly().optional(),
  /** Runs once per value, which is `{each}`: a list, or the name of a list. */
  each: z.union([z.string(), z.array(z.unknown()).readonly()]).optional(),
};

/** One exchange with what must hold of it. `during` is sent while its stream is open, after the first message. */
export const ExchangeStep = z.object({
  ...stepMembers,
  request: CheckRequest,
  during: z.array(CheckRequest).readonly().optional(),
  expect: Expectation,
});
export type ExchangeStep = z.input<typeof ExchangeStep>;

/** What must hold of every answer of the run so far that came to a request of that era. Runs after all other checks. */
export const ObserveStep = z.object({ ...stepMembers, observe: z.enum(['modern', 'legacy', 'any']), expect: Expectation });
export type ObserveStep = z.input<typeof ObserveStep>;

/** A named procedure of the runner for what data cannot say: waiting, stopping a server, comparing two runs. */
export const ProbeStep = z.object({ ...stepMembers, probe: z.string(), with: z.record(z.string(), z.unknown()).optional() });
export type ProbeStep = z.input<typeof ProbeStep>;

/** What the referee answers to the n-th request that fits, for a client under test. */
export const RefereeReply = z.object({
  /** Fits a request with this body method; a leading verb (`GET`) fits requests without a body. Without it every request fits. */
  to: z.string().optional(),
  /** Answers at most this many requests, then the next reply that fits is taken. */
  times: z.int().positive().optional(),
  status: z.int().optional(),
  type: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** JSON body, with `{id}` filled in; a string is sent as it is. */
  body: z.unknown().optional(),
  /** `hang` never answers, `cut` closes after the body without ending it, `keep` leaves the stream open. */
  end: z.enum(['close', 'hang', 'cut', 'keep']).optional(),
});
export type RefereeReply = z.input<typeof RefereeReply>;

/**
 * A referee plays the replies to a client under test. The assertions look at `{ requests, stdout, exit, late }`; each request is
 * `{ n, verb, path, header, decoded, body, method, id, cut }`, where `decoded` are the headers after Base64 and `cut` says that the client left before the answer.
 */
export const RefereeStep = z.object({
  ...stepMembers,
  referee: z.array(RefereeReply).readonly(),
  /** `http` gives the client an address, `stdio` gives it the referee as a server command. */
  over: z.enum(['http', 'stdio']).optional(),
  /** The step says something only if the client did what this path finds. */
  given: z.string().optional(),
  /** The step says something only if the output of the client shows this text. */
  printed: z.string().optional(),
  expect: Expectation,
});
export type RefereeStep = z.input<typeof RefereeStep>;

export const CheckStep = z.union([ExchangeStep, ObserveStep, ProbeStep, RefereeStep]);
export type CheckStep = z.input<typeof CheckStep>;
