import type { ScanResult } from '../core/index.js';
import { changedSince } from '../workspace/index.js';
import { UsageProblem } from './errors.js';
import { narrowed } from './narrow.js';

/**
 * A result for the files that changed since a commit: committed, staged, edited or new. The scan itself looked at everything, because what
 * a line means is decided by other files too.
 * @throws UsageProblem outside of git, and for a commit that is not there
 */
export async function onlyChanged(result: ScanResult, root: string, ref: string): Promise<ScanResult> {
  const changed = await changedSince(root, ref);
  if (changed === 'no-git') throw new UsageProblem('--changed-since needs a git repository');
  if (changed === 'no-commit')
    throw new UsageProblem(
      `--changed-since: git knows no commit "${ref}" here. Fetch it first; in GitHub Actions, "fetch-depth: 0" of actions/checkout brings the history.`,
    );
  const within = (file: string): boolean => changed.has(file);
  const rest = narrowed(result, {
    finding: ({ site, related }) => within(site.file) || related.some(({ file }) => within(file)),
    refusal: ({ reason }) => reason.sites.length === 0 || reason.sites.some(({ file }) => within(file)),
    notice: ({ file }) => within(file),
  });
  return { ...rest, unchanged: result.findings.length - rest.findings.length };
}
