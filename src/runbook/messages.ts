import type { MessageData, Phrase } from '../core/index.js';

/** A message catalogue as it lies in `templates/runbook/messages.<language>.json`: sentences in Markdown, nested by subject. */
export interface Catalogue {
  readonly [key: string]: string | Catalogue;
}

/** The catalogue lacks a sentence, or a sentence names a value that nobody gave. */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError';
}

/** Looks up sentences by dotted key. */
export interface Messages {
  /** The sentence as written, placeholders included. @throws CatalogueError for an unknown key */
  raw(key: string): string;
  readonly keys: readonly string[];
}

function flatten(catalogue: Catalogue, prefix: string, into: Map<string, string>): Map<string, string> {
  for (const [key, value] of Object.entries(catalogue)) {
    if (typeof value === 'string') into.set(prefix + key, value);
    else flatten(value, `${prefix}${key}.`, into);
  }
  return into;
}

/** Opens a parsed catalogue. */
export function openCatalogue(catalogue: Catalogue): Messages {
  const sentences = flatten(catalogue, '', new Map());
  return {
    keys: [...sentences.keys()],
    raw: (key) => {
      const sentence = sentences.get(key);
      if (sentence === undefined) throw new CatalogueError(`the message catalogue has no "${key}"`);
      return sentence;
    },
  };
}

/** A sentence of the catalogue. */
export const say = (key: string, data?: MessageData): Phrase => (data === undefined ? { say: key } : { say: key, with: data });

/** A finished sentence or a string of the repository. */
export const words = (text: string): Phrase => ({ text });
