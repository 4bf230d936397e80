import type { Report } from '../../src/core/index.js';
import { argumentsOf, calledName, stringValue, valueAt, type PyNode, type PythonFile } from '../../src/languages/python/index.js';
import { nodesOf } from '../_mcp/python/nodes.js';
import { PROTECTED } from './state.js';
import type { Kind } from './python.js';

/** A value that another process does not have. */
const OWN = /\b(?:gethostname|getfqdn|getpid|uuid[14]|node\(\))|["'](?:HOSTNAME|POD_NAME|POD_UID|INSTANCE_ID|DYNO|FLY_MACHINE_ID|K_REVISION)["']/;
const RANDOM = /\b(?:token_bytes|token_hex|token_urlsafe|urandom|randbytes|generate_key|uuid4)\(/;

/** Keys and audience of `RequestStateSecurity` (`mcp` 2.x), and state that is put into an answer by hand. */
export function requestStates(file: PythonFile, report: Report<Kind>): void {
  if (!/request_?state/i.test(file.text)) return;
  const say = (kind: Kind, node: PyNode, data: Record<string, string> = {}): void => {
    report.finding(kind, node, { group: kind, certainty: 'likely', data });
  };
  for (const call of nodesOf(file, 'call')) {
    const name = calledName(call, file);
    const given = argumentsOf(call, file);
    if (name === 'RequestStateSecurity') {
      const keys = given.keyword('keys')?.value;
      if (keys && RANDOM.test(written(keys)) && !/environ|getenv/.test(written(keys))) say('process-key', keys);
    }
    if (name !== 'MCPServer' && name !== 'Server') continue;
    const called = given.positional[0] ?? given.keyword('name')?.value;
    if (called && OWN.test(written(called)) && !/\baudience\s*=/.test(file.text)) say('state-audience', called, { name: file.textOf(called) });
  }
  for (const pair of nodesOf(file, 'pair')) {
    const key = pair.get('key');
    const value = pair.get('value');
    if (!key || !value || stringValue(key, file) !== 'requestState') continue;
    const text = written(value);
    if (/json\.dumps\(|b64encode\(/.test(text) && !PROTECTED.test(text.replace(/b64encode\(|\.encode\(/g, ''))) say('open-state', pair);
  }

  /** The text of a value with that of the names that it is made of. */
  function written(node: PyNode): string {
    const names = nodesOf(file, 'identifier').filter((name) => name.start >= node.start && name.end <= node.end);
    const values = names.flatMap((name) => file.bindings.of(name)?.sites.flatMap((site) => valueAt(site) ?? []) ?? []);
    return [node, ...values].map((value) => file.textOf(value)).join(' ');
  }
}
