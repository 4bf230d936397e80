import { scanRepository, migrateRepository } from '../../src/engine/pipeline.js';
import { knowledge } from '../../transforms/index.js';
import { shimRenderer } from '../../src/cli/templates.js';
import { applyChanges, withTree } from './tree.js';
import type { MigrateResult, ScanResult } from '../../src/core/index.js';
import type { StoryOptions } from './story.js';
import type { Tree } from './tree.js';

/** The renderer that the command line injects. */
const renderShim = await shimRenderer();

/** What the tool makes of a tree. */
export interface Run {
  readonly scan: ScanResult;
  readonly migrated: MigrateResult;
  /** The tree after all patches, one after the other. */
  readonly result: Tree;
}

/** Scans and migrates a tree with one concern and those that the story asks for. Writes nothing but a temporary copy. */
export async function runStory(tree: Tree, concern: string, options: StoryOptions): Promise<Run> {
  const shared = {
    only: [concern, ...options.with],
    legacy: options.legacy,
    includeTests: options.includeTests,
    ...(options.sunset === undefined ? {} : { sunset: options.sunset }),
    ...(options.owner === undefined ? {} : { owner: options.owner }),
  };
  return withTree(tree, async (root) => {
    const scan = await scanRepository(root, knowledge, shared);
    const migrated = await migrateRepository(root, knowledge, { ...shared, milestone: options.milestone, write: false, renderShim });
    const result = migrated.patches.reduce((current, patch) => applyChanges(current, patch.changes), tree);
    return { scan, migrated, result };
  });
}
