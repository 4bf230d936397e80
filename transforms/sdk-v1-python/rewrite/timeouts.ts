import { type Binding, type PyNode, argumentsOf, assignedValue, calledName, constantOf, originOf, unwrap } from '../../../src/languages/python/index.js';
import { isSdkName, relationOf } from '../../_mcp/python/paths.js';
import type { Pass } from './pass.js';

const SECONDS: Readonly<Record<string, number>> = {
  weeks: 604800,
  days: 86400,
  hours: 3600,
  minutes: 60,
  seconds: 1,
  milliseconds: 0.001,
  microseconds: 0.000001,
};

/** True for a call of `datetime.timedelta`. */
export const isTimedelta = (pass: Pass, node: PyNode): boolean => {
  const callee = node.kind === 'call' ? node.get('function') : undefined;
  return callee !== undefined && originOf(callee, pass.file)?.path === 'datetime.timedelta';
};

/** Time limits are seconds in SDK 2.x; a `timedelta` fails only when the timer is set. */
export function moveTimeouts(pass: Pass): void {
  for (const call of pass.all('call')) {
    const callee = call.get('function');
    if (!callee) continue;
    const args = argumentsOf(call, pass.file);
    for (const { name, value } of args.keywords) if (isLimit(pass, callee, name)) limit(pass, value);
    const third = isSdkName(callee, pass.file, 'mcp.ClientSession') ? args.positional[2] : undefined;
    if (third && !args.spread) limit(pass, third);
    const helper = isSdkName(callee, pass.file, 'mcp.shared.memory.create_connected_server_and_client_session') ? args.positional[1] : undefined;
    if (helper) limit(pass, helper);
  }
}

function isLimit(pass: Pass, callee: PyNode, name: string): boolean {
  if (name === 'read_timeout_seconds' || name === 'request_read_timeout_seconds') return relationOf(pass.file).sdk || !relationOf(pass.file).framework;
  return (name === 'timeout' || name === 'sse_read_timeout') && isSdkName(callee, pass.file, 'mcp.client.session_group.StreamableHttpParameters');
}

/** Turns a value that is a `timedelta` into seconds where it is made; a value that cannot be followed is converted where it is used. */
function limit(pass: Pass, value: PyNode): void {
  const found = seconds(pass, value, new Set());
  if (found === 'unknown' && mayBeTimedelta(pass, value)) {
    const text = pass.text(value);
    pass.edits.replace(value, isOptional(pass, value) ? `${text}.total_seconds() if ${text} is not None else None` : `${text}.total_seconds()`);
  } else if (found === 'unknown' && value.kind !== 'none' && typeof constantOf(value, pass.file) !== 'number' && !isPlainNumber(pass, value))
    pass.mark('timeout-value', value, 'This limit is a number of seconds now; a `timedelta` fails only when the timer is set.');
}

type Found = 'done' | 'fine' | 'unknown';

/** Rewrites every `timedelta(…)` that the expression can come from. */
function seconds(pass: Pass, node: PyNode, seen: Set<Binding>): Found {
  const at = unwrap(node);
  if (isTimedelta(pass, at)) {
    const text = inSeconds(pass, at);
    if (text === undefined) pass.edits.insert(at.end, '.total_seconds()');
    else pass.edits.replace(at, text);
    return 'done';
  }
  if (at.kind === 'none' || at.kind === 'integer' || at.kind === 'float' || isTotal(pass, at)) return 'fine';
  if (at.kind === 'conditional_expression') {
    const arms = [at.children[0], at.children[2]].map((arm) => (arm ? seconds(pass, arm, seen) : 'fine'));
    return arms.includes('unknown') ? 'unknown' : arms.includes('done') ? 'done' : 'fine';
  }
  if (at.kind !== 'identifier') return 'unknown';
  const binding = pass.file.bindings.of(at);
  if (!binding || seen.has(binding)) return 'unknown';
  seen.add(binding);
  const values = binding.sites.map((site) => (site.how === 'assign' && site.path.length === 0 ? assignedValue(site.node) : undefined));
  if (values.length === 0 || values.some((value) => value === undefined) || !usedAsLimit(pass, binding)) return 'unknown';
  if (!values.some((value) => value && (makesTimedelta(pass, value) || isTotal(pass, value)))) return 'unknown';
  for (const value of values)
    if (value && seconds(pass, value, seen) === 'unknown' && typeof constantOf(value, pass.file) !== 'number' && !isPlainNumber(pass, value))
      pass.mark('timeout-value', value, 'This limit is a number of seconds now; a `timedelta` fails only when the timer is set.');
  pass.inSeconds.add(binding);
  return 'done';
}

