import { type PyNode, argumentsOf, constantOf, originOf } from '../../../src/languages/python/index.js';
import { isSdkName } from '../../_mcp/python/paths.js';
import { isInstance } from '../../_mcp/python/types.js';
import type { Pass } from './pass.js';

const ERROR = 'mcp.shared.exceptions.McpError';

/** `McpError` takes code, message and data in SDK 2.x; the codes of a time-out and of a lost session are others. */
export function moveErrors(pass: Pass): void {
  for (const call of pass.all('call')) {
    const callee = call.get('function');
    if (!callee) continue;
    if (isSdkName(callee, pass.file, ERROR)) {
      const origin = originOf(callee, pass.file);
      if (origin?.imported && pass.isDual(origin.imported)) continue;
      construct(pass, call, callee);
    } else if (/^super\([^)]*\)\.__init__$/.test(pass.text(callee)) && derives(pass, call)) construct(pass, call, undefined);
  }
  for (const node of pass.all('comparison_operator')) compare(pass, node);
}

function derives(pass: Pass, node: PyNode): boolean {
  let at: PyNode | undefined = node;
  while (at && at.kind !== 'class_definition') at = at.parent;
  return at !== undefined && argumentsOf(at, pass.file).positional.some((base) => isSdkName(base, pass.file, ERROR));
}

function construct(pass: Pass, call: PyNode, callee: PyNode | undefined): void {
  const args = argumentsOf(call, pass.file);
  const value = args.positional[0] ?? args.keyword('error')?.value;
  if (!args.node || args.splat || args.spread || !value || args.positional.length + args.keywords.length !== 1) {
    if (args.positional.length + args.keywords.length > 0 || args.splat || args.spread)
      pass.mark('error-class', call, '`MCPError` takes a code, a message and data.');
    return;
  }
  const inner = value.kind === 'call' ? value.get('function') : undefined;
  const list = inner && isSdkName(inner, pass.file, 'mcp.types.ErrorData') ? value.get('arguments') : undefined;
  if (list) {
    if (argumentsOf(value, pass.file).splat) {
      pass.edits.insert(callee?.end ?? call.start, '.from_error_data');
      return;
    }
    pass.edits.remove({ start: args.node.start, end: list.start });
    pass.edits.remove({ start: list.end, end: args.node.end });
  } else if (callee) {
    pass.edits.insert(callee.end, '.from_error_data');
    if (args.keyword('error') && args.keywords[0]) pass.edits.remove({ start: args.keywords[0].node.start, end: value.start });
  } else {
    // The base class of a subclass is given its parts.
    if (value.kind !== 'identifier' && value.kind !== 'attribute') {
      pass.mark('error-class', call, '`MCPError` takes a code, a message and data.');
      return;
    }
    const text = pass.text(value);
    pass.edits.replace({ start: args.node.start + 1, end: args.node.end - 1 }, `${text}.code, ${text}.message, ${text}.data`);
  }
}

/** Codes of SDK 1.x: 408 for a time-out, positive 32600 for a session that has ended. */
function compare(pass: Pass, node: PyNode): void {
  const [left, right] = node.children;
  if (!left || !right || node.children.length !== 2) return;
  for (const [code, literal] of [
    [left, right],
    [right, left],
  ] as const) {
    if (!isCode(pass, code)) continue;
    const value = constantOf(literal, pass.file);
    const timeout =
      value === 408 ||
      (pass.text(literal).endsWith('REQUEST_TIMEOUT') && !pass.text(literal).startsWith('types.') && /httpx|HTTPStatus|codes/.test(pass.text(literal)));
    if (timeout) pass.edits.replace(literal, pass.needAt('mcp.types', 'REQUEST_TIMEOUT', literal));
    else if (value === 32600) {
      pass.edits.replace(literal, '-32600');
      pass.notes.add(
        `${pass.file.path}: a session that has ended is answered with -32600 now, the code of every invalid request; the text is "Session terminated".`,
      );
    }
  }
}

/** `error.code` of a caught `McpError`, or `.code` of its `error`. */
function isCode(pass: Pass, node: PyNode): boolean {
  if (node.kind !== 'attribute' || pass.text(node.get('attribute') ?? node) !== 'code') return false;
  const object = node.get('object');
  return object !== undefined && isInstance(object, pass.file, 'mcp.types.ErrorData', ERROR);
}
