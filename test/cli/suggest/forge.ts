import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { git } from '../../workspace/tree.js';
import { applySuggestions } from './accept.js';

/*
 * A forge that is as strict as GitHub with review comments, and stricter where GitHub only keeps silent: what it takes, GitHub takes.
 * It reads the diff by itself, so that it shares no mistake with the tool.
 */

export interface ForgeComment {
  readonly id: number;
  readonly path: string;
  readonly side: string;
  readonly line: number;
  readonly start_line?: number;
  body: string;
  readonly user: { readonly login: string; readonly type: string };
}

interface Hunk {
  readonly LEFT: readonly [number, number];
  readonly RIGHT: readonly [number, number];
}

/** A pull request from one commit of a repository on disk to another. */
export interface Pull {
  readonly root: string;
  readonly base: string;
  readonly head: string;
}

type Json = Readonly<Record<string, unknown>>;

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

const BOT = { login: 'github-actions[bot]', type: 'Bot' };
/** Lines of one file's diff above which nothing of it is shown. */
const LARGEST = 20_000;
const ALLOWED = ['path', 'side', 'line', 'start_line', 'start_side', 'body'];

export class Forge {
  readonly reviewComments: ForgeComment[] = [];
  readonly issueComments: { readonly id: number; body: string; readonly user: ForgeComment['user'] }[] = [];
  /** Requests that changed or tried to change something: method, path, status. */
  readonly writes: string[] = [];
  /** Why comments were refused. */
  readonly refusals: string[] = [];
  /** Answers to give before the real one, the next first. */
  readonly obstacles: ((
    request: IncomingMessage,
  ) => { readonly status: number; readonly headers?: Record<string, string>; readonly body?: Json } | undefined)[] = [];
  /** Places that are refused although they are good: `path:line`. */
  readonly cursed = new Set<string>();
  pageSize = 100;
  me: ForgeComment['user'] = BOT;
  #id = 1;
  #server: Server | undefined;
  readonly #hunks: ReadonlyMap<string, readonly Hunk[]>;

  constructor(readonly pull: Pull) {
    this.#hunks = readHunks(git(pull.root, '-c', 'core.quotePath=false', 'diff', '-U3', '-M', '--no-color', `${pull.base}...${pull.head}`));
  }

  async open(): Promise<this> {
    this.#server = createServer((request, response) => void this.#serve(request, response));
    await new Promise<void>((done) => this.#server?.listen(0, '127.0.0.1', done));
    return this;
  }

  async close(): Promise<void> {
    await new Promise((done) => this.#server?.close(done));
    this.#server?.closeAllConnections();
  }

  /** The variables that a workflow has. */
  get env(): Record<string, string> {
    const { port } = this.#server?.address() as AddressInfo;
    return {
      GITHUB_TOKEN: 'a-token',
      GITHUB_REPOSITORY: 'alpine/cableway',
      GITHUB_API_URL: `http://127.0.0.1:${String(port)}`,
      GITHUB_REF: 'refs/pull/7/merge',
    };
  }

  /** Text of each file of the head with all suggestions committed, as the forge would do it. */
  committed(): ReadonlyMap<string, string> {
    const files = [...new Set(this.reviewComments.map((comment) => comment.path))];
    return new Map(
      files.map((path) => [
        path,
        applySuggestions(
          git(this.pull.root, 'show', `${this.pull.head}:${path}`),
          this.reviewComments.filter((comment) => comment.path === path),
        ),
      ]),
    );
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const obstacle = this.obstacles[0]?.(request);
    if (obstacle) this.obstacles.shift();
    const { status, body, headers } = obstacle ?? this.#answer(request, (text === '' ? {} : JSON.parse(text)) as Json);
    if (request.method !== 'GET') this.writes.push(`${request.method ?? ''} ${request.url ?? ''} ${String(status)}`);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body ?? { message: 'no' }));
  }

  #answer(request: IncomingMessage, body: Json): Answer {
    if (request.headers.authorization !== 'Bearer a-token') return { status: 401, body: { message: 'Bad credentials' } };
    const url = new URL(request.url ?? '/', 'http://forge');
    const root = '/repos/alpine/cableway';
    switch (`${request.method ?? ''} ${url.pathname}`) {
      case 'GET /user':
        return this.me.type === 'Bot' ? { status: 403, body: { message: 'Resource not accessible by integration' } } : { status: 200, body: this.me };
      case `GET ${root}/pulls/7`:
        return { status: 200, body: { number: 7, head: { sha: this.pull.head } } };
      case `GET ${root}/pulls/7/comments`:
        return this.#page(this.reviewComments, url);
      case `GET ${root}/issues/7/comments`:
        return this.#page(this.issueComments, url);
      case `POST ${root}/pulls/7/reviews`:
        return this.#review(body);
      case `POST ${root}/pulls/7/comments`:
        return this.#comment(body);
      case `POST ${root}/issues/7/comments`:
        this.issueComments.push({ id: this.#id++, body: String(body.body), user: this.me });
        return { status: 201, body: {} };
      default: {
        const id = new RegExp(`^PATCH ${root}/issues/comments/(\\d+)$`).exec(`${request.method ?? ''} ${url.pathname}`)?.[1];
        const comment = this.issueComments.find((entry) => String(entry.id) === id);
        if (!comment) return { status: 404, body: { message: 'Not Found' } };
        comment.body = String(body.body);
        return { status: 200, body: {} };
      }
    }
  }

  #page(list: readonly unknown[], url: URL): Answer {
    const size = Math.min(this.pageSize, Number(url.searchParams.get('per_page') ?? '30'));
    const number = Number(url.searchParams.get('page') ?? '1');
    const next = `<${url.href}&page=${String(number + 1)}>; rel="next"`;
    return { status: 200, body: list.slice((number - 1) * size, number * size), headers: number * size < list.length ? { link: next } : {} };
  }

