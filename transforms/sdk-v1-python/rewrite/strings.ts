import { type PyNode, contentSpan, originOf, stringValue } from '../../../src/languages/python/index.js';
import { resolvesTo } from './exports.js';
import type { Pass } from './pass.js';
import { lastOf, parentOf } from './paths.js';
import { isSdkPath, targetOf } from './targets.js';

/** Calls that take a dotted name of a module or of something in it. */
const NAMED = /(?:import|load|require|patch|setattr|delattr|find_spec|reload|logger|getLogger|resolve|locate|setitem|setdefault|get|pop)/i;

/** Strings that name something of the SDK: `import_module("mcp.…")`, `mock.patch("mcp.….streamablehttp_client")`, `getattr(module, "McpError")`. */
export function moveStrings(pass: Pass): void {
  for (const node of pass.all('string')) {
    const value = stringValue(node, pass.file);
    const span = contentSpan(node);
    if (value === undefined || !span || pass.text(span) !== value) continue;
    if (/^mcp(?:\.\w+)+$/.test(value)) moveDotted(pass, node, value);
    else if (/^[\w.]+\.\w+$/.test(value)) moveOwn(pass, node, value);
  }
  for (const call of pass.all('call')) {
    const callee = call.get('function');
    const args = call.get('arguments')?.children ?? [];
    const called = callee && pass.text(callee).split('.').at(-1);
    const second = args[1];
    if (second?.kind !== 'string' || !args[0] || !/^(?:getattr|hasattr|setattr|delattr|object)$/.test(called ?? '')) continue;
    const value = stringValue(second, pass.file);
    const span = contentSpan(second);
    const origin = originOf(args[0], pass.file);
    if (value === undefined || !span || !origin || !isSdkPath(origin.path)) continue;
    const target = targetOf(`${origin.path}.${value}`);
    if (target?.kind === 'moved' && lastOf(target.path) !== value) pass.edits.replace(span, lastOf(target.path));
    else if (target?.kind === 'gone') pass.mark('removed-name', second, target.next);
  }
}

function moveDotted(pass: Pass, node: PyNode, value: string): void {
  const span = contentSpan(node);
  const target = targetOf(value);
  if (!target || !span || isDualString(pass, node)) return;
  if (target.kind === 'gone') {
    if (isNamed(pass, node)) pass.mark('removed-name', node, target.next);
    return;
  }
  if (target.kind !== 'moved') return;
  if (isNamed(pass, node) || targetOf(parentOf(value)) !== undefined) pass.edits.replace(span, target.path);
  else pass.mark('dynamic-name', node, `This names something of SDK 1.x; in 2.x it is \`${target.path}\`.`);
}

/** A name of this repository through which a test reaches an SDK name: `patch("app.client.streamablehttp_client")`. */
function moveOwn(pass: Pass, node: PyNode, value: string): void {
  if (!isNamed(pass, node)) return;
  const span = contentSpan(node);
  const renamed = resolvesTo(pass, value);
  if (span && renamed !== undefined) pass.edits.replace({ start: span.end - lastOf(value).length, end: span.end }, renamed);
}

function isNamed(pass: Pass, node: PyNode): boolean {
  const parent = node.parent;
  if (parent?.kind === 'subscript') return pass.text(parent.get('value') ?? parent).includes('modules');
  const call = parent?.kind === 'argument_list' ? parent.parent : parent?.parent?.parent;
  const callee = call?.kind === 'call' ? call.get('function') : undefined;
  return callee !== undefined && NAMED.test(pass.text(callee).split('.').at(-1) ?? '');
}

/** A `try` whose other arm loads SDK 2.x by its dotted name. */
function isDualString(pass: Pass, node: PyNode): boolean {
  let at: PyNode | undefined = node;
  while (at && at.kind !== 'try_statement') at = at.parent;
  return at !== undefined && /mcp\.server\.mcpserver|\bMCPError\b|mcp_types/.test(pass.text(at)) && pass.text(at).includes('except');
}
