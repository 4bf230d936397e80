import { ts } from 'ts-morph';
import { type TextEdit, fill } from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';

/** A step that stays for a person, and the place of its marker. */
export interface Todo {
  readonly file: TypeScriptFile;
  readonly node: ts.Node;
  readonly kind: string;
  /** What to do, in one sentence, without the rule id. */
  readonly text: string;
}

const CONCERN = 'sdk-v1-typescript';

/** The text of a marker, as searched for by people and by the next run. */
export const markerText = (todo: Pick<Todo, 'kind' | 'text'>): string =>
  fill('TODO(unsession) {rule}: {text}', { rule: `${CONCERN}/${todo.kind}`, text: todo.text });

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

/** A marker to be written: an offset of the text that it goes into. */
export interface Placed extends Pick<Todo, 'kind' | 'text'> {
  readonly offset: number;
}

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
export function markerEdits(file: TypeScriptFile, todos: readonly Placed[]): readonly TextEdit[] {
  const byOffset = new Map<number, { readonly indent: string; readonly lines: Set<string> }>();
  for (const todo of todos) {
    const anchor = anchorOf(nodeAt(todo.offset, file), file);
    const start = anchor.getStart(file.tree);
    const offset = lineStart(start, file.text);
    const line = `// ${markerText(todo)}`;
    // By rule, not by text: what the text says may follow from what an earlier run has changed.
    if (file.text.slice(anchor.getFullStart(), start).includes(`TODO(unsession) ${CONCERN}/${todo.kind}:`)) continue;
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
