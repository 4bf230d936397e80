/** Strings below this length are copied by V8 when they are cut out of a text; longer ones keep the whole text alive. */
const SHARED_LENGTH = 13;

/**
 * Copies what detectors said about a file, so that nothing of the file is kept alive by it: a string that was cut out of a text
 * holds the whole text, and an object may hang on a tree. Equal strings become one string, so a path that stands in a thousand places is stored once.
 */
export class Detacher {
  readonly #strings = new Map<string, string>();

  /** A deep copy of a plain value: strings, numbers, booleans, `undefined`, `null`, arrays and records of them. What is shared in it stays shared. */
  copy<T>(value: T): T {
    return this.#copy(value, new Map()) as T;
  }

  #copy(value: unknown, copies: Map<object, object>): unknown {
    if (typeof value === 'string') return this.#string(value);
    if (typeof value !== 'object' || value === null) return value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      copies.set(value, list);
      for (const entry of value) list.push(this.#copy(entry, copies));
      return list;
    }
    const copy: Record<string, unknown> = {};
    copies.set(value, copy);
    for (const key in value) copy[key] = this.#copy((value as Record<string, unknown>)[key], copies);
    return copy;
  }

  #string(text: string): string {
    if (text.length < SHARED_LENGTH) return text;
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    // The way through JSON makes a string of its own and loses nothing, not even half a surrogate pair.
    const own = JSON.parse(JSON.stringify(text)) as string;
    this.#strings.set(own, own);
    return own;
  }
}
