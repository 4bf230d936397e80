import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { LegacyChoice } from '../../src/core/index.js';
import { readTree } from './tree.js';
import type { Tree } from './tree.js';

/** `story.json`: how a story is run, and what it proves beside its findings. Every field has a default. */
export const StoryOptions = z.strictObject({
  /** Concerns that run beside the story's own. */
  with: z.array(z.string()).default([]),
  legacy: LegacyChoice.default('auto'),
  milestone: z.enum(['sdk', 'entry', 'all']).default('all'),
  sunset: z.string().optional(),
  owner: z.string().optional(),
  includeTests: z.boolean().default(true),
  /** Kinds of the concern that must not fire here: the negative fixture of each of them. */
  silent: z.array(z.string()).default([]),
  /** Comments that go together with the code that they explain; all others must survive. */
  drops: z.array(z.string()).default([]),
  /** Files of a README story that change and are not shown under `## After`, e.g. a shim that is shown elsewhere. */
  unshown: z.array(z.string()).default([]),
  /** Is `after/` type-checked? */
  types: z.boolean().default(true),
  /** Is the story repeated with CRLF, a byte order mark, tabs and a shebang? */
  variants: z.boolean().default(true),
  /** Reason for what is switched off. */
  why: z.string().optional(),
});
export type StoryOptions = z.infer<typeof StoryOptions>;

/** A fixture: a small repository before, and after when something changes. */
export interface Story {
  readonly concern: string;
  readonly name: string;
  readonly folder: string;
  readonly before: Tree;
  readonly after: Tree | undefined;
  /** Text of `findings.shot`, the annotated source. */
  readonly shot: string | undefined;
  readonly options: StoryOptions;
}

/** Folder of the concerns. */
export const TRANSFORMS = fileURLToPath(new URL('../../transforms/', import.meta.url));

/** Folders of concerns, in alphabetical order. */
export const concernFolders = (): readonly string[] =>
  readdirSync(TRANSFORMS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('_'))
    .map((entry) => entry.name)
    .sort();

/** All stories of a concern. */
export function storiesOf(concern: string): readonly Story[] {
  const fixtures = join(TRANSFORMS, concern, 'fixtures');
  if (!existsSync(fixtures)) return [];
  return readdirSync(fixtures, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => readStory(concern, entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readStory(concern: string, name: string): Story {
  const folder = join(TRANSFORMS, concern, 'fixtures', name);
  const before = readTree(join(folder, 'before'));
  if (!before) throw new Error(`${folder} has no before/ folder`);
  const text = (file: string): string | undefined => (existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : undefined);
  return {
    concern,
    name,
    folder,
    before,
    after: readTree(join(folder, 'after')),
    shot: text('findings.shot'),
    options: StoryOptions.parse(JSON.parse(text('story.json') ?? '{}')),
  };
}
