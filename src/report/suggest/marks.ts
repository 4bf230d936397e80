/** First line of the one comment that is updated from run to run. */
export const SUMMARY_MARK = '<!-- unsession:summary -->';

/** Last lines of a comment in the diff: tell the next run what has been said. */
export const commentMark = (key: string): string => `<!-- unsession:comment ${key} -->`;

const MARKS = /(?:<!-- unsession:comment [0-9a-f]{16} -->\s*)+$/;

/** Keys of what a comment of this tool says; only its last lines count, so that quoted code cannot pretend to be one. */
export const keysOf = (body: string): readonly string[] => [...(MARKS.exec(body)?.[0] ?? '').matchAll(/[0-9a-f]{16}/g)].map(([key]) => key);

/** Is this the summary of an earlier run? */
export const isSummary = (body: string): boolean => body.trimStart().startsWith(SUMMARY_MARK);
