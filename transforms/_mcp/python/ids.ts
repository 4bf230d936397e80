import { argumentsOf, calledName, constantOf, stringValue, valueAt, type PyNode, type PythonFile } from '../../../src/languages/python/index.js';
import { HEADERS } from '../vocabulary.js';
import { receiverOf } from './nodes.js';

/** A parameter that a framework fills from the header. */
const PARAMETER = /^mcp_?session_?id$/i;

/**
 * Is the value of an expression the id of an MCP session? Follows names, `or`, conditionals, `str(…)` and casts, down to a read of the
 * header, or a parameter that is named after it.
 */
export function isSessionId(node: PyNode, file: PythonFile, depth = 0): boolean {
  if (depth > 6) return false;
  const next = (inner: PyNode | undefined): boolean => inner !== undefined && isSessionId(inner, file, depth + 1);
  switch (node.kind) {
    case 'parenthesized_expression':
    case 'await':
      return next(node.children[0]);
    case 'boolean_operator':
      return next(node.get('left')) || next(node.get('right'));
    case 'conditional_expression':
      return next(node.children[0]) || next(node.children[2]);
    case 'subscript': {
      const [key] = node.all('subscript');
      return key !== undefined && namesHeader(key, file) && holdsHeaders(node.get('value'), file);
    }
    case 'call': {
      if (headerRead(node, file)) return true;
      const name = calledName(node, file);
      const { positional } = argumentsOf(node, file);
      return (name === 'str' && receiverOf(node) === undefined && next(positional[0])) || (name === 'cast' && next(positional[1]));
    }
    case 'identifier':
      return (
        file.bindings.of(node)?.sites.some((site) => {
          if (site.how === 'parameter') return PARAMETER.test(file.textOf(site.identifier));
          const value = valueAt(site);
          return value !== undefined && value !== node && next(value);
        }) ?? false
      );
    default:
      return false;
  }
}

/** `headers.get("mcp-session-id")`, with or without a default. */
export function headerRead(call: PyNode, file: PythonFile): boolean {
  const [first] = argumentsOf(call, file).positional;
  return /^(?:get|getone|getlist|pop|header|get_header)$/.test(calledName(call, file) ?? '') && first !== undefined && namesHeader(first, file);
}

const namesHeader = (node: PyNode, file: PythonFile): boolean => {
  const value = node.kind === 'string' ? stringValue(node, file) : constantOf(node, file);
  return typeof value === 'string' && value.toLowerCase() === HEADERS.sessionId;
};

const holdsHeaders = (node: PyNode | undefined, file: PythonFile): boolean => node !== undefined && /headers?$/i.test(file.textOf(node));
