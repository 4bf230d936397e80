import { ts } from 'ts-morph';
import { type TypeScriptFile, constantOf } from '../../../src/languages/typescript/index.js';
import { unwrap } from '../../_mcp/typescript/nodes.js';

/** A path as it is written in a registration, and as clients ask for it. */
export interface WrittenPath {
  readonly text: string;
  readonly full: string;
}

/** Turns the path of an old endpoint into that of the new one. */
export type Rename = (path: string) => string;

/**
 * The new path in the words of the old registration: its prefixes stay where they are, and a constant stays the constant that it is.
 * `undefined` when the old path is no literal, or a pattern.
 */
export function pathBeside(node: ts.Node | undefined, full: string | undefined, rename: Rename, file: TypeScriptFile): WrittenPath | undefined {
  const own = node === undefined ? '' : constantOf(node, file);
  if (full === undefined || typeof own !== 'string' || /[:*(){}?+[\]]/.test(full)) return undefined;
  const bare = own.replace(/\/$/, '');
  const slashed = bare === '' || bare.startsWith('/') ? bare : `/${bare}`;
  if (!full.endsWith(slashed)) return undefined;
  const prefix = full.slice(0, full.length - slashed.length).replace(/\/$/, '');
  const renamed = rename(full);
  const written = renamed.startsWith(`${prefix}/`) ? renamed.slice(prefix.length) : renamed;
  return { text: textOf(node, own, written, file), full: prefix + written };
}

function textOf(node: ts.Node | undefined, own: string, written: string, file: TypeScriptFile): string {
  const { quote } = file;
  const plain = own !== '' && !own.startsWith('/') ? written.replace(/^\//, '') : written;
  const value = node === undefined ? undefined : unwrap(node);
  const held = value !== undefined && (ts.isIdentifier(value) || ts.isPropertyAccessExpression(value)) ? file.textOf(value) : undefined;
  if (held !== undefined && own.length > 1 && plain.startsWith(own)) return `\`\${${held}}${plain.slice(own.length)}\``;
  return quote + plain + quote;
}
