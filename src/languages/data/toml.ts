import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import type { Span } from '../../core/index.js';
import { documentOver, type DataDocument } from './file.js';

type Tree = ReturnType<typeof parseTOML>;
type Entry = Extract<Tree['body'][0]['body'][number], { type: 'TOMLKeyValue' }>;
type Value = Entry['value'];
type Path = readonly (string | number)[];

/** A TOML text as a document: tables, keys and list entries under their full paths. `shift` is added to its offsets.
 * @throws SyntaxError with the line when it is not TOML
 */
export function tomlDocument(text: string, shift: number): DataDocument {
  const tree = read(text);
  const spans = new Map<string, Span>();
  const keep = (path: Path, range: readonly [number, number]): void => {
    spans.set(JSON.stringify(path), { start: range[0] + shift, end: range[1] + shift });
  };
  const entry = (node: Entry, above: Path): void => {
    const path = [...above, ...node.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value))];
    keep(path, node.range);
    inner(node.value, path);
  };
  const inner = (value: Value, path: Path): void => {
    if (value.type === 'TOMLInlineTable') for (const node of value.body) entry(node, path);
    if (value.type !== 'TOMLArray') return;
    value.elements.forEach((element, index) => {
      keep([...path, index], element.range);
      inner(element, [...path, index]);
    });
  };
  for (const node of tree.body[0].body) {
    if (node.type === 'TOMLKeyValue') entry(node, []);
    else {
      keep(node.resolvedKey, node.range);
      for (const pair of node.body) entry(pair, node.resolvedKey);
    }
  }
  return documentOver(getStaticTOMLValue(tree), (path) => (path.length === 0 ? { start: shift, end: shift + text.length } : spans.get(JSON.stringify(path))));
}

function read(text: string): Tree {
  try {
    return parseTOML(text, { tomlVersion: '1.1.0' });
  } catch (error) {
    const line = (error as { readonly lineNumber?: number }).lineNumber;
    throw new SyntaxError(`not valid TOML: ${error instanceof Error ? error.message : String(error)}${line === undefined ? '' : ` (line ${line})`}`, {
      cause: error,
    });
  }
}
