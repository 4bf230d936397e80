import { argumentsOf, eachNode, importedNames, originsOf, valueAt, type PyNode } from '../../../src/languages/python/index.js';
import { nodesOf } from '../../_mcp/python/nodes.js';
import { isSdkName } from '../../_mcp/python/paths.js';
import type { Scene } from './scene.js';

const OLD = 'mcp.client.streamable_http.streamablehttp_client';
const TIMEOUTS: ReadonlySet<string> = new Set(['read_timeout_seconds', 'request_read_timeout_seconds', 'sse_read_timeout']);

/** True for a call of `datetime.timedelta`. */
export const isTimedelta = (node: PyNode, file: Scene['file']): boolean => {
  const callee = node.kind === 'call' ? node.get('function') : undefined;
  return callee !== undefined && originsOf(callee, file).some(({ path }) => path === 'datetime.timedelta');
};

/** Limits of calls and sessions, which are numbers in SDK v2: where they are given, made, expected and imported. */
export function detectTimeouts(scene: Scene): void {
  const told: PyNode[] = [];
  for (const call of nodesOf(scene.file, 'call')) {
    const callee = call.get('function');
    if (callee) given(call, callee, scene, told);
  }
  expected(scene, told);
  imported(scene, told);
}

function given(call: PyNode, callee: PyNode, { file, relation, say }: Scene, told: PyNode[]): void {
  if (isSdkName(callee, file, OLD)) return;
  for (const keyword of argumentsOf(call, file).keywords) {
    if (!TIMEOUTS.has(keyword.name)) continue;
    if (!relation.sdk && !/session|client/i.test(file.textOf(callee))) continue;
    const value = file.textOf(keyword.value);
    if (/^[\d.]+$|^None$/.test(value)) continue;
    const at = { start: callee.start, end: keyword.node.end };
    say('timeout-value', at, { form: value.slice(0, 60) }, isTimedelta(keyword.value, file) ? {} : { certainty: 'likely' });
    told.push(...deltasIn(keyword.value, file));
    // The place that makes it is where it changes.
    const binding = keyword.value.kind === 'identifier' ? file.bindings.of(keyword.value) : undefined;
    for (const site of binding?.sites ?? []) {
      const made = valueAt(site);
      const deltas = made ? deltasIn(made, file) : [];
      if (!made || deltas.length === 0) continue;
      say('timeout-value', made, { form: file.textOf(made).slice(0, 60) }, { certainty: 'likely' });
      told.push(...deltas);
    }
  }
}

/** Tests that expect the limit of a call to be a `timedelta`. */
function expected({ file, say }: Scene, told: PyNode[]): void {
  if (!/\btimedelta\b/.test(file.text)) return;
  for (const comparison of nodesOf(file, 'comparison_operator')) {
    if (comparison.parent?.kind !== 'assert_statement' || !/\blimits?\b|read_timeout/i.test(file.textOf(comparison))) continue;
    const deltas = deltasIn(comparison, file);
    if (deltas[0]) say('timeout-value', deltas[0], { form: file.textOf(deltas[0]), expected: true }, { certainty: 'possible' });
    told.push(...deltas);
  }
}

/** The import of a `timedelta` that serves nothing but such limits goes with them. */
function imported({ file, say }: Scene, told: readonly PyNode[]): void {
  if (told.length === 0) return;
  for (const { module, name, local, node } of importedNames(file)) {
    if (module !== 'datetime' || name !== 'timedelta' || local === undefined) continue;
    const binding = file.bindings.root.names.get(local);
    const uses = binding ? file.bindings.usesOf(binding) : [];
    if (uses.length > 0 && uses.every((use) => told.some(({ start, end }) => use.start >= start && use.end <= end)))
      say('timeout-value', node, { form: file.textOf(node) }, { certainty: 'likely', impact: 'tidies' });
  }
}

function deltasIn(node: PyNode, file: Scene['file']): readonly PyNode[] {
  const found: PyNode[] = [];
  eachNode(node, (at) => {
    if (isTimedelta(at, file)) found.push(at);
    return undefined;
  });
  return found;
}
