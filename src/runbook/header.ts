/** First line of every file that the runbook writes; `--output` overwrites only files that begin with it. */
const MARK = '<!-- written by unsession';

/** The header of a written file. `document` is what it holds, e.g. `runbook`. */
export const fileHeader = (document: string, version: string): string =>
  `${MARK} ${version}, ${document}; the next run may overwrite it: delete this line to keep your edits -->`;

/**
 * Why an existing file must not be overwritten; `undefined` when it may. A byte order mark and empty lines before the header do not matter.
 */
export function refusesOverwrite(existing: string | undefined, path: string): string | undefined {
  if (existing === undefined || existing.trim() === '') return undefined;
  if (
    existing
      .replace(/^\uFEFF/, '')
      .trimStart()
      .startsWith(MARK)
  )
    return undefined;
  return `${path} was not written by unsession (its first line is not our header): choose another --output, or move the file away`;
}
