/**
 * A type as far as local flow knows it: a dotted class name with arguments. `list`, `dict`, `tuple` and `enter` (what an
 * `async with` or a `with` hands out) are built in; every other name is given by the caller's facts.
 */
export interface PyType {
  readonly name: string;
  readonly args: readonly PyType[];
}

/** What the caller knows about names outside of the file. */
export interface TypeFacts {
  /** One spelling for a class that is imported from several modules; the path itself when it is not known. */
  canonical(path: string): string;
  /**
   * What calling a canonical path or method (`Class.method`) gives, awaited, as `parseType` reads it; a class is what its call
   * gives. `undefined` when it is not known.
   */
  returns(path: string): string | undefined;
  /** The type of a member of a canonical class. */
  member(owner: string, name: string): string | undefined;
}

/** Reads `list[mcp.types.Tool]`, `enter[tuple[A, B]]`. */
export function parseType(text: string): PyType {
  let at = 0;
  const read = (): PyType => {
    const start = at;
    while (at < text.length && !'[], '.includes(text.charAt(at))) at++;
    const name = text.slice(start, at);
    const args: PyType[] = [];
    if (text.charAt(at) === '[') {
      do {
        at++;
        while (text.charAt(at) === ' ') at++;
        args.push(read());
      } while (text.charAt(at) === ',');
      at++;
    }
    return { name, args };
  };
  return read();
}

/** The same type, written. */
export const typeText = (type: PyType): string => (type.args.length === 0 ? type.name : `${type.name}[${type.args.map(typeText).join(', ')}]`);

export const listOf = (element: PyType): PyType => ({ name: 'list', args: [element] });
