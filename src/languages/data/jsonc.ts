import { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { lineStarts, positionAt, type Span } from '../../core/index.js';
import { documentOver, type DataDocument } from './file.js';

/** JSON with comments and commas at the end of lists, as a document. `shift` is added to its offsets.
 * @throws SyntaxError with the line when it is neither
 */
export function jsoncDocument(text: string, shift: number): DataDocument {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  const [first] = errors;
  if (root === undefined || first !== undefined) {
    const line = positionAt(lineStarts(text), first?.offset ?? 0).line;
    throw new SyntaxError(`not valid JSON: ${first === undefined ? 'it is empty' : printParseErrorCode(first.error)} (line ${line})`);
  }
  const spanOf = (path: readonly (string | number)[]): Span | undefined => {
    const found = path.length === 0 ? root : findNodeAtLocation(root, [...path]);
    // An entry of an object is the pair, key included; an entry of a list is the value.
    const node: Node | undefined = typeof path.at(-1) === 'string' ? found?.parent : found;
    return node && { start: node.offset + shift, end: node.offset + node.length + shift };
  };
  return documentOver(getNodeValue(root) as unknown, spanOf);
}