  /** All comments of a review or none: one bad place refuses it. */
  #review(body: Json): Answer {
    const comments = body.comments as readonly Json[];
    const errors = comments.flatMap((comment) => this.#problems(comment, body.commit_id));
    if (body.event !== 'COMMENT' || body.body === '' || comments.length === 0) errors.push('A review needs an event, a body and comments');
    const documentation = 'https://docs.github.com/rest/pulls/reviews#create-a-review-for-a-pull-request';
    if (errors.length > 0) return { status: 422, body: { message: 'Unprocessable Entity', errors: [...new Set(errors)], documentation_url: documentation } };
    for (const comment of comments) this.#add(comment);
    return { status: 200, body: { id: this.#id++ } };
  }

  #comment({ commit_id: commit, ...comment }: Json): Answer {
    const errors = this.#problems(comment, commit).map((message) => ({ resource: 'PullRequestReviewComment', message }));
    if (errors.length > 0) return { status: 422, body: { message: 'Validation Failed', errors } };
    this.#add(comment);
    return { status: 201, body: {} };
  }

  #add(comment: Json): void {
    this.reviewComments.push({ ...comment, id: this.#id++, user: this.me } as unknown as ForgeComment);
  }

  #problems(comment: Json, commit: unknown): string[] {
    const problems = this.#faults(comment);
    if (commit !== this.pull.head) problems.push('commit_id is not part of the pull request');
    this.refusals.push(...problems.map((problem) => `${String(comment.path)}:${String(comment.line)}: ${problem}`));
    return problems;
  }

  #faults({ path, side, line, start_line: start, start_side: startSide, body, ...rest }: Json): string[] {
    const strange = Object.keys(rest).filter((key) => !ALLOWED.includes(key));
    if (strange.length > 0) return [`unknown field ${strange.join(', ')}`];
    if (typeof body !== 'string' || body.trim() === '' || body.length > 65_536) return ['Body is missing or too long'];
    const hunks = this.#hunks.get(String(path));
    if (!hunks || hunks.length === 0) return ['Path could not be resolved'];
    if (side !== 'LEFT' && side !== 'RIGHT') return ['Side is invalid'];
    if (side === 'LEFT' && /^`{3,}suggestion/m.test(body)) return ['A suggestion cannot be made on removed lines'];
    if (this.cursed.has(`${String(path)}:${String(line)}`)) return ['Pull request review thread line must be part of the diff'];
    const within = (number: unknown): number => hunks.findIndex((hunk) => typeof number === 'number' && hunk[side][0] <= number && number <= hunk[side][1]);
    if (within(line) === -1) return ['Pull request review thread line must be part of the diff'];
    if (start === undefined) return startSide === undefined ? [] : ['start_side without start_line'];
    if (startSide !== side) return ['start_side must be side'];
    if (within(start) === -1) return ['Pull request review thread start line must be part of the same hunk as the line.'];
    if (Number(start) >= Number(line)) return ['Pull request review thread start line must precede the end line.'];
    return within(start) === within(line) ? [] : ['Pull request review thread start line must be part of the same hunk as the line.'];
  }
}

/** Ranges of the hunks of each file, by its new path. */
function readHunks(diff: string): ReadonlyMap<string, readonly Hunk[]> {
  const files = new Map<string, Hunk[]>();
  let current: Hunk[] = [];
  let left = 0;
  let right = 0;
  for (const line of diff.split('\n')) {
    if (left > 0 || right > 0) {
      if (line.startsWith('-')) left--;
      else if (line.startsWith('+')) right--;
      else if (!line.startsWith('\\')) {
        left--;
        right--;
      }
      continue;
    }
    const name = /^\+\+\+ (?:"b\/(.*)"|b\/(.*?))\t?$/.exec(line);
    if (name) files.set(name[1]?.replaceAll(/\\(.)/g, '$1') ?? name[2] ?? '', (current = []));
    else if (line.startsWith('+++ /dev/null')) current = [];
    const [, a, b = '1', c, d = '1'] = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (a === undefined) continue;
    left = Number(b);
    right = Number(d);
    if (left + right > LARGEST) files.delete([...files.keys()].at(-1) ?? '');
    current.push({ LEFT: [Number(a), Number(a) + left - 1], RIGHT: [Number(c), Number(c) + right - 1] });
  }
  return files;
}
