import type { PythonFile } from './file.js';
import type { PyNode } from './node.js';
import { unwrap } from './expressions.js';
import { valueAt } from './provenance/values.js';

export type Constant = string | number | boolean | null;

/** A chain of constants longer than this is nobody's code. */
const MAX_DEPTH = 40;
/** Characters of a string that is put together. What doubles in every line would have no end. */
const MAX_LENGTH = 100_000;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\', "'": "'", '"': '"', '0': '\0', '\n': '' };

/** Value of a string literal without interpolation; `undefined` for f-strings with parts and for bytes. */
export function stringValue(node: PyNode, file: PythonFile): string | undefined {
  if (node.kind === 'concatenated_string') {
    const parts = node.children.map((child) => stringValue(child, file));
    return parts.every((part) => part !== undefined) ? parts.join('') : undefined;
  }
  if (node.kind !== 'string') return undefined;
  const opening = node.first('string_start');
  const prefix = opening ? file.textOf(opening).toLowerCase() : '';
  if (prefix.includes('b') || node.children.some((child) => child.kind === 'interpolation')) return undefined;
  const content = node.children.filter((child) => child.kind === 'string_content').map((child) => file.textOf(child));
  const raw = content.join('');
  if (prefix.includes('r') || !raw.includes('\\')) return raw;
  return raw.replace(/\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|([\s\S]))/g, (_whole, u?: string, x?: string, c?: string) =>
    c === undefined ? String.fromCharCode(parseInt(u ?? x ?? '0', 16)) : (ESCAPES[c] ?? `\\${c}`),
  );
}

/** Range of the text between the quotes of a plain string, for edits inside of it. */
export function contentSpan(node: PyNode): { readonly start: number; readonly end: number } | undefined {
  const [open, close] = [node.first('string_start'), node.first('string_end')];
  return node.kind === 'string' && open && close ? { start: open.end, end: close.start } : undefined;
}

function evaluate(start: PyNode, file: PythonFile, depth: number): Constant | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const node = unwrap(start);
  switch (node.kind) {
    case 'string':
    case 'concatenated_string':
      return stringValue(node, file);
    case 'integer':
    case 'float': {
      const text = file.textOf(node).replaceAll('_', '');
      const value = Number(text.replace(/^0[oO]/, '0o'));
      return Number.isNaN(value) ? undefined : value;
    }
    case 'true':
      return true;
    case 'false':
      return false;
    case 'none':
      return null;
    case 'unary_operator': {
      const value = node.get('argument') && evaluate(node.get('argument') as PyNode, file, depth + 1);
      return typeof value === 'number' && node.words[0] === '-' ? -value : undefined;
    }
    case 'binary_operator': {
      const [first, second] = [node.get('left'), node.get('right')];
      if (node.words[0] !== '+' || !first || !second) return undefined;
      const left = evaluate(first, file, depth + 1);
      const right = typeof left === 'string' ? evaluate(second, file, depth + 1) : undefined;
      return typeof left === 'string' && typeof right === 'string' && left.length + right.length <= MAX_LENGTH ? left + right : undefined;
    }
    case 'identifier': {
      const binding = file.bindings.of(node);
      const [site, ...others] = binding?.sites ?? [];
      const value = site && others.length === 0 ? valueAt(site) : undefined;
      return value && valueOfName(value, file, depth + 1);
    }
    default:
      return undefined;
  }
}

const named = new WeakMap<PyNode, { readonly value: Constant | undefined; readonly depth: number }>();

/** The value behind a name, looked up once: sums of names would be a power of their length. */
function valueOfName(node: PyNode, file: PythonFile, depth: number): Constant | undefined {
  const known = named.get(node);
  // What was cut short deep in a chain may be known from nearer.
  if (known && (known.value !== undefined || known.depth <= depth)) return known.value;
  const value = evaluate(node, file, depth);
  named.set(node, { value, depth });
  return value;
}

/** The value of a literal, of a name that is bound once to one, and of a sum of strings; `undefined` when it is not known. `None` is `null`. */
export const constantOf = (node: PyNode, file: PythonFile): Constant | undefined => evaluate(node, file, 0);
