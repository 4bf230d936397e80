import type { SuggestResult } from '../../core/index.js';
import { count } from '../text/layout.js';
import { reviewOf, type Remark, type Review, type ReviewLimits } from './review.js';
import { settledBody, summaryBody } from './summary.js';
import { placeOf, commentBody } from './words.js';

/** One comment of `POST /repos/{owner}/{repo}/pulls/{number}/reviews`. `start_line` and `start_side` are there for ranges only. */
export interface GitHubComment {
  readonly path: string;
  readonly side: 'RIGHT';
  readonly line: number;
  readonly start_line?: number;
  readonly start_side?: 'RIGHT';
  readonly body: string;
}

/** The body of the request that posts a review. */
export interface GitHubReview {
  readonly commit_id?: string;
  readonly event: 'COMMENT';
  readonly body: string;
  readonly comments: readonly GitHubComment[];
}

/** Everything that a run would say on a pull request. */
export interface GitHubPayload {
  /** Without comments there is nothing to post. */
  readonly review: GitHubReview;
  /** The one comment that is updated; `null` when there is nothing to say, then an earlier one becomes `settled`. */
  readonly summary: { readonly body: string } | null;
  readonly settled: { readonly body: string };
  /** Work items without a comment in the diff: `limit` too many comments, `minor` not worth one, `not-shown` outside of the diff. */
  readonly elsewhere: readonly { readonly item: string; readonly severity: string; readonly why: string; readonly places: readonly string[] }[];
}

/** The payload for GitHub. */
export function githubPayload(result: SuggestResult, limits?: ReviewLimits): GitHubPayload {
  const review = reviewOf(result, limits);
  const body = summaryBody(review, result);
  return {
    review: reviewBody(githubComments(review, result), result.target.commit),
    summary: body === undefined ? null : { body },
    settled: { body: settledBody(result) },
    elsewhere: review.silent.map(({ view, why }) => ({
      item: view.item.id,
      severity: view.severity,
      why,
      places: [...new Set(view.findings.map((finding) => placeOf(finding.site)))],
    })),
  };
}

/**
 * Comments in the diff. Remarks about the same line share a comment, unless one of them is a suggestion.
 * @param known keys of what an earlier run has said; left out
 */
export function githubComments(review: Review, result: SuggestResult, known: ReadonlySet<string> = new Set()): readonly GitHubComment[] {
  const groups = new Map<string, Remark[]>();
  for (const remark of review.remarks) {
    if (known.has(remark.key)) continue;
    const place = remark.replacement ? remark.key : `${remark.file}:${String(remark.lines.start)}`;
    const group = groups.get(place);
    if (group) group.push(remark);
    else groups.set(place, [remark]);
  }
  return [...groups.values()].flatMap((remarks): readonly GitHubComment[] => {
    const [first] = remarks;
    if (!first) return [];
    const { start, end } = first.lines;
    const range = start === end ? {} : { start_line: start, start_side: 'RIGHT' as const };
    return [{ path: result.prefix + first.file, side: 'RIGHT', ...range, line: end, body: commentBody(remarks, result) }];
  });
}

/** A review of these comments. GitHub asks for a text of its own, so it says the least. */
export function reviewBody(comments: readonly GitHubComment[], commit: string | undefined): GitHubReview {
  const suggestions = comments.filter((comment) => /^`{3,}suggestion$/m.test(comment.body)).length;
  const parts = [
    ...(suggestions > 0 ? [count(suggestions, 'suggestion')] : []),
    ...(comments.length > suggestions ? [count(comments.length - suggestions, 'comment')] : []),
  ];
  return {
    ...(commit === undefined ? {} : { commit_id: commit }),
    event: 'COMMENT',
    body: comments.length === 0 ? '' : `MCP sessions: ${parts.join(' and ')}.`,
    comments,
  };
}
