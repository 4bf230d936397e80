import { isFault, visible, visibleLines, type SuggestResult } from '../../core/index.js';
import { paintFor, type PrettyOptions } from '../pretty/options.js';
import { notAnalysedLines } from '../pretty/parts.js';
import { count, hang } from '../text/layout.js';
import { githubPayload, type GitHubComment } from './github.js';
import type { ReviewLimits } from './review.js';
import type { NotPosted } from './summary.js';

/** What became of a review that was posted. */
export interface PostReport {
  readonly posted: readonly GitHubComment[];
  /** Comments that an earlier run had posted. */
  readonly known: number;
  readonly notPosted: readonly NotPosted[];
  readonly summary: 'created' | 'updated' | 'unchanged' | 'none' | 'failed';
  /** What went wrong beside single comments. */
  readonly problems: readonly string[];
}

/** What would be said on the pull request, comment by comment, for the people who run the bot. Ends with a newline. */
export function prettySuggest(result: SuggestResult, options: PrettyOptions, limits?: ReviewLimits): string {
  const paint = paintFor(options);
  const { review, summary } = githubPayload(result, limits);
  const quoted = (body: string): readonly string[] =>
    visibleLines(body)
      .split('\n')
      .map((line) => `  ${line}`.trimEnd());
  const blocks = [
    headLines(result, options),
    ...review.comments.map((comment) => [paint.bold(`${visible(comment.path)}:${lines(comment)}`), ...quoted(comment.body)]),
    summary === null ? [] : [paint.bold('Summary'), ...quoted(summary.body)],
    notAnalysedLines(result.before.notAnalysed.filter(isFault), options, paint, 5),
    closing(review.comments.length, summary !== null, options),
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}

const lines = ({ start_line: start, line }: GitHubComment): string => (start === undefined ? String(line) : `${String(start)}-${String(line)}`);

function headLines(result: SuggestResult, options: PrettyOptions): readonly string[] {
  const against = result.base === undefined ? '' : `, since ${result.base.slice(0, 9)}`;
  const at = result.target.commit === undefined ? '' : ` at ${result.target.commit.slice(0, 9)}`;
  return hang(
    '',
    `unsession ${visible(result.tool.version)}  ${visible(result.target.root)}${at}${against}: ${count(result.changed.length, 'changed file')}`,
    options.width,
  );
}

function closing(comments: number, summary: boolean, options: PrettyOptions): readonly string[] {
  if (comments === 0 && !summary) return hang('', 'Nothing to say: no changed file holds a finding.', options.width);
  const what = [...(comments > 0 ? [count(comments, 'comment')] : []), ...(summary ? ['the summary'] : [])].join(' and ');
  return hang('', `Dry run: ${what} would be posted. --post posts them; --format github prints the payload.`, options.width);
}

/** What was posted and what was not. Ends with a newline. */
export function prettyPost(report: PostReport, options: PrettyOptions): string {
  const paint = paintFor(options);
  const already = report.known === 0 ? '' : `; ${String(report.known)} were there already`;
  return `${[
    `${count(report.posted.length, 'comment')} posted${already}; summary ${report.summary}`,
    ...report.notPosted.map(({ path, line, why }) => paint.red(`not posted: ${visible(path)}:${String(line)}: ${visible(why)}`)),
    ...report.problems.map((problem) => paint.red(visible(problem))),
  ].join('\n')}\n`;
}
