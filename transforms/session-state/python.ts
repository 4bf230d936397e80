import type { Detector } from '../../src/core/index.js';
import { above, argumentsOf, calledName, enclosingFunction, functionRef, stringValue, valueAt, type PyNode } from '../../src/languages/python/index.js';
import { hasOwnPackage, lastNameOf, nodesOf, receiverOf } from '../_mcp/python/nodes.js';
import { relationOf } from '../_mcp/python/paths.js';
import { sdkTypesOf } from '../_mcp/python/types.js';
import { reportApplicationSessions } from './application.js';
import { keyedByHeader } from './python-keyed.js';

export type Kind =
  | 'keyed-store'
  | 'live-resource'
  | 'policy-key'
  | 'credential-cache'
  | 'required-session'
  | 'unchecked-caller'
  | 'shared-key'
  | 'weak-store'
  | 'telemetry-label'
  | 'lifespan-state';

const HANDED = /(?:^|[._])(?:ctx|context|request_context)\.session$/;
const ASKED = /^getattr\(\s*(?:\w+\.)*_?(?:ctx|context|request_context),\s*["']session["']/;
const SESSION = /^(?:server_|mcp_|upstream_)?session$/;
const CONTEXT = /^(?:_?ctx|_?context|mcp_context|context_proxy)\d*$/;
const HOLDS: ReadonlySet<string> = new Set(['add', 'append', 'discard', 'remove', 'setdefault', 'get', 'pop']);
const STORE = /(?:^|[._])(?:\w*store|cache|registry|state|sessions|by_session)$/i;
const CHANGES: ReadonlySet<string> = new Set(['append', 'add', 'extend', 'insert', 'update', 'setdefault', 'pop', 'remove', 'discard', 'clear', '__setitem__']);
/** An attribute of a span or a field of a log record, by its name. */
const LABELLED = /^\w*(?:attr(?:ibute)?s|labels|tags|extra|fields)\[["'][\w.]*session[._]id["']\]\s*=/i;
const LOGS = /^(?:debug|info|warning|error|exception|critical|log|print|set_attribute|bind|format)$/;

/** State that hangs on the session in Python: keyed by the session object or its id, kept by the framework, made by the lifespan. */
export const python: Detector<'python', Kind> = (file, report, around) => ({
  end() {
    const relation = relationOf(file);
    if (!hasOwnPackage(file, around)) reportApplicationSessions(file, report);
    if (!hasOwnPackage(file, around)) keyedByHeader(file, report);
    if ((!relation.sdk && !relation.framework) || hasOwnPackage(file, around)) return;
    const say = (kind: Kind, node: PyNode, name: string, certain = true): void => {
      const fn = enclosingFunction(node);
      if (kind === 'keyed-store' || kind === 'weak-store')
        report.fact({
          type: 'state',
          site: file.site(node),
          ...(fn ? { within: functionRef(fn, file) } : {}),
          form: kind === 'weak-store' ? 'weak' : 'keyed',
          category: 'state',
        });
      report.finding(kind, node, { group: `${name} in Python`, certainty: certain ? 'certain' : 'likely', data: { name } });
    };
    const heldWeakly = relation.sdk && /\bWeak(?:KeyDictionary|Set)\b/.test(file.text) && /\.session\b|\bServerSession\b/.test(file.text);
    /** The session object of a request: `ctx.session`, or what is annotated as one. */
    const isSession = (node: PyNode | undefined): boolean => {
      if (!node) return false;
      if (sdkTypesOf(node, file).some(({ name }) => name === 'mcp.server.session.ServerSession')) return true;
      if (HANDED.test(file.textOf(node))) return true;
      if (node.kind !== 'identifier') return false;
      // A name that was given the session before, or that is called one where containers hold sessions weakly.
      const values = file.bindings.of(node)?.sites.flatMap((site) => valueAt(site) ?? []) ?? [];
      return values.some((value) => HANDED.test(file.textOf(value)) || ASKED.test(file.textOf(value))) || (heldWeakly && SESSION.test(file.textOf(node)));
    };
    const isIdentity = (node: PyNode | undefined): boolean =>
      node?.kind === 'call' &&
      calledName(node, file) === 'id' &&
      node.get('function')?.kind === 'identifier' &&
      isSession(argumentsOf(node, file).positional[0]);
    const holders = new Set<string>();
    for (const node of nodesOf(file, 'subscript')) {
      const holder = node.get('value');
      const [key] = node.all('subscript');
      if (holder && (isSession(key) || isIdentity(key))) {
        say('weak-store', node, file.textOf(holder));
        holders.add(file.textOf(holder));
      }
    }
    for (const call of nodesOf(file, 'call')) {
      const method = calledName(call, file);
      const receiver = receiverOf(call);
      const [first, second] = argumentsOf(call, file).positional;
      if (method === undefined) continue;
      if (receiver && HOLDS.has(method) && (isSession(first) || isIdentity(first) || (method === 'append' && isSession(second))))
        say('weak-store', call, file.textOf(receiver));
      // `store.all_for(ctx.session)`: whatever it is, it finds something by the session.
      else if (receiver && first && isSession(first) && STORE.test(file.textOf(receiver))) say('keyed-store', call, file.textOf(receiver), false);
      else if (method === 'WeakKeyDictionary' || method === 'WeakSet') weak(call, call);
      else if (receiver && (method === 'set_state' || method === 'get_state' || method === 'delete_state') && isContext(receiver))
        say('keyed-store', call, `${method} of the context`, relation.framework);
      if (isIdentity(call) && call.parent?.kind === 'assignment') say('weak-store', call, file.textOf(call.parent.get('left') ?? call));
      else if (method === 'getattr' && first && second && stringValue(second, file) === 'session_id' && isContext(first)) telemetry(call);
    }
    for (const kind of ['generic_type', 'subscript'])
      for (const node of nodesOf(file, kind))
        if (/^(?:\w+\.)?Weak(?:KeyDictionary|Set)\b/.test(file.textOf(node)) && file.textOf(node).includes('ServerSession'))
          say('weak-store', node, file.textOf(node));
    for (const node of nodesOf(file, 'attribute')) {
      const name = file.textOf(node.get('attribute') ?? node);
      const object = node.get('object');
      if (!object) continue;
      if (name === 'lifespan_context' && node.parent?.kind !== 'keyword_argument') lifespan(node, object);
      else if (name === 'session_id' && isContext(object)) telemetry(node);
    }
    function isContext(node: PyNode): boolean {
      const types = sdkTypesOf(node, file).map((type) => type.name);
      if (types.some((type) => type.endsWith('.Context'))) return true;
      const plain = node.kind === 'identifier' || /^self\.\w+$/.test(file.textOf(node));
      return types.length === 0 && plain && CONTEXT.test(lastNameOf(node, file) ?? '') && !relation.other;
    }
    /** What a handler changes in there belongs to nobody in particular: callers see one another's. */
    function lifespan(node: PyNode, object: PyNode): void {
      const member = node.parent?.kind === 'subscript' || node.parent?.kind === 'attribute' ? node.parent : undefined;
      const use = member?.parent;
      const method = use?.kind === 'attribute' && member?.field === 'object' ? file.textOf(use.get('attribute') ?? use) : undefined;
      const changed = (method !== undefined && use?.parent?.kind === 'call' && CHANGES.has(method)) || (use?.kind === 'assignment' && member?.field === 'left');
      const sure = /request_context$|ctx$|context$/.test(file.textOf(object));
      report.finding('lifespan-state', node, {
        group: 'lifespan_context in Python',
        certainty: sure ? 'certain' : 'likely',
        ...(changed ? { impact: 'breaks' as const, category: 'state' as const, evidence: ['the handler changes it'] } : {}),
        data: { name: member ? file.textOf(member) : 'lifespan_context' },
      });
    }
    function weak(call: PyNode, at: PyNode): void {
      const holder = call.parent?.kind === 'assignment' ? call.parent.get('left') : undefined;
      if (/session/i.test(file.textOf(call.parent ?? call)) || (holder && holders.has(file.textOf(holder))))
        say('weak-store', at, holder ? file.textOf(holder) : 'a weak container', false);
    }
    /** An id that only labels a log line is no state; every other use of it keeps or finds something. */
    function telemetry(node: PyNode): void {
      const compared = node.parent?.kind === 'comparison_operator' && /\bis (?:not )?None$/.test(file.textOf(node.parent));
      const guarded = compared ? above(node, ({ kind }) => kind === 'if_statement')?.get('consequence') : undefined;
      // Asked only whether it is there: what is done with it then says what it is for.
      if (guarded && file.textOf(guarded).includes(file.textOf(node))) return;
      if (LABELLED.test(file.textOf(node.parent ?? node)) && node.parent?.kind === 'assignment') return say('telemetry-label', node, file.textOf(node));
      let at: PyNode | undefined = node;
      for (let up = 0; at && up < 6; up++, at = at.parent)
        if (at.kind === 'call' && LOGS.test(calledName(at, file) ?? '')) return say('telemetry-label', node, file.textOf(node));
      say('keyed-store', node, file.textOf(node));
    }
  },
});
