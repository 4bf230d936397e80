import type { Report } from '../../src/core/index.js';
import {
  above,
  argumentsOf,
  calledName,
  enclosingFunction,
  functionRef,
  isFunction,
  stringValue,
  valueAt,
  type PyNode,
  type PythonFile,
} from '../../src/languages/python/index.js';
import { headerRead, isSessionId } from '../_mcp/python/ids.js';
import { nodesOf, receiverOf } from '../_mcp/python/nodes.js';
import { CREDENTIAL, LIMITS, POLICY, REFUSES, RESOURCE } from './words.js';
import type { Kind } from './python.js';

const FINDS: ReadonlySet<string> = new Set(['get', 'setdefault', 'pop', 'add', 'discard', 'remove', 'hit', 'incr', 'consume', 'test']);
const LOGS = /^(?:debug|info|warning|warn|error|exception|critical|log|set_attribute|bind|labels|inc)$/;
/** Transports and streams by session are the matter of the server's own plumbing. */
const PLUMBING = /transport|server_instances|_?streams?$|writers?$/i;
const ALLOWS = /^\s*return (?:True|await call_next\(|call_next\()/m;
const DECIDES =
  /^_*(?:allow|can_|may_|permit|authori[sz]e|is_(?:allowed|permitted|authori[sz]ed)|check_(?:access|quota|limit|rate|permission|policy)|enforce)/i;

/** What Python code keeps, decides or labels by the id that it read from the session header: told apart by purpose. */
export function keyedByHeader(file: PythonFile, report: Report<Kind>): void {
  if (!/session.?id/i.test(file.text)) return;
  const told = new Set<string>();
  const labelled = new Set<PyNode | undefined>();
  for (const node of ['identifier', 'call', 'subscript', 'boolean_operator'].flatMap((kind) => nodesOf(file, kind))) {
    if (isSessionId(node, file)) use(node);
  }
  for (const node of nodesOf(file, 'if_statement')) missing(node);

  function say(kind: Kind, node: PyNode, name: string, evidence: string, more: { readonly category?: 'policy' } = {}): void {
    const key = `${kind} ${String(node.start)}`;
    if (told.has(key)) return;
    told.add(key);
    report.finding(kind, node, {
      group: `${kind === 'telemetry-label' ? 'labels' : name} in Python`,
      certainty: 'likely',
      evidence: [evidence],
      data: { name },
      ...more,
    });
  }

  function use(node: PyNode): void {
    const store = storeOf(node);
    if (store !== undefined) {
      keep(store, node);
      const common = fallbackOf(node);
      if (common !== undefined) shared(common.node, common.value);
    }
    const log = above(node, ({ kind }) => kind === 'call' || kind.endsWith('_statement'));
    const fn = enclosingFunction(node);
    // One label tells of the others of its function.
    if (store !== undefined || node.kind !== 'identifier' || log?.kind !== 'call' || !LOGS.test(calledName(log, file) ?? '') || labelled.has(fn)) return;
    labelled.add(fn);
    say('telemetry-label', node, 'session id', `it is an argument of \`${file.textOf(log.get('function') ?? log)}\``);
  }

  /** What is found by the id: `store[id]`, `store.get(id)`, `id in store`. */
  function storeOf(node: PyNode): PyNode | undefined {
    const { parent } = node;
    if (parent?.kind === 'subscript' && node.field === 'subscript') return parent.get('value');
    if (parent?.kind === 'comparison_operator' && /\b(?:not )?in\b/.test(file.textOf(parent)) && parent.children[0] === node) return parent.children[1];
    if (parent?.kind !== 'argument_list' || parent.parent?.kind !== 'call' || argumentsOf(parent.parent, file).positional[0] !== node) return undefined;
    return FINDS.has(calledName(parent.parent, file) ?? '') ? receiverOf(parent.parent) : undefined;
  }

  function keep(store: PyNode, key: PyNode): void {
    const name = file.textOf(store);
    if (PLUMBING.test(name) || /headers$|environ$/.test(name)) return;
    const fn = enclosingFunction(key);
    const at = declared(store) ?? store;
    const purpose = purposeOf(name, at, fn);
    if (!told.has(`${purpose.kind} ${String(at.start)}`) && (purpose.kind === 'keyed-store' || purpose.kind === 'live-resource'))
      report.fact({ type: 'state', site: file.site(store), ...(fn ? { within: functionRef(fn, file) } : {}), form: 'keyed', category: 'state' });
    say(purpose.kind, at, name, purpose.evidence);
  }

  function purposeOf(name: string, at: PyNode, fn: PyNode | undefined): { readonly kind: Kind; readonly evidence: string } {
    const made = file.textOf(at);
    const credential = CREDENTIAL.exec(name);
    if (credential !== null) return { kind: 'credential-cache', evidence: `"${credential[0]}" names a credential or an identity` };
    const resource = RESOURCE.exec(name) ?? /\b(?:Browser|Page|Popen|Process|WebSocket|Connection|Session|Container)\b/.exec(made);
    if (resource !== null) return { kind: 'live-resource', evidence: `"${resource[0]}" names something that must be closed` };
    const policy = POLICY.exec(name);
    if (policy !== null) return { kind: 'policy-key', evidence: `"${policy[0]}" names a limit or a permission` };
    for (const branch of fn === undefined ? [] : nodesOf(file, 'if_statement').filter((node) => node.start > fn.start && node.end <= fn.end)) {
      const condition = file.textOf(branch.get('condition') ?? branch);
      const then = file.textOf(branch.get('consequence') ?? branch);
      if (!condition.includes(name)) continue;
      const limit = LIMITS.exec(then);
      if (limit !== null) return { kind: 'policy-key', evidence: `who exceeds it is refused ("${limit[0]}")` };
      if (/[!=]=/.test(condition) && REFUSES.test(then))
        return { kind: 'credential-cache', evidence: 'its entry is compared with the caller, who is refused when they differ' };
    }
    return { kind: 'keyed-store', evidence: 'its entries are read or written by the id of the session header' };
  }

  /** Where a store is made: `store = {}`, `self.store = {}`. */
  function declared(store: PyNode): PyNode | undefined {
    const name = file.textOf(store);
    if (store.kind === 'identifier') return file.bindings.of(store)?.sites.find((site) => site.how === 'assign' && site.path.length === 0)?.node;
    return nodesOf(file, 'assignment').find((node) => node.get('left')?.kind === 'attribute' && file.textOf(node.get('left') ?? node) === name);
  }

  /** The default of `headers.get(name, "unknown")` or of `id or "unknown"`, here or where the name was given its value. */
  function fallbackOf(node: PyNode): { readonly node: PyNode; readonly value: string } | undefined {
    const values = [node, ...(node.kind === 'identifier' ? (file.bindings.of(node)?.sites.flatMap((site) => valueAt(site) ?? []) ?? []) : [])];
    for (const value of values) {
      const last =
        value.kind === 'call' && headerRead(value, file)
          ? argumentsOf(value, file).positional[1]
          : value.kind === 'boolean_operator'
            ? value.get('right')
            : undefined;
      const text = last && stringValue(last, file);
      if (text !== undefined && text !== '') return { node: value, value: text };
    }
    return undefined;
  }

  function shared(node: PyNode, value: string): void {
    const fn = enclosingFunction(node);
    const limits = fn !== undefined && LIMITS.test(file.textOf(fn));
    say('shared-key', node, value, limits ? 'the function around limits callers' : 'entries are found by it', limits ? { category: 'policy' } : {});
  }

  /** `if not session_id:` and what happens to a caller without one. */
  function missing(branch: PyNode): void {
    const condition = branch.get('condition');
    const then = branch.get('consequence');
    const tested =
      condition?.kind === 'not_operator'
        ? condition.get('argument')
        : condition?.kind === 'comparison_operator' && /\bis None$/.test(file.textOf(condition))
          ? condition.children[0]
          : undefined;
    if (!condition || !then || !tested || !isSessionId(tested, file)) return;
    const fn = above(branch, (node) => isFunction(node));
    const name = file.textOf(tested);
    const answer = file.textOf(then);
    if (REFUSES.test(answer) || /["']allow(?:ed)?["']:\s*False|\ballow(?:ed)?=False/.test(answer))
      return say('required-session', condition, name, `without \`${name}\` the caller is refused`);
    const rest = fn === undefined ? '' : file.text.slice(branch.end, fn.end);
    const strict = REFUSES.test(rest) || LIMITS.test(rest) || (fn !== undefined && DECIDES.test(file.textOf(fn.get('name') ?? fn)));
    if (ALLOWS.test(answer) && strict) say('unchecked-caller', condition, name, `without \`${name}\` nothing behind is checked`);
  }
}
