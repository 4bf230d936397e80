/** No words or operators: most nodes have none, so they share one list. */
const NONE: readonly never[] = [];

/**
 * A named node of the grammar, copied out of the parser's memory so that it outlives the parse and can be asked for its parent.
 * Comments are not among the children; `PythonFile.comments` lists them.
 */
export class PyNode {
  parent: PyNode | undefined;
  /** Named children in source order. */
  children: readonly PyNode[] = NONE;
  /** Keywords and operators that the node itself spells, in order: `async`, `def`, `==`, `not in`. Brackets, commas and dots are left out. */
  words: readonly string[] = NONE;

  constructor(
    /** Name of the grammar rule: `call`, `import_from_statement`. */
    readonly kind: string,
    /** Offset in UTF-16 code units. */
    readonly start: number,
    readonly end: number,
    /** The part that it plays in its parent (`function`, `arguments`, `body`); `undefined` for plain members of a list. */
    readonly field: string | undefined,
  ) {}

  /** The first child in a part. */
  get(field: string): PyNode | undefined {
    return this.children.find((child) => child.field === field);
  }

  /** All children in a part. */
  all(field: string): readonly PyNode[] {
    return this.children.filter((child) => child.field === field);
  }

  /** The first child of a kind. */
  first(kind: string): PyNode | undefined {
    return this.children.find((child) => child.kind === kind);
  }

  /** `async def`, `async with`, `async for`. */
  get isAsync(): boolean {
    return this.words.includes('async');
  }
}

/** The nearest node above `node` (itself excluded) that satisfies the test. */
export function above(node: PyNode, test: (candidate: PyNode) => boolean): PyNode | undefined {
  let at = node.parent;
  while (at && !test(at)) at = at.parent;
  return at;
}

/** Visits a node and everything below it in source order, without recursion. Returning `false` skips what is below. */
export function eachNode(root: PyNode, visit: (node: PyNode) => boolean | undefined): void {
  const pending: PyNode[] = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (visit(node) === false) continue;
    for (let i = node.children.length - 1; i >= 0; i--) pending.push(node.children[i] as PyNode);
  }
}
