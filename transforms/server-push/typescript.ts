import { ts } from 'ts-morph';
import type { Certainty, Detector, Report } from '../../src/core/index.js';
import { constantOf, declarationOf, enclosingFunction, instanceOrigin, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { canonical } from '../_mcp/canonical.js';
import { pushOf } from '../_mcp/typescript/facts/push.js';
import { dialectOf, speaksMcp } from '../_mcp/typescript/dialect.js';
import { calledMember, isFunctionNode, nameText, receiverOf, unwrap, wrapped } from '../_mcp/typescript/nodes.js';
import { insideHandler } from '../_mcp/typescript/registrations.js';
import { readOptions } from '../_mcp/typescript/options.js';
import { sdkName, typeNames } from '../_mcp/typescript/sdk.js';
import { sessionCode } from '../_mcp/typescript/sessions.js';
import { takenMethod } from '../_mcp/typescript/taken.js';
import { throughRequest } from './through-request.js';

type Kind =
  | 'elicitation'
  | 'sampling'
  | 'roots'
  | 'server-request'
  | 'ping'
  | 'log-message'
  | 'log-opt-in'
  | 'log-level-handler'
  | 'list-change'
  | 'resource-update'
  | 'resource-subscription'
  | 'instance-progress'
  | 'subscribe-capability'
  | 'json-mode-loss'
  | 'invented-progress-token';
type Push = NonNullable<ReturnType<typeof pushOf>>;

const KINDS: Readonly<Partial<Record<Push['what'], Kind>>> = {
  elicitation: 'elicitation',
  sampling: 'sampling',
  roots: 'roots',
  request: 'server-request',
  ping: 'ping',
  logging: 'log-message',
  'list-changed': 'list-change',
  'resource-updated': 'resource-update',
};

/** Features of the deprecation registry by what is pushed. */
const DEPRECATED: Readonly<Partial<Record<Push['what'], string>>> = { sampling: 'sampling', roots: 'roots', logging: 'logging' };

/** Handlers of removed methods, by v1 schema name and by v2 method. */
const HANDLERS: Readonly<Record<string, { readonly kind: Kind; readonly what: Push['what'] }>> = {
  SetLevelRequestSchema: { kind: 'log-level-handler', what: 'logging' },
  'logging/setLevel': { kind: 'log-level-handler', what: 'logging' },
  SubscribeRequestSchema: { kind: 'resource-subscription', what: 'resource-updated' },
  UnsubscribeRequestSchema: { kind: 'resource-subscription', what: 'resource-updated' },
  'resources/subscribe': { kind: 'resource-subscription', what: 'resource-updated' },
  'resources/unsubscribe': { kind: 'resource-subscription', what: 'resource-updated' },
};

/** Reports every push of the files that use the SDK, by what the `_mcp` recogniser says about the call. */
export const typescript: Detector<'typescript', Kind> = (file, report) => ({
  PropertyAssignment(node) {
    // Declared by a server and by the tests of one; a client has no such capability.
    if (node.initializer.kind !== ts.SyntaxKind.TrueKeyword || nameText(node.name) !== 'subscribe') return;
    const outer = wrapped(node.parent).parent;
    if (ts.isPropertyAssignment(outer) && /^(?:resources|tools)$/.test(nameText(outer.name) ?? '') && speaksMcp(file))
      report.finding('subscribe-capability', file.span(node), { group: 'capabilities' });
  },
  CallExpression(call) {
    if (!sessionCode(file).sdk && dialectOf(file).framework === undefined) return;
    const name = calledMember(call) ?? takenMethod(call, file)?.method ?? unwrap(call.expression).getText(file.tree);
    const handler = name === 'setRequestHandler' ? handledMethod(call, file) : undefined;
    if (handler !== undefined) {
      report.finding(handler.kind, file.span(call.arguments[0] ?? call), {
        group: handler.what,
        data: { call: handler.method, what: handler.what, ...deprecation(handler.what) },
      });
      return;
    }
    const push = pushOf(call, file) ?? toggleOf(call, name, file);
    if (push?.through === 'request' && (push.what === 'progress' || push.what === 'logging' || push.what === 'notification'))
      lost(call, push, name, file, report);
    const kind = push && kindOf(push, name);
    if (push === undefined || kind === undefined || (TOGGLES.has(name) && !insideHandler(call))) return;
    const before = kind === 'elicitation' || kind === 'sampling' || kind === 'roots' ? effectsBefore(call, file) : [];
    report.finding(kind, file.span(call), {
      group: push.what,
      certainty: certaintyOf(call, push, file),
      evidence: [
        evidenceOf(call, push),
        ...before.map((node) => `line ${file.site(node).line} waits for something before the question: it runs again with every round`),
      ],
      related: before.map((node) => file.site(node, 'runs again')),
      data: {
        call: name,
        what: push.what,
        through: push.through,
        handler: isHandlerStatement(call),
        before: before.length,
        ...(throughRequest(call, file) === undefined ? {} : { context: true }),
        ...deprecation(push.what),
      },
    });
  },
});

/** Notifications of a request that its answer cannot carry, and progress that matches no request. */
function lost(call: ts.CallExpression, push: Push, name: string, file: TypeScriptFile, report: Report<Kind>): void {
  const json = sessionCode(file).transports.find(({ options }) => options.values.get('enableJsonResponse')?.kind === ts.SyntaxKind.TrueKeyword);
  if (json !== undefined)
    report.finding('json-mode-loss', file.span(call), {
      group: 'json mode',
      related: [file.site(json.node, 'answers in JSON')],
      data: { call: name, what: push.what },
    });
  const params = readOptions(call.arguments[0], file).values.get('params');
  const token = params === undefined ? undefined : readOptions(params, file).values.get('progressToken');
  if (token !== undefined && constantOf(token, file) !== undefined) report.finding('invented-progress-token', file.span(token), { group: 'progress token' });
}

const REGISTERED: ReadonlySet<string> = new Set(['RegisteredTool', 'RegisteredResource', 'RegisteredResourceTemplate', 'RegisteredPrompt']);

/** `tool.enable()` inside a handler, where the tool comes out of a value whose type names an SDK registration. */
function toggleOf(call: ts.CallExpression, name: string, file: TypeScriptFile): Push | undefined {
  const receiver = receiverOf(call);
  if (receiver === undefined || !TOGGLES.has(name) || !insideHandler(call)) return undefined;
  let root = rootOf(receiver);
  for (let steps = 0; steps < 3 && root !== undefined; steps++) {
    const node: ts.Node | undefined = declarationOf(root, file)?.node;
    if (node === undefined || !(ts.isVariableDeclaration(node) || ts.isParameter(node))) return undefined;
    if (node.type !== undefined)
      return typeNames(node.type).some((type) => REGISTERED.has(sdkName(type, file) ?? '')) ? { what: 'list-changed', through: 'instance' } : undefined;
    const loop = node.parent.parent;
    root = rootOf(ts.isForOfStatement(loop) ? loop.expression : ts.isVariableDeclaration(node) ? node.initializer : undefined);
  }
  return undefined;
}

/** The variable that an expression starts from: `deferred[name] ?? []` starts from `deferred`. */
function rootOf(node: ts.Node | undefined): ts.Identifier | undefined {
  let current = node === undefined ? undefined : unwrap(node);
  while (current !== undefined && !ts.isIdentifier(current)) {
    if (ts.isPropertyAccessExpression(current) || ts.isElementAccessExpression(current) || ts.isCallExpression(current)) current = unwrap(current.expression);
    else if (ts.isBinaryExpression(current)) current = unwrap(current.left);
    else return undefined;
  }
  return current;
}

/** Methods of a registration; called while the server is built they only set it up, and no client hears of it. */
const TOGGLES: ReadonlySet<string> = new Set(['enable', 'disable', 'update', 'remove']);

const deprecation = (what: Push['what']): { readonly deprecated?: string } => {
  const id = DEPRECATED[what];
  return id === undefined ? {} : { deprecated: id };
};

function kindOf(push: Push, name: string): Kind | undefined {
  if (push.what === 'progress') return push.through === 'instance' ? 'instance-progress' : undefined;
  // The context's own logger looks at the level that the request carries: it is the cure.
  if (push.what === 'logging' && push.through === 'request' && name === 'log') return 'log-opt-in';
  return KINDS[push.what];
}

/** Method of a handler for a removed request, in the spelling of either SDK. */
function handledMethod(
  call: ts.CallExpression,
  file: TypeScriptFile,
): { readonly kind: Kind; readonly what: Push['what']; readonly method: string } | undefined {
  const first = call.arguments[0];
  if (first === undefined) return undefined;
  const constant = constantOf(first, file);
  const named = unwrap(first);
  const method = typeof constant === 'string' ? constant : (sdkName(first, file) ?? (ts.isIdentifier(named) ? named.text : undefined));
  const known = method === undefined ? undefined : HANDLERS[method];
  return known === undefined || method === undefined ? undefined : { ...known, method };
}

function certaintyOf(call: ts.CallExpression, push: Push, file: TypeScriptFile): Certainty {
  if (push.through === 'request') return 'certain';
  const receiver = receiverOf(call) ?? takenMethod(call, file)?.receiver;
  if (receiver === undefined) return 'likely';
  const value = ts.isPropertyAccessExpression(receiver) && receiver.name.text === 'server' ? receiver.expression : receiver;
  return canonical(instanceOrigin(value, file)) === undefined ? 'likely' : 'certain';
}

function evidenceOf(call: ts.CallExpression, push: Push): string {
  if (receiverOf(call)?.kind === ts.SyntaxKind.ThisKeyword) return 'it is sent by a method of this class';
  const through = push.through === 'request' ? 'context of the running request' : 'server object';
  return `it is sent through the ${through}${calledMember(call) === undefined ? ', whose function was taken out of it' : ''}`;
}

/** Awaited calls that run before a question in the same function: each round runs them again. */
function effectsBefore(call: ts.CallExpression, file: TypeScriptFile): readonly ts.Node[] {
  const fn = enclosingFunction(call);
  if (fn?.body === undefined) return [];
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (node.getStart(file.tree) >= call.getStart(file.tree) || isFunctionNode(node)) return;
    if (ts.isAwaitExpression(node) && node.end <= call.getStart(file.tree) && pushOf(unwrap(node.expression) as ts.CallExpression, file) === undefined)
      found.push(node);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(fn.body, visit);
  return found;
}

/** Is the question a statement of a function that is registered as a handler, outside of `try`, loops and branches? */
function isHandlerStatement(call: ts.CallExpression): boolean {
  let node: ts.Node = call;
  while (!ts.isSourceFile(node) && !isFunctionNode(node)) {
    const parent: ts.Node = node.parent;
    if (ts.isTryStatement(parent) || ts.isIterationStatement(parent, false) || ts.isIfStatement(parent) || ts.isConditionalExpression(parent)) return false;
    if (isFunctionNode(parent)) {
      const owner = parent.parent;
      return ts.isCallExpression(owner) && /^(?:register)?(?:tool|resource|prompt)$/i.test(calledMember(owner) ?? '');
    }
    node = parent;
  }
  return false;
}
