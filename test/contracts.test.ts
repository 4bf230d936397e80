import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checks } from '../transforms/_checks/index.js';
import { knowledge } from '../transforms/index.js';
import { readReadme } from './fixtures-kit/readme.js';
import { isKnownReference, SPEC_ROOT } from './fixtures-kit/spec-pages.js';
import { concernFolders, storiesOf, TRANSFORMS } from './fixtures-kit/story.js';

/** The style guide of concerns, as tests: what every concern owes to the people who read its findings. */

const HEADINGS = ['What', 'Why', 'Before', 'After', 'By hand', 'References'];
/** Words that the template leaves to be written. */
const UNWRITTEN = /\bWRITE\b|\blorem\b|\bfoo\b|\bbar\b|\bbaz\b/;

const sourcesOf = (folder: string): readonly { readonly path: string; readonly text: string }[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('fixtures'))
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));

describe('the list of concerns', () => {
  it('names every folder, in alphabetical order', () => {
    expect(knowledge.concerns.map(({ id }) => id)).toEqual(concernFolders());
  });

  it('knows the checks that concerns close', () => {
    const known = new Set(checks.map(({ id }) => id));
    const unknown = knowledge.concerns.flatMap(({ id, closes = [] }) => closes.filter((check) => !known.has(check)).map((check) => `${id}: ${check}`));
    expect(unknown).toEqual([]);
  });
});

describe.each(knowledge.concerns.map((concern) => ({ id: concern.id, concern })))('$id', ({ id, concern }) => {
  const folder = join(TRANSFORMS, id);
  const kinds = Object.entries(concern.kinds);
  const stories = storiesOf(id);

  it('has a README with the headings in order, and its title', () => {
    const text = readFileSync(join(folder, 'README.md'), 'utf8');
    const { headings, title } = readReadme(text);
    expect(headings).toEqual(HEADINGS);
    expect(title).toBe(concern.title);
    expect(text).not.toMatch(UNWRITTEN);
  });

  it('cites sections of the specification that exist', () => {
    expect(concern.spec.length).toBeGreaterThan(0);
    expect(concern.spec.filter((reference) => !isKnownReference(reference))).toEqual([]);
    const { links } = readReadme(readFileSync(join(folder, 'README.md'), 'utf8'));
    const cited = links.filter((link) => link.startsWith(SPEC_ROOT)).map((link) => link.slice(SPEC_ROOT.length));
    expect(cited.filter((reference) => !isKnownReference(reference))).toEqual([]);
    expect(concern.spec.filter((reference) => !cited.includes(reference))).toEqual([]);
    expect(links.filter((link) => !/^(?:https:|#)/.test(link) && !existsSync(join(folder, link.replace(/#.*/, ''))))).toEqual([]);
  });

  it.each(kinds)('%s says what, why and what to do next, in full sentences', (_kind, { what, why, next }) => {
    for (const text of [what, why, next]) {
      expect(text).toMatch(/^[`{A-Z0-9].*[.`]$/s);
      expect(text.length).toBeGreaterThan(15);
      expect(text).not.toMatch(UNWRITTEN);
    }
    expect(new Set([what, why, next]).size).toBe(3);
  });

  it.each(kinds)('%s appears in a snapshot', (kind) => {
    expect(stories.filter(({ shot = '' }) => shot.includes(`${id}/${kind} `)).map(({ name }) => name)).not.toEqual([]);
  });

  it.each(kinds)('%s has a negative fixture that looks alike', (kind) => {
    expect(stories.filter(({ options }) => options.silent.includes(kind)).map(({ name }) => name)).not.toEqual([]);
  });

  // Addresses in ticks are quoted: `{colour}` in one of them is a part of a URI template.
  it('fills every placeholder of its messages', () => {
    expect(stories.filter(({ shot = '' }) => /\{\w+\}/.test(shot.replaceAll(/^ *\d+ {2}.*$|`[^`]*:\/\/[^`]*`/gm, ''))).map(({ name }) => name)).toEqual([]);
  });

  it('names only kinds that it has in story.json', () => {
    expect(stories.flatMap(({ name, options }) => options.silent.filter((kind) => !(kind in concern.kinds)).map((kind) => `${name}: ${kind}`))).toEqual([]);
  });

  it('gives a reason for every check that a story switches off', () => {
    expect(stories.filter(({ options }) => (!options.types || !options.variants) && options.why === undefined).map(({ name }) => name)).toEqual([]);
  });

  it('uses no meaningless names in its stories', () => {
    expect(
      stories.filter(({ name, before }) => UNWRITTEN.test(name) || [...before.values()].some((text) => UNWRITTEN.test(text))).map(({ name }) => name),
    ).toEqual([]);
  });

  it('keeps its files short and free of leftovers', () => {
    for (const { path, text } of sourcesOf(folder)) {
      expect(text.split('\n').length, `${path} is too long: split it by meaning`).toBeLessThanOrEqual(300);
      expect(text, path).not.toMatch(UNWRITTEN);
    }
  });
});
