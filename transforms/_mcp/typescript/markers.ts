import { ts } from 'ts-morph';
import type { TextEdit } from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';

/** A marker to be written: an offset of the text that it goes into. */
export interface Placed {
  /** Kind of the concern that leaves it. */
  readonly kind: string;
  /** What to do, in one sentence, without the rule id. */
  readonly text: string;
  readonly offset: number;
}

/** The text of a marker, as searched for by people and by the next run. */
export const markerText = (concern: string, { kind, text }: Pick<Placed, 'kind' | 'text'>): string => `TODO(unsession) ${concern}/${kind}: ${text}`;

/** The statement (or class member, or property on a line of its own) above which a marker stands. */
function anchorOf(node: ts.Node, file: TypeScriptFile): ts.Node {
  let current = node;
  for (let parent = node.parent as ts.Node | undefined; parent; parent = parent.parent) {
    if (ts.isSourceFile(parent) || ts.isBlock(parent) || ts.isModuleBlock(parent) || ts.isCaseOrDefaultClause(parent) || ts.isClassLike(parent)) {
      if (startsLine(current, file)) return current;
    }
    current = parent;
  }
  return current === file.tree ? node : current;
}

const lineStart = (offset: number, text: string): number => Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;

const startsLine = (node: ts.Node, file: TypeScriptFile): boolean => {
  const start = node.getStart(file.tree);
  return file.text.slice(lineStart(start, file.text), start).trim() === '';
};

/** The innermost node around an offset. */
function nodeAt(offset: number, file: TypeScriptFile): ts.Node {
  let found: ts.Node = file.tree;
  const descend = (node: ts.Node): void => {
    if (node.getStart(file.tree) <= offset && offset < node.end) {
      found = node;
      ts.forEachChild(node, descend);
    }
  };
  ts.forEachChild(file.tree, descend);
  return found;
}

/** Marker comments, one line each, with the indentation of the line below. A marker that is there already is not repeated. */
export function markerEdits(file: TypeScriptFile, concern: string, todos: readonly Placed[]): readonly TextEdit[] {
  const byOffset = new Map<number, { readonly indent: string; readonly lines: Set<string> }>();
  for (const todo of todos) {
    const anchor = anchorOf(nodeAt(todo.offset, file), file);
    const start = anchor.getStart(file.tree);
    const offset = lineStart(start, file.text);
    const line = `// ${markerText(concern, todo)}`;
    // By rule, not by text: what the text says may follow from what an earlier run has changed.
    if (file.text.slice(anchor.getFullStart(), start).includes(`TODO(unsession) ${concern}/${todo.kind}:`)) continue;
    const entry = byOffset.get(offset) ?? { indent: /^[\t ]*/.exec(file.text.slice(offset, start))?.[0] ?? '', lines: new Set<string>() };
    entry.lines.add(line);
    byOffset.set(offset, entry);
  }
  return [...byOffset].map(([offset, { indent, lines }]) => ({
    start: offset,
    end: offset,
    text: [...lines].map((line) => indent + line + file.eol).join(''),
  }));
}
