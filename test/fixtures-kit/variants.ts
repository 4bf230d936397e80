import { isSource } from './tree.js';
import type { Tree } from './tree.js';

/** A rewriting of a whole repository that must not matter: the migration of the copy is the copy of the migration. */
export interface Variant {
  readonly name: string;
  /** Makes the copy. */
  readonly disguise: (tree: Tree) => Tree;
  /** Takes the disguise off a result, so that it compares with `after/`. `before` are the paths that existed. */
  readonly reveal: (tree: Tree, before: Tree) => Tree;
  /** Lines by which findings move. */
  readonly shift: number;
}

const mapTexts = (tree: Tree, change: (text: string, path: string) => string): Tree => new Map([...tree].map(([path, text]) => [path, change(text, path)]));

const SHEBANG = '#!/usr/bin/env node\n';
const BOM = '\uFEFF';

/** Spaces of one level, from the smallest indentation of any line that is not part of a block comment. */
function indentUnit(text: string): number {
  const widths = [...text.matchAll(/^( +)(?! |\*)\S/gm)].map(([, spaces = '']) => spaces.length).filter((width) => width > 1);
  return widths.length === 0 ? 2 : Math.min(...widths);
}

const indent = (text: string): string => {
  const unit = indentUnit(text);
  return text.replace(/^ +/gm, (spaces) => '\t'.repeat(Math.floor(spaces.length / unit)) + ' '.repeat(spaces.length % unit));
};

export const VARIANTS: readonly Variant[] = [
  {
    name: 'CRLF',
    disguise: (tree) => mapTexts(tree, (text) => text.replaceAll('\n', '\r\n')),
    // A file that existed must have no bare line feed; one that is new may have either.
    reveal: (tree, before) => mapTexts(tree, (text, path) => (before.has(path) ? text.replace(/(?<!\r)\n/g, '<LF>\n') : text).replaceAll('\r\n', '\n')),
    shift: 0,
  },
  {
    name: 'a byte order mark',
    disguise: (tree) => mapTexts(tree, (text, path) => (isSource(path) && !text.startsWith(BOM) ? BOM + text : text)),
    reveal: (tree, before) =>
      mapTexts(tree, (text, path) => (isSource(path) && before.has(path) ? (text.startsWith(BOM) ? text.slice(1) : `<no BOM>${text}`) : text)),
    shift: 0,
  },
  {
    name: 'tabs',
    disguise: (tree) => mapTexts(tree, (text, path) => (isSource(path) ? indent(text) : text)),
    reveal: (tree, before) => mapTexts(tree, (text, path) => (isSource(path) && !before.has(path) ? indent(text) : text)),
    shift: 0,
  },
  {
    name: 'a shebang',
    disguise: (tree) => mapTexts(tree, (text, path) => (isSource(path) && !text.startsWith('#!') ? SHEBANG + text : text)),
    reveal: (tree, before) =>
      mapTexts(tree, (text, path) => {
        if (!isSource(path) || before.get(path)?.startsWith('#!') !== false) return text;
        return text.startsWith(SHEBANG) ? text.slice(SHEBANG.length) : `<no shebang>${text}`;
      }),
    shift: 1,
  },
];

/** What the revealed result of a variant must equal. Tabs cannot be taken off without a guess, so there the expectation is disguised instead. */
export const expectationOf = (variant: Variant, after: Tree): Tree => (variant.name === 'tabs' ? variant.disguise(after) : after);
