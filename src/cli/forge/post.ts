import { z } from 'zod';
import type { SuggestResult } from '../../core/index.js';
import {
  githubComments,
  isSummary,
  keysOf,
  reviewBody,
  settledBody,
  summaryBody,
  type GitHubComment,
  type NotPosted,
  type PostReport,
  type Review,
} from '../../report/index.js';
import { ForgeError, type ForgeClient, type Wait } from './client.js';
import type { PullRequest } from './environment.js';

/** Pause between comments that are posted one by one: forges ask for it, and refuse what comes faster. In milliseconds. */
const PACE = 1000;

export interface PostInput {
  readonly review: Review;
  readonly result: SuggestResult;
  /** The commit that the comments are about. */
  readonly commit: string | undefined;
}

const Comment = z.looseObject({
  id: z.number(),
  body: z.string().nullish(),
  user: z.looseObject({ login: z.string(), type: z.string().optional() }).nullish(),
});
type Comment = z.infer<typeof Comment>;

/**
 * Posts what an earlier run has not said yet: one review, then the summary. When the forge refuses the review for one bad place, the
 * comments go one by one. Never throws for what the forge does: it is in the report.
 */
export async function postReview(pull: PullRequest, client: ForgeClient, wait: Wait, { review, result, commit }: PostInput): Promise<PostReport> {
  const root = `/repos/${pull.repository}`;
  let known: ReadonlySet<string>;
  try {
    const ours = await own(await commentsAt(client, `${root}/pulls/${String(pull.number)}/comments`), (body) => keysOf(body).length > 0, client);
    known = new Set(ours.flatMap((comment) => keysOf(comment.body ?? '')));
  } catch (error) {
    // Without knowing what is there, everything would be said twice.
    return { posted: [], known: 0, notPosted: githubComments(review, result).map((comment) => refusal(comment, said(error))), summary: 'failed', problems: [] };
  }
  const { posted, notPosted } = await postComments(`${root}/pulls/${String(pull.number)}`, githubComments(review, result, known), commit, client, wait);
  const before = review.remarks.filter((remark) => known.has(remark.key)).length;
  try {
    const summary = await postSummary(root, pull, client, summaryBody(review, result, notPosted), settledBody(result));
    return { posted, known: before, notPosted, summary, problems: [] };
  } catch (error) {
    return { posted, known: before, notPosted, summary: 'failed', problems: [`the summary was not posted: ${said(error)}`] };
  }
}

const said = (error: unknown): string => {
  if (!(error instanceof ForgeError)) throw error;
  return error.message;
};

const refusal = (comment: GitHubComment, why: string): NotPosted => ({ path: comment.path, line: comment.line, why });

type Outcome = Pick<PostReport, 'posted' | 'notPosted'>;

async function postComments(root: string, comments: readonly GitHubComment[], commit: string | undefined, client: ForgeClient, wait: Wait): Promise<Outcome> {
  if (comments.length === 0) return { posted: [], notPosted: [] };
  try {
    await client.request('POST', `${root}/reviews`, reviewBody(comments, commit));
    return { posted: comments, notPosted: [] };
  } catch (error) {
    if (error instanceof ForgeError && error.status === 422) return oneByOne(root, comments, commit, client, wait);
    const lost = error instanceof ForgeError && (error.status === undefined || error.status >= 500) ? '; a second run posts what is missing' : '';
    return { posted: [], notPosted: comments.map((comment) => refusal(comment, said(error) + lost)) };
  }
}

async function oneByOne(root: string, comments: readonly GitHubComment[], commit: string | undefined, client: ForgeClient, wait: Wait): Promise<Outcome> {
  const posted: GitHubComment[] = [];
  const notPosted: NotPosted[] = [];
  for (const [index, comment] of comments.entries()) {
    if (index > 0) await wait(PACE);
    try {
      await client.request('POST', `${root}/comments`, { ...(commit === undefined ? {} : { commit_id: commit }), ...comment });
      posted.push(comment);
    } catch (error) {
      const why = said(error);
      notPosted.push(refusal(comment, why));
      if (error instanceof ForgeError && error.status === 422) continue;
      // Not this place but the forge: the others would fare the same.
      notPosted.push(...comments.slice(index + 1).map((other) => refusal(other, why)));
      break;
    }
  }
  return { posted, notPosted };
}

async function postSummary(root: string, pull: PullRequest, client: ForgeClient, body: string | undefined, settled: string): Promise<PostReport['summary']> {
  const comments = `${root}/issues/${String(pull.number)}/comments`;
  const [earlier] = await own(await commentsAt(client, comments), isSummary, client);
  if (!earlier) {
    if (body === undefined) return 'none';
    await client.request('POST', comments, { body });
    return 'created';
  }
  const next = body ?? settled;
  if ((earlier.body ?? '').replaceAll('\r\n', '\n') === next) return 'unchanged';
  await client.request('PATCH', `${root}/issues/comments/${String(earlier.id)}`, { body: next });
  return 'updated';
}

async function commentsAt(client: ForgeClient, path: string): Promise<readonly Comment[]> {
  return (await client.list(path)).flatMap((value) => Comment.safeParse(value).data ?? []);
}

/**
 * Comments with a mark of ours that we wrote. Anybody can copy a mark: a person's comment counts only when the token is that person's.
 * A token of an app (as in GitHub Actions) may not ask who it is; its comments are those of a bot.
 */
async function own(comments: readonly Comment[], marked: (body: string) => boolean, client: ForgeClient): Promise<readonly Comment[]> {
  const candidates = comments.filter((comment) => marked(comment.body ?? ''));
  if (!candidates.some(byPerson)) return candidates;
  let login: string | undefined;
  try {
    login = z.looseObject({ login: z.string() }).safeParse(await client.request('GET', '/user')).data?.login;
  } catch (error) {
    if (error instanceof ForgeError && error.status === 403) return candidates.filter((comment) => !byPerson(comment));
    if (!(error instanceof ForgeError)) throw error;
  }
  return candidates.filter((comment) => !byPerson(comment) || login === undefined || comment.user?.login === login);
}

const byPerson = (comment: Comment): boolean => comment.user?.type === 'User';
