import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { knowledge } from '../../../transforms/index.js';
import { createClient } from '../../../src/cli/forge/client.js';
import { pullRequestOf } from '../../../src/cli/forge/environment.js';
import { postReview } from '../../../src/cli/forge/post.js';
import { SuggestResult } from '../../../src/core/index.js';
import { reviewOf } from '../../../src/report/index.js';
import { add, git, repository } from '../../workspace/tree.js';
import { unsession } from '../run.js';
import { suggestedLines } from './accept.js';
import { Forge } from './forge.js';
import { pulls, type PullStory } from './pulls.js';

/** A repository with the head of a pull request checked out, and the forge that has the pull request. */
async function checkout(story: PullStory): Promise<Forge> {
  const root = repository(story.base);
  const base = git(root, 'rev-parse', 'HEAD').trim();
  for (const [path, content] of Object.entries(story.head)) {
    if (content === null) rmSync(join(root, path));
    else add(root, { [path]: content });
  }
  story.also?.((...args) => git(root, ...args), root);
  git(root, 'add', '-A', '-f');
  git(root, 'commit', '-q', '--allow-empty', '-m', 'second');
  return new Forge({ root, base, head: git(root, 'rev-parse', 'HEAD').trim() }).open();
}

const texts = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !join(entry.parentPath, entry.name).includes('/.'))
      .map((entry) => [join(entry.parentPath, entry.name).slice(root.length + 1), readFileSync(join(entry.parentPath, entry.name), 'latin1')]),
  );

/** The files as the tool itself leaves them when it is told to carry out these items. */
async function migrated(root: string, items: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const copy = mkdtempSync(join(tmpdir(), 'unsession-copy-'));
  cpSync(root, copy, { recursive: true });
  const args = ['migrate', '--write', '--allow-dirty', '--safety', 'safe', '--quiet', ...items.flatMap((item) => ['--item', item])];
  await unsession(args, { cwd: copy, knowledge });
  const result = texts(copy);
  rmSync(copy, { recursive: true });
  return result;
}

describe.each(pulls.map((story) => ({ name: story.name, story })))('$name', ({ story }) => {
  let forge: Forge;
  beforeAll(async () => {
    forge = await checkout(story);
  });
  afterAll(() => forge.close());

  it('is posted, comes to what the tool does, and is not said twice', async () => {
    const { root, base } = forge.pull;
    const options = { cwd: root, knowledge, env: forge.env };
    const posted = await unsession(['suggest', '--base', base, '--post', '--quiet'], options);
    expect(forge.refusals).toEqual([]);
    expect(posted.stderr).toBe('');

    // A second look, as a second run takes it: from the disk.
    const result = SuggestResult.parse(JSON.parse((await unsession(['suggest', '--base', base, '--format', 'json', '--quiet'], options)).stdout));
    const offers = forge.reviewComments.filter((comment) => suggestedLines(comment.body) !== undefined);
    expect(offers).toHaveLength(result.replacements.length);
    if (story.suggestions !== undefined) expect(offers).toHaveLength(story.suggestions);
    if (story.comments !== undefined) expect(forge.reviewComments.length - offers.length).toBe(story.comments);

    const writes = forge.writes.length;
    const pull = pullRequestOf(forge.env, undefined);
    const again = await postReview(
      pull,
      createClient(pull, () => Promise.resolve()),
      () => Promise.resolve(),
      {
        review: reviewOf(result),
        result,
        commit: forge.pull.head,
      },
    );
    expect(forge.writes.slice(writes)).toEqual([]);
    expect(again).toMatchObject({ posted: [], notPosted: [], problems: [] });

    const items = result.replacements.flatMap((replacement) => replacement.items);
    if (items.length === 0) return;
    const accepted = { ...texts(root), ...Object.fromEntries([...forge.committed()].map(([path, text]) => [path, Buffer.from(text).toString('latin1')])) };
    expect(accepted).toEqual(await migrated(root, items));
    add(root, { '.git/suggested.diff': result.patch });
    git(root, 'apply', '.git/suggested.diff');
    expect(texts(root)).toEqual(accepted);
  });
});
