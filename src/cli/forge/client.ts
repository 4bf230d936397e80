import { z } from 'zod';
import type { PullRequest } from './environment.js';

/** The forge did not do what it was asked. */
export class ForgeError extends Error {
  constructor(
    /** Status of the answer; `undefined` when there was none, and nobody knows what became of the request. */
    readonly status: number | undefined,
    message: string,
  ) {
    super(message);
    this.name = 'ForgeError';
  }
}

/** Requests to the API of a forge, one at a time. */
export interface ForgeClient {
  /** @throws ForgeError */
  readonly request: (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => Promise<unknown>;
  /** All pages of a list. @throws ForgeError */
  readonly list: (path: string) => Promise<readonly unknown[]>;
}

export type Wait = (milliseconds: number) => Promise<void>;

/** One answer may take this long, in milliseconds. */
const TIMEOUT = 30_000;

/** Longest pause for a rate limit, in seconds; a longer one ends the run with a report. */
const LONGEST_PAUSE = 120;

/** Requests for one answer, pauses in between. */
const MAX_TRIES = 4;

const PAGE = 100;
const MAX_PAGES = 100;

/** The token goes nowhere but to the API: redirects are not followed, and pages are asked for by number. */
export function createClient(pull: Pick<PullRequest, 'api' | 'token'>, wait: Wait): ForgeClient {
  const send = async (method: string, path: string, body: object | undefined): Promise<Response> => {
    for (let tries = 1; ; tries++) {
      const response = await once(pull, method, path, body);
      const pause = pauseOf(response);
      if (pause === undefined) return response;
      if (pause > LONGEST_PAUSE || tries >= MAX_TRIES)
        throw new ForgeError(response.status, `the rate limit of the forge is used up; it asks to wait ${String(pause)} s`);
      await response.body?.cancel();
      await wait(pause * 1000);
    }
  };
  const answer = async (method: string, path: string, body?: object): Promise<{ readonly value: unknown; readonly more: boolean }> => {
    const response = await send(method, path, body);
    const text = await response.text().catch(() => '');
    if (!response.ok) throw new ForgeError(response.status, explain(response.status, text));
    return { value: parsed(text), more: (response.headers.get('link') ?? '').includes('rel="next"') };
  };
  return {
    request: async (method, path, body) => (await answer(method, path, body)).value,
    list: async (path) => {
      const items: unknown[] = [];
      for (let page = 1; page <= MAX_PAGES; page++) {
        const { value, more } = await answer('GET', `${path}?per_page=${String(PAGE)}&page=${String(page)}`);
        const part = Array.isArray(value) ? (value as readonly unknown[]) : [];
        items.push(...part);
        if (part.length === 0 || (!more && part.length < PAGE)) break;
      }
      return items;
    },
  };
}

async function once({ api, token }: Pick<PullRequest, 'api' | 'token'>, method: string, path: string, body: object | undefined): Promise<Response> {
  try {
    return await fetch(api + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT),
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'user-agent': 'unsession',
        'x-github-api-version': '2022-11-28',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : error instanceof Error ? error.message : String(error);
    throw new ForgeError(undefined, `${new URL(api).host} did not answer (${cause})`);
  }
}

/** Seconds that a rate limit asks to wait; `undefined` when the answer is none. */
function pauseOf({ status, headers }: Response): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const after = headers.get('retry-after');
  if (after !== null && /^\d+$/.test(after)) return Number(after);
  if (headers.get('x-ratelimit-remaining') === '0') return Math.max(1, Number(headers.get('x-ratelimit-reset') ?? 0) - Math.floor(Date.now() / 1000));
  return status === 429 ? 60 : undefined;
}

const Problem = z.object({
  message: z.string().optional(),
  errors: z.array(z.union([z.string(), z.looseObject({ message: z.string().optional() })])).optional(),
});

/** What the forge said, with what it means for the people who run the tool. */
function explain(status: number, text: string): string {
  const problem = Problem.safeParse(parsed(text));
  const details = (problem.data?.errors ?? []).flatMap((error) => (typeof error === 'string' ? error : (error.message ?? [])));
  const said = [...new Set([problem.data?.message ?? '', ...details])].filter((part) => part !== '').join(': ');
  const means: Readonly<Record<number, string>> = {
    301: 'the repository has moved; use its new name',
    401: 'the token is not accepted',
    403: 'the token may not do this: it needs "pull-requests: write", which pull requests from forks do not get',
    404: 'no such repository or pull request, or the token may not see it',
  };
  return [`HTTP ${String(status)}`, means[status], said]
    .filter((part) => part !== undefined && part !== '')
    .join(': ')
    .slice(0, 500);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