/** `….total_seconds()`: a number already. */
const isTotal = (pass: Pass, node: PyNode): boolean => {
  const callee = node.kind === 'call' ? node.get('function') : undefined;
  return callee?.kind === 'attribute' && pass.text(callee.get('attribute') ?? callee) === 'total_seconds';
};

const makesTimedelta = (pass: Pass, value: PyNode): boolean => {
  const at = unwrap(value);
  if (at.kind === 'conditional_expression') return [at.children[0], at.children[2]].some((arm) => arm !== undefined && makesTimedelta(pass, arm));
  return isTimedelta(pass, at);
};

/** The variable is given to nothing else than time limits. */
const usedAsLimit = (pass: Pass, binding: Binding): boolean =>
  pass.usesOf(binding).every((use) => {
    const keyword = use.parent;
    const call = keyword?.kind === 'keyword_argument' ? keyword.parent?.parent : undefined;
    const name = keyword?.get('name');
    if (call?.kind === 'call' && name && /read_timeout_seconds$|^timeout$|^sse_read_timeout$/.test(pass.text(name))) return true;
    const list = use.parent?.kind === 'argument_list' ? use.parent.parent : undefined;
    return list?.kind === 'call' && calledName(list, pass.file) === 'ClientSession';
  });

/** A sum of literals is worked out; one expression in seconds is taken as it is. */
function inSeconds(pass: Pass, call: PyNode): string | undefined {
  const args = argumentsOf(call, pass.file);
  if (args.spread || args.splat) return undefined;
  const parts = [
    ...args.keywords.map(({ name, value }) => ({ name, value })),
    ...args.positional.map((value, index) => ({ name: index === 0 ? 'days' : 'seconds', value })),
  ];
  const [only] = parts;
  if (!only) return '0';
  // A name that may be a `timedelta` as well would look like one to the next reader, and to the next run.
  if (parts.length === 1 && only.name === 'seconds') return /\btimedelta\b/.test(declared(pass, only.value) ?? '') ? undefined : pass.text(only.value);
  let total = 0;
  for (const { name, value } of parts) {
    const number = constantOf(value, pass.file);
    const factor = SECONDS[name];
    if (typeof number !== 'number' || factor === undefined || value.kind === 'identifier') return undefined;
    total += number * factor;
  }
  return String(Number(total.toPrecision(12)));
}

function declared(pass: Pass, node: PyNode): string | undefined {
  const binding = node.kind === 'identifier' ? pass.file.bindings.of(node) : undefined;
  const [site] = binding?.sites ?? [];
  const annotation = site?.node.get('type');
  return annotation && pass.text(annotation);
}

/** Declared as a `timedelta`, or made as one under another name. */
function mayBeTimedelta(pass: Pass, node: PyNode): boolean {
  if (/\btimedelta\b/.test(declared(pass, node) ?? '')) return true;
  const binding = node.kind === 'identifier' ? pass.file.bindings.of(node) : undefined;
  return (binding?.sites ?? []).some((site) => {
    const value = site.how === 'assign' && site.path.length === 0 ? assignedValue(site.node) : undefined;
    return value !== undefined && makesTimedelta(pass, value);
  });
}

const isOptional = (pass: Pass, node: PyNode): boolean => {
  const text = declared(pass, node);
  return text === undefined || /\bNone\b|Optional/.test(text);
};

/** Declared as a number, or a variable that is given nothing but such names and numbers. */
function isPlainNumber(pass: Pass, node: PyNode, depth = 0): boolean {
  const type = declared(pass, node);
  if (type !== undefined) return /^(?:float|int)\b/.test(type) && !/\btimedelta\b/.test(type);
  if (node.kind === 'call' && /^(?:float|int|round)$/.test(pass.text(node.get('function') ?? node))) return true;
  const binding = node.kind === 'identifier' ? pass.file.bindings.of(node) : undefined;
  if (!binding || binding.sites.length === 0 || depth > 5) return false;
  return binding.sites.every((site) => {
    const value = site.how === 'assign' && site.path.length === 0 ? assignedValue(site.node) : undefined;
    return value !== undefined && (value.kind === 'none' || typeof constantOf(value, pass.file) === 'number' || isPlainNumber(pass, unwrap(value), depth + 1));
  });
}
