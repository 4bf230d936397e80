/** Why an answer is missing or incomplete. `aborted` is ours (a check closed the connection), `stopped` is the user's signal. */
export type ProblemKind = 'refused' | 'unknown-host' | 'tls' | 'timeout' | 'reset' | 'too-large' | 'aborted' | 'stopped' | 'exited' | 'unsendable';

export interface Problem {
  readonly kind: ProblemKind;
  /** In words, for people. */
  readonly text: string;
}

/** One server-sent event with the fields that it carried. */
export interface StreamEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data: string;
  /** Milliseconds since the request was sent. */
  readonly at: number;
}

/** What came back for one request, over HTTP or stdio. Assertions read it by path. */
export interface Answer {
  readonly status?: number;
  /** True for a 2xx status; not set otherwise. */
  readonly succeeded?: true;
  /** Media type without parameters, lower case. */
  readonly type?: string;
  /** Lower-case names; repeated headers joined with `, `. */
  readonly header: Readonly<Record<string, string>>;
  /** Body text as far as it was read, capped. */
  readonly body: string;
  /** All JSON-RPC messages of the body or stream, in order. */
  readonly messages: readonly unknown[];
  /** The JSON-RPC response: the last message without a method. */
  readonly message?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
  /** Id of the response. */
  readonly id?: unknown;
  /** Messages with both a method and an id: requests that the peer originated. */
  readonly asked: readonly unknown[];
  /** The last message, whatever it is. */
  readonly last?: unknown;
  /** Responses to other requests than this one. */
  readonly foreign: readonly unknown[];
  readonly events: readonly StreamEvent[];
  readonly comments: readonly string[];
  /** Values of SSE `retry:` fields. */
  readonly retries: readonly number[];
  /** The peer ended the body or stream, or its output closed. */
  readonly ended: boolean;
  /** Nothing at all arrived in the time given. */
  readonly silent: boolean;
  readonly problem?: Problem;
  /** Exit code of the process, stdio only. */
  readonly exited?: number | string;
  /** Lines on stdout that are no JSON-RPC message, stdio only. */
  readonly stray: readonly string[];
  readonly milliseconds: number;
  /** Answers to the requests that were sent while this stream was open. */
  readonly during: readonly Answer[];
  /** What was sent. */
  readonly sent: {
    readonly id?: string | number;
    readonly method?: string;
    readonly verb: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON-RPC response among messages: the last one without a `method`; members of the response are lifted for short paths. */
export function liftResponse(
  messages: readonly unknown[],
  id?: string | number,
): Pick<Answer, 'message' | 'result' | 'error' | 'id' | 'asked' | 'last' | 'foreign'> {
  const asked = messages.filter((message) => isRecord(message) && 'method' in message && 'id' in message);
  const responses = messages.filter((message) => isRecord(message) && !('method' in message)) as Record<string, unknown>[];
  const response = (id === undefined ? undefined : responses.findLast((message) => message['id'] === id)) ?? responses.at(-1);
  const foreign = id === undefined ? [] : responses.filter((message) => typeof message['id'] !== 'undefined' && message['id'] !== null && message['id'] !== id);
  const common = { asked, foreign, ...(messages.length > 0 ? { last: messages.at(-1) } : {}) };
  if (!response) return common;
  return {
    ...common,
    message: response,
    ...('result' in response ? { result: response['result'] } : {}),
    ...('error' in response ? { error: response['error'] } : {}),
    ...('id' in response ? { id: response['id'] } : {}),
  };
}

/** Parses JSON without throwing. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

export { isRecord };
