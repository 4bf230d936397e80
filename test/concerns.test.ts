import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { guideOf } from '../src/cli/catalogue.js';
import { sarif } from '../src/report/index.js';
import { lostComments } from './fixtures-kit/comments.js';
import { syntaxFaults } from './fixtures-kit/parse.js';
import { readReadme } from './fixtures-kit/readme.js';
import { runStory } from './fixtures-kit/run-story.js';
import { renderShot } from './fixtures-kit/shot.js';
import { concernFolders, storiesOf, TRANSFORMS } from './fixtures-kit/story.js';
import { writeTree } from './fixtures-kit/tree.js';
import { typeErrors } from './fixtures-kit/types.js';
import { expectationOf, VARIANTS } from './fixtures-kit/variants.js';
import { codeScanningProblems } from './report/code-scanning.js';
import type { Run } from './fixtures-kit/run-story.js';
import type { Story } from './fixtures-kit/story.js';
import type { Tree } from './fixtures-kit/tree.js';

/** `npm run shots`: the stories are written as the tool tells them now, to be reviewed in the diff. */
const update = inject('writeShots');

const stories = concernFolders().flatMap(storiesOf);
const asRecord = (tree: Tree): Readonly<Record<string, string>> => Object.fromEntries([...tree].sort(([a], [b]) => (a < b ? -1 : 1)));
const isChanged = (story: Story, result: Tree): boolean => JSON.stringify(asRecord(story.before)) !== JSON.stringify(asRecord(result));

function rewriteStory(story: Story, run: Run): void {
  writeFileSync(join(story.folder, 'findings.shot'), renderShot(story.before, run.scan, run.migrated));
  if (isChanged(story, run.result)) writeTree(join(story.folder, 'after'), run.result);
  else rmSync(join(story.folder, 'after'), { recursive: true, force: true });
}

describe.each(stories.map((story) => ({ name: `${story.concern}/${story.name}`, story })))('$name', ({ story }) => {
  let run: Run;
  let after: Tree = story.after ?? story.before;

  beforeAll(async () => {
    run = await runStory(story.before, story.concern, story.options);
    if (!update) return;
    rewriteStory(story, run);
    after = run.result;
  });

  it('finds what findings.shot shows', () => {
    if (!update) expect(renderShot(story.before, run.scan, run.migrated)).toBe(story.shot ?? 'findings.shot is missing: `npm run shots` writes it');
  });

  it(story.after ? 'is rewritten to after/' : 'changes nothing', () => {
    expect(asRecord(run.result)).toEqual(asRecord(after));
  });

  it('meets no fault of ours', () => {
    expect(run.scan.notAnalysed.filter(({ why }) => why === 'internal')).toEqual([]);
    expect(run.migrated.outcomes.filter(({ outcome }) => outcome === 'failed' || outcome === 'deferred')).toEqual([]);
  });

  it('is reported to code scanning in a form that it accepts', () => {
    expect(codeScanningProblems(sarif(run.scan, { prefix: '', part: '', guide: guideOf }))).toEqual([]);
  });

  it('has valid syntax afterwards', () => {
    expect(syntaxFaults(after)).toEqual(syntaxFaults(story.before));
  });

  it('keeps every comment', () => {
    const dropped = new Set(story.options.drops);
    expect(lostComments(story.before, run.result).filter((comment) => !dropped.has(comment))).toEqual([]);
    expect(story.options.drops.filter((comment) => !lostComments(story.before, run.result).includes(comment))).toEqual([]);
  });

  it('is not changed a second time', async () => {
    const again = await runStory(run.result, story.concern, story.options);
    expect(again.migrated.patches.flatMap((patch) => patch.changes)).toEqual([]);
    expect(asRecord(again.result)).toEqual(asRecord(run.result));
  });

  if (story.options.silent.length > 0) {
    it(`is silent about ${story.options.silent.join(', ')}`, () => {
      const silent = new Set(story.options.silent.map((kind) => `${story.concern}/${kind}`));
      expect(run.scan.findings.filter((finding) => silent.has(finding.id)).map(({ id, site }) => `${id} at ${site.file}:${site.line}`)).toEqual([]);
    });
  }

  if (story.options.variants) {
    it.each(VARIANTS)('gives the same with $name', async (variant) => {
      const other = await runStory(variant.disguise(story.before), story.concern, story.options);
      const places = (of: Run, shift: number): readonly string[] =>
        of.scan.findings
          .map(
            ({ id, site }) =>
              `${id} ${site.file}:${site.line + (/\.[cm]?[jt]sx?$/.test(site.file) && !story.before.get(site.file)?.startsWith('#!') ? shift : 0)}`,
          )
          .sort();
      expect(places(other, 0)).toEqual(places(run, variant.shift));
      expect(asRecord(variant.reveal(other.result, story.before))).toEqual(asRecord(expectationOf(variant, after)));
    });
  }
});

describe('all after/ trees', () => {
  const typed = stories.filter((story) => story.after !== undefined && story.options.types);
  let errors: ReadonlyMap<string, readonly string[]>;
  beforeAll(() => {
    errors = typeErrors(typed);
  });

  it.each(typed.map(({ concern, name }) => `${concern}/${name}`))('%s has types that fit the pinned packages', (name) => {
    expect(errors.get(name) ?? []).toEqual([]);
  });
});

describe.each(concernFolders().filter((concern) => existsSync(join(TRANSFORMS, concern, 'README.md'))))('README of %s', (concern) => {
  it('shows what the tool does', async () => {
    const { before, after, options } = readReadme(readFileSync(join(TRANSFORMS, concern, 'README.md'), 'utf8'));
    expect(before.size).toBeGreaterThan(0);
    const { result } = await runStory(before, concern, options);
    const changed = [...result].filter(([path, text]) => before.get(path) !== text && !options.unshown.includes(path));
    expect(Object.fromEntries(changed)).toEqual(asRecord(after));
  });
});
