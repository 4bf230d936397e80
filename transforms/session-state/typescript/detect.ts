import { ts } from 'ts-morph';
import { type Detector, type Report, keyOf } from '../../../src/core/index.js';
import { declarationOf, eachNode, type TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { keptObjects } from '../../_mcp/typescript/facts/objects.js';
import { closureState } from '../../_mcp/typescript/facts/sessions.js';
import { isTelemetry } from '../../_mcp/typescript/telemetry.js';
import { isSessionId } from '../../_mcp/typescript/ids.js';
import { calledMember, nameText, receiverOf, unwrap } from '../../_mcp/typescript/nodes.js';
import { heldBy, transportValue } from '../../_mcp/typescript/sdk.js';
import { sessionCode } from '../../_mcp/typescript/sessions.js';
import { sessionStores } from '../../_mcp/typescript/stores.js';
import { sharedClientData } from './client-data.js';
import { keptCredentials } from './credentials.js';
import { isServedBy } from '../../_mcp/typescript/served.js';
import { passes, refusals, sharedKeys } from './policy.js';
import { eventSchemas, labels } from './uses.js';
import { purposeOf, storeName } from './purpose.js';

export type Kind =
  | 'keyed-store'
  | 'weak-store'
  | 'closure-variable'
  | 'live-resource'
  | 'policy-key'
  | 'required-session'
  | 'unchecked-caller'
  | 'shared-key'
  | 'credential-cache'
  | 'capability-cache'
  | 'telemetry-label'
  | 'required-in-schema';

/** Finds what is kept, decided or labelled by session; live transports and servers are another concern's matter. */
export const typescript: Detector<'typescript', Kind> = (file, report, around) => ({
  end() {
    keyedStores(file, report, (path) => around.has(path));
    weakStores(file, report);
    for (const cache of keptCredentials(file))
      report.finding('credential-cache', file.span(cache.write), {
        group: `${file.path}#${cache.name}`,
        certainty: 'likely',
        related: cache.reads.map((read) => file.site(read, 'trusted here')),
        evidence: [`a function that is given a session id and \`${cache.credential}\` stores what it made of them by that id`],
        data: { name: cache.name },
      });
    for (const { node, declaration } of closureState(file)) {
      report.finding('closure-variable', file.span(node), {
        group: `${file.path}#${declaration.name}`,
        certainty: 'likely',
        evidence: ['it is declared where the server is built, and a handler of that server changes it'],
        data: { name: nameText(ts.isVariableDeclaration(node) ? node.name : undefined) ?? declaration.name, holder: 'server' },
      });
    }
    // Whether the class remembers anything is known when all files are.
    for (const { node, name, of } of keptObjects(file, (path) => around.has(path)))
      report.finding('closure-variable', file.span(node), {
        group: `${file.path}#${name}`,
        certainty: 'likely',
        evidence: ['it is made where the server is built, handlers use it, and methods of its class change its fields'],
        data: { name, holder: 'server', of: keyOf(of) },
      });
    for (const cache of sharedClientData(file))
      report.finding('capability-cache', file.span(cache.node), {
        group: `${file.path}#${cache.name}`,
        certainty: 'likely',
        ...(cache.call === 'logging/setLevel' ? { impact: 'degrades' as const } : {}),
        evidence: ['it is declared at module level, so it lives longer than the request'],
        data: { name: cache.name, call: cache.call, reject: 'shared-capabilities' },
      });
    for (const refusal of refusals(file))
      report.finding('required-session', file.span(refusal.node), {
        group: 'required-session',
        certainty: refusal.certain ? 'certain' : 'likely',
        evidence: [refusal.evidence],
        data: { name: refusal.id },
      });
    for (const pass of passes(file))
      report.finding('unchecked-caller', file.span(pass.node), {
        group: 'unchecked-caller',
        certainty: pass.certain ? 'certain' : 'likely',
        evidence: [pass.evidence],
        data: { name: pass.id },
      });
    for (const key of sharedKeys(file))
      report.finding('shared-key', file.span(key.node), {
        group: 'shared-key',
        certainty: 'likely',
        ...(key.limits ? { category: 'policy' as const } : {}),
        evidence: [key.limits ? 'the function around limits or refuses callers' : 'entries are found by it'],
        data: { name: key.value },
      });
    for (const label of labels(file))
      report.finding('telemetry-label', file.span(label.node), {
        group: 'telemetry',
        evidence: [label.evidence],
        data: { name: label.name, ...(label.metric === undefined ? {} : { metric: label.metric }) },
      });
    for (const schema of eventSchemas(file)) {
      const silent = schema.silent === undefined ? [] : [`events that fail are dropped without a word on line ${file.site(schema.silent).line}`];
      report.finding('required-in-schema', file.span(schema.node), {
        group: 'telemetry',
        certainty: 'likely',
        related: schema.silent === undefined ? [] : [file.site(schema.silent, 'dropped here')],
        evidence: ['the field is a string that may not be absent', ...silent],
        data: { name: schema.field, metric: schema.event },
      });
    }
  },
});

function keyedStores(file: TypeScriptFile, report: Report<Kind>, has: (path: string) => boolean): void {
  for (const store of sessionStores(file, has)) {
    if (!store.keyed || store.holds === 'transport' || store.holds === 'server') continue;
    const at = store.declared ?? store.accesses[0];
    if (at === undefined) continue;
    const uses = store.accesses.filter((access) => isSessionId(keyOfAccess(access) ?? access, file));
    if (uses.length === 0 || uses.every((access) => isTelemetry(access, file)) || uses.some((access) => isServedBy(access, file))) continue;
    const purpose = purposeOf(store, file);
    const name = storeName(store);
    const elsewhere = store.declared === undefined;
    report.finding(purpose.kind, file.span(at), {
      group: `${store.symbol.file}#${store.symbol.name}`,
      certainty: elsewhere || store.holds === 'unknown' ? 'likely' : 'certain',
      related: uses.filter((use) => use !== at).map((use) => file.site(use, 'by session id')),
      evidence: [purpose.evidence, ...(store.cleaned ? ['entries are removed somewhere; that moment goes with the session'] : ['no entry is ever removed'])],
      data: { name },
    });
  }
}

/** Key of an access: `m[key]`, `m.get(key)`. */
const keyOfAccess = (access: ts.Node): ts.Node | undefined =>
  ts.isElementAccessExpression(access) ? access.argumentExpression : ts.isCallExpression(access) ? access.arguments[0] : undefined;

/** `WeakMap` and `Map` whose keys are server or transport objects. */
function weakStores(file: TypeScriptFile, report: Report<Kind>): void {
  const seen = new Set<ts.Node>();
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node)) return;
    const method = calledMember(node);
    const receiver = receiverOf(node);
    const key = node.arguments[0];
    if (receiver === undefined || key === undefined || !ts.isIdentifier(receiver) || !['get', 'set', 'has', 'delete'].includes(method ?? '')) return;
    const holder = declarationOf(receiver, file)?.node;
    if (
      holder === undefined ||
      !ts.isVariableDeclaration(holder) ||
      seen.has(holder) ||
      !/^new (?:Weak)?Map\b/.test(holder.initializer?.getText(file.tree) ?? '')
    )
      return;
    if (!isLiveObject(key, file)) return;
    seen.add(holder);
    report.finding('weak-store', file.span(holder), {
      group: `${file.path}#${receiver.text}`,
      evidence: [`it is keyed by ${unwrap(key).getText(file.tree)}, an SDK object that lives as long as a session`],
      related: [file.site(node, 'used here')],
      data: { name: receiver.text },
    });
  });
}

/** An SDK server or transport, by construction or annotation. */
function isLiveObject(key: ts.Node, file: TypeScriptFile): boolean {
  const value = unwrap(key);
  if (transportValue(value, file) !== undefined) return true;
  if (!ts.isIdentifier(value)) return false;
  const node = declarationOf(value, file)?.node;
  if (node === undefined || !(ts.isVariableDeclaration(node) || ts.isParameter(node))) return false;
  if (heldBy(node.type, file) !== undefined) return true;
  const made = node.initializer === undefined ? undefined : unwrap(node.initializer);
  return made !== undefined && sessionCode(file).servers.some((server) => server.node === made);
}
