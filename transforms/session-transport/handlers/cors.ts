import { ts } from 'ts-morph';
import type { TextEdit } from '../../../src/core/index.js';
import { type TypeScriptFile, constantOf, eachNode } from '../../../src/languages/typescript/index.js';
import { handlersOfHost } from '../../_hosts/index.js';
import { calledMember, nameText, unwrap } from '../../_mcp/typescript/nodes.js';
import { readOptions } from '../../_mcp/typescript/options.js';
import { MODERN_REQUEST_HEADERS } from '../../_mcp/vocabulary.js';
import type { HandlerLane } from './lane.js';

interface ListEdits {
  readonly edits: readonly TextEdit[];
  readonly notes: readonly string[];
}

/** Adds the headers of modern browser clients to literal CORS lists in the file of the handlers: options of middleware, and headers written by hand. */
export function corsListEdits({ endpoint, file }: Pick<HandlerLane, 'endpoint' | 'file'>, has: (path: string) => boolean): ListEdits {
  const read = handlersOfHost(endpoint.host, file, has);
  const allowed: TextEdit[] = [];
  const exposed: TextEdit[] = [];
  for (const { what, node } of [...(read.guards ?? []), ...read.served.flatMap(({ guards }) => guards)]) {
    if (what !== 'cors') continue;
    eachNode(node, (inner) => {
      if (!ts.isObjectLiteralExpression(inner)) return;
      const { values } = readOptions(inner, file);
      allowed.push(...extendList(values.get('allowHeaders') ?? values.get('allowedHeaders'), MODERN_REQUEST_HEADERS, file));
      exposed.push(...extendList(values.get('exposeHeaders') ?? values.get('exposedHeaders'), ['WWW-Authenticate'], file));
    });
  }
  eachNode(file.tree, (node) => {
    const header = headerWritten(node);
    if (header === undefined) return;
    if (/^access-control-allow-headers$/i.test(header.name)) allowed.push(...extendText(header.value, MODERN_REQUEST_HEADERS, file));
    if (/^access-control-expose-headers$/i.test(header.name)) exposed.push(...extendText(header.value, ['WWW-Authenticate'], file));
  });
  const unique = [...new Map([...allowed, ...exposed].map((edit) => [String(edit.start), edit])).values()];
  return { edits: unique, notes: allowed.length > 0 ? [`Browser clients may now send ${MODERN_REQUEST_HEADERS.join(', ')}.`] : [] };
}

/** `setHeader('Access-Control-…', 'a, b')`, `{ 'Access-Control-…': 'a, b' }`. */
function headerWritten(node: ts.Node): { readonly name: string; readonly value: ts.Node } | undefined {
  if (ts.isPropertyAssignment(node)) {
    const name = nameText(node.name);
    return name === undefined ? undefined : { name, value: unwrap(node.initializer) };
  }
  if (!ts.isCallExpression(node) || !/^(?:setHeader|header|set|append|appendHeader)$/.test(calledMember(node) ?? '')) return undefined;
  const [name, value] = node.arguments;
  const text = name === undefined ? undefined : unwrap(name);
  return text !== undefined && ts.isStringLiteralLike(text) && value !== undefined ? { name: text.text, value: unwrap(value) } : undefined;
}

/** Appends the missing names to a literal text like `Content-Type, Mcp-Session-Id`. */
function extendText(node: ts.Node, names: readonly string[], file: TypeScriptFile): readonly TextEdit[] {
  if (!ts.isStringLiteral(node) || node.text.trim() === '' || node.text.includes('*')) return [];
  const present = new Set(node.text.split(',').map((name) => name.trim().toLowerCase()));
  const missing = names.filter((name) => !present.has(name.toLowerCase()));
  const end = node.end - 1;
  return missing.length === 0 || file.text[end] === undefined ? [] : [{ start: end, end, text: missing.map((name) => `, ${name}`).join('') }];
}

/** Appends the missing names to a literal list of strings. */
function extendList(node: ts.Node | undefined, names: readonly string[], file: TypeScriptFile): readonly TextEdit[] {
  const list = node === undefined ? undefined : unwrap(node);
  if (list === undefined) return [];
  if (!ts.isArrayLiteralExpression(list)) return extendText(list, names, file);
  const present = new Set(list.elements.map((element) => String(constantOf(element, file)).toLowerCase()));
  const last = list.elements.at(-1);
  const missing = names.filter((name) => !present.has(name.toLowerCase()));
  if (last === undefined || missing.length === 0 || present.has('*')) return [];
  return [{ start: last.end, end: last.end, text: missing.map((name) => `, ${file.quote}${name}${file.quote}`).join('') }];
}
