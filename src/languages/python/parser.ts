import { existsSync, readFileSync } from 'node:fs';
import type { Language, Parser, Tree, TreeCursor } from 'web-tree-sitter';
import type { Span } from '../../core/index.js';
import { PyNode } from './node.js';

/** What the parser said about a text; the tree of the library is gone. */
export interface ParsedTree {
  readonly root: PyNode;
  readonly comments: readonly Span[];
  /** Offset of the first fault. */
  readonly fault: number | undefined;
}

/** Brackets and separators: their places follow from their neighbours, and they are a third of all nodes. */
const PUNCTUATION: ReadonlySet<string> = new Set(['(', ')', '[', ']', '{', '}', ',', '.', ':', ';', '=', '->', '@']);

/** Nodes whose inside nobody asks for. */
const LEAVES: ReadonlySet<string> = new Set(['string_content', 'string_start', 'string_end', 'comment', 'relative_import_prefix', 'import_prefix']);

interface Loaded {
  readonly parser: Parser;
  readonly kinds: readonly string[];
  /** 0 punctuation, 1 word, 2 named, 3 named leaf, 4 comment. */
  readonly classes: Uint8Array;
  readonly fields: readonly (string | null)[];
}

let loaded: Loaded | undefined;

/** Place of the committed grammar: beside the sources, which the published package carries for it. */
function grammarFile(): URL {
  const name = 'grammar/tree-sitter-python.wasm';
  const beside = new URL(`./${name}`, import.meta.url);
  return existsSync(beside) ? beside : new URL(`../../../../src/languages/python/${name}`, import.meta.url);
}

/** Loads the parser and the grammar once. */
export async function loadParser(): Promise<void> {
  if (loaded) return;
  const library = await import('web-tree-sitter');
  await library.Parser.init();
  const language = await library.Language.load(readFileSync(grammarFile()));
  const parser = new library.Parser();
  parser.setLanguage(language);
  loaded = { parser, ...tables(language) };
}

function tables(language: Language): Omit<Loaded, 'parser'> {
  const kinds: string[] = [];
  const classes = new Uint8Array(language.nodeTypeCount + 1);
  for (let id = 0; id < language.nodeTypeCount; id++) {
    const kind = language.nodeTypeForId(id) ?? '';
    kinds.push(kind);
    if (kind === 'comment') classes[id] = 4;
    else if (language.nodeTypeIsNamed(id)) classes[id] = LEAVES.has(kind) ? 3 : 2;
    else classes[id] = PUNCTUATION.has(kind) || kind === '' ? 0 : 1;
  }
  return { kinds, classes, fields: language.fields };
}

/**
 * Parses a text.
 * @throws Error when the parser was not loaded, or gave up
 */
export function parseTree(text: string): ParsedTree {
  if (!loaded) throw new Error("the python parser is not loaded; await loadLanguage('python') first");
  const tree = loaded.parser.parse(text);
  if (!tree) throw new Error('the parser gave up');
  try {
    return copy(tree, text, loaded);
  } finally {
    tree.delete();
  }
}

/** The library's own number for a node that it could not make sense of. */
const ERROR_ID = 0xffff;

function copy(tree: Tree, text: string, { kinds, classes, fields }: Loaded): ParsedTree {
  const comments: Span[] = [];
  const broken = tree.rootNode.hasError;
  let fault: number | undefined;
  const root = new PyNode('module', 0, text.length, undefined);
  const cursor: TreeCursor = tree.walk();
  // Nodes on the way down, with the place in `open` where the children of each begin: a list that is cut out at its end has no room to spare.
  const parents: PyNode[] = [root];
  const begins: number[] = [0];
  const open: PyNode[] = [];
  const close = (): void => {
    const parent = parents.pop();
    const begin = begins.pop() ?? open.length;
    if (!parent || begin === open.length) return;
    parent.children = open.slice(begin);
    open.length = begin;
  };
  let more = cursor.gotoFirstChild();
  while (more) {
    const id = cursor.nodeTypeId;
    const isError = id === ERROR_ID;
    const what = isError ? 2 : (classes[id] ?? 0);
    const parent = parents[parents.length - 1] as PyNode;
    if (broken && fault === undefined && (isError || cursor.nodeIsMissing)) fault = cursor.startIndex;
    let down = false;
    if (what === 1) {
      const word = kinds[id] as string;
      if (parent.words.length === 0) parent.words = [word];
      else (parent.words as string[]).push(word);
    } else if (what === 4) {
      const end = cursor.endIndex;
      // The grammar takes the first half of a CRLF for a part of the comment.
      comments.push({ start: cursor.startIndex, end: text.charCodeAt(end - 1) === 13 ? end - 1 : end });
    } else if (what >= 2) {
      const field = fields[cursor.currentFieldId] ?? undefined;
      const node = new PyNode(isError ? 'ERROR' : (kinds[id] as string), cursor.startIndex, cursor.endIndex, field);
      node.parent = parent;
      open.push(node);
      if (what === 2 && cursor.gotoFirstChild()) {
        parents.push(node);
        begins.push(open.length);
        down = true;
      }
    }
    if (down) continue;
    while (!cursor.gotoNextSibling()) {
      close();
      if (parents.length === 0 || !cursor.gotoParent() || parents.length < 1) {
        more = false;
        break;
      }
    }
  }
  while (parents.length > 0) close();
  cursor.delete();
  return { root, comments, fault: broken ? (fault ?? 0) : undefined };
}
