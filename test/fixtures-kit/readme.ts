import { lexer } from 'marked';
import { StoryOptions } from './story.js';
import type { Tree } from './tree.js';

/** The executable parts of a concern's README. */
export interface Readme {
  readonly headings: readonly string[];
  readonly title: string;
  /** Files of the blocks under `## Before` and `## After`: the info string is language and file name. */
  readonly before: Tree;
  readonly after: Tree;
  readonly options: StoryOptions;
  /** All link targets. */
  readonly links: readonly string[];
}

/**
 * Reads a README. Under `## Before`, `<!-- story: {…} -->` sets options of the story that the two sections tell.
 * @throws Error when a block of those sections names no file
 */
export function readReadme(text: string): Readme {
  const headings: string[] = [];
  const before = new Map<string, string>();
  const after = new Map<string, string>();
  let title = '';
  let options: unknown = {};
  let section = '';
  for (const token of lexer(text)) {
    if (token.type === 'heading' && token.depth === 1) title = String(token.text);
    if (token.type === 'heading' && token.depth === 2) {
      section = String(token.text);
      headings.push(section);
    }
    const story = token.type === 'html' ? /<!--\s*story:\s*(\{.*?\})\s*-->/s.exec(token.raw) : null;
    if (story?.[1] !== undefined) options = JSON.parse(story[1]);
    if (token.type !== 'code' || (section !== 'Before' && section !== 'After')) continue;
    const file = /^\S+\s+(\S+)/.exec(String(token.lang ?? ''))?.[1];
    if (file === undefined) throw new Error(`a code block under "${section}" names no file: write the file after the language, as in \`ts server.ts\``);
    (section === 'Before' ? before : after).set(file, `${String(token.text)}\n`);
  }
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return { headings, title, before, after, options: StoryOptions.parse(options), links };
}
