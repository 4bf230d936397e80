import { ts } from 'ts-morph';
import { type Detector, type FindingDetails, type MessageData, keyOf } from '../../src/core/index.js';
import { type TypeScriptFile, constantOf, enclosingFunction, importBindings } from '../../src/languages/typescript/index.js';
import { fullPaths, registrations } from '../_hosts/express/index.js';
import { assertionAround } from '../_mcp/typescript/assertions.js';
import { mintsSessions } from '../_mcp/typescript/facts/transports.js';
import { ancestor, calledMember, isFunctionNode, isWithin, memberName, nameText, receiverOf, statementOf, unwrap, wrapped } from '../_mcp/typescript/nodes.js';
import { localFunction } from '../_mcp/typescript/servers.js';
import { SESSION_CALLBACKS, sessionCode } from '../_mcp/typescript/sessions.js';
import { type SessionStore, liveStores } from '../_mcp/typescript/stores.js';
import { isOnlyTold } from '../_mcp/typescript/telemetry.js';
import { fileProof } from './proof.js';
import { entriesForAll } from './rewrite/reject.js';
import { checksOnTheWay } from './way.js';

export type Kinds =
  | 'initialize-gate'
  | 'initialize-gated-auth'
  | 'session-callback'
  | 'session-error-reply'
  | 'session-header-kept'
  | 'session-header-read'
  | 'session-id-generator'
  | 'session-map'
  | 'session-map-access'
  | 'session-map-leak'
  | 'session-route'
  | 'sessionless-lane'
  | 'shared-transport'
  | 'stateless-entry'
  | 'transport-session-id';

/** Sees the parts of a session-bound HTTP entry in one file, and proves what the file alone can prove for the rewrite. */
export const detectTypeScript: Detector<'typescript', Kinds> = (file, report, around) => ({
  end() {
    const has = (path: string): boolean => around.has(path);
    const proof = fileProof(file, has);
    const say = (kind: Kinds, node: ts.Node, details: FindingDetails = {}): void => {
      report.finding(kind, file.span(node), { ...details, data: { ...proof, ...details.data } });
    };
    transports(file, say);
    stores(file, has, say);
    ids(file, say);
    gates(file, say);
    routes(file, has, say);
    replies(file, has, say);
    earlierClients(file, report);
  },
});

/** Entries of the SDK that also answer clients of earlier revisions, without a session: nothing is wrong with them until the day their lane is retired. */
function earlierClients(file: TypeScriptFile, report: Parameters<Detector<'typescript', Kinds>>[1]): void {
  if (!file.text.includes('createMcpHandler')) return;
  for (const call of entriesForAll(file)) report.finding('sessionless-lane', file.span(call), { lane: 'legacy', group: 'sessionless-lane' });
}

type Say = (kind: Kinds, node: ts.Node, details?: FindingDetails) => void;

function transports(file: TypeScriptFile, say: Say): void {
  for (const transport of sessionCode(file).transports) {
    if (transport.kind !== 'streamable-http' && transport.kind !== 'streamable-web') continue;
    const sessions = mintsSessions(transport);
    const generator = transport.options.properties.get('sessionIdGenerator');
    if (sessions === 'minted' && generator !== undefined)
      say('session-id-generator', generator, { evidence: ['`sessionIdGenerator` is set, so `initialize` is answered with an Mcp-Session-Id.'] });
    if (sessions === 'none' && enclosingFunction(transport.node) !== undefined)
      say('stateless-entry', transport.node.expression, { evidence: ['The transport is built without a session id generator, inside of a function.'] });
    for (const name of SESSION_CALLBACKS) {
      const property = transport.options.properties.get(name);
      if (property !== undefined) say('session-callback', property, { data: { option: name } });
    }
  }
}

function stores(file: TypeScriptFile, has: (path: string) => boolean, say: Say): void {
  const { transports: built } = sessionCode(file);
  for (const store of liveStores(file, has)) {
    const data: MessageData = { store: nameOf(store), holds: store.holds, symbol: keyOf(store.symbol) };
    if (store.form === 'slot') {
      if (store.declared !== undefined && isSharedSlot(store, file)) say('shared-transport', nameNode(store.declared), { data });
    } else if (store.declared !== undefined) {
      const dead = neverFilled(store, file);
      const evidence = dead
        ? [`\`${nameOf(store)}\` is filled before \`handleRequest\` gives the transport an id, so it never holds an entry: no session has to be drained.`]
        : [];
      say('session-map', nameNode(store.declared), { data: { ...data, uses: store.accesses.length, ...(dead ? { dead: true } : {}) }, evidence });
      const exported =
        ts.canHaveModifiers(statementOf(store.declared) ?? store.declared) &&
        /^\s*export\b/.test((statementOf(store.declared) ?? store.declared).getText(file.tree));
      if (store.written && !store.cleaned && !dead && !exported && built.length > 0)
        say('session-map-leak', nameNode(store.declared), { data, certainty: 'likely' });
    }
    for (const access of store.accesses) {
      if (store.form !== 'slot' && !isSeenAlready(access, store)) say('session-map-access', access, { data });
    }
  }
}

const nameOf = (store: SessionStore): string => store.symbol.name.split('.').at(-1) ?? store.symbol.name;
const nameNode = (node: ts.Node): ts.Node => (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node) ? node.name : node);
const isSeenAlready = (access: ts.Node, store: SessionStore): boolean =>
  store.declared !== undefined && access.pos >= store.declared.pos && access.end <= store.declared.end;

/** A module-level or field transport that answers requests; one that is replaced for each request is none. */
function isSharedSlot(store: SessionStore, file: TypeScriptFile): boolean {
  const node = store.declared;
  if (node === undefined || !(ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node))) return false;
  const made = sessionCode(file).transports.filter(({ node: use }) => store.written || (node.initializer !== undefined && unwrap(node.initializer) === use));
  return made.some((transport) => transport.kind !== 'stdio' && transport.kind !== 'in-memory');
}

/** `map.set(transport.sessionId, transport)` in front of the first dispatch of the same function. */
function neverFilled(store: SessionStore, file: TypeScriptFile): boolean {
  const { dispatches } = sessionCode(file);
  const writes = store.accesses.filter((access) => isWriteAccess(access));
  return (
    writes.length > 0 &&
    writes.every((write) => {
      const fn = enclosingFunction(write);
      const key = ts.isCallExpression(write) ? write.arguments[0] : ts.isElementAccessExpression(write) ? write.argumentExpression : undefined;
      if (fn === undefined || key === undefined || memberName(unwrap(key)) !== 'sessionId') return false;
      const own = dispatches.filter((call) => enclosingFunction(call) === fn);
      return own.length > 0 && own.every((call) => call.pos > write.pos);
    })
  );
}

const isWriteAccess = (access: ts.Node): boolean => {
  if (ts.isCallExpression(access)) return calledMember(access) === 'set';
  const outer = wrapped(access);
  return ts.isBinaryExpression(outer.parent) && outer.parent.left === outer;
};

/** A module whose matter is the log reads headers for it. */
const LOGS = /(?:^|[/-])(?:access-?log|log(?:ging|ger))\.[cm]?[jt]sx?$/;

function ids(file: TypeScriptFile, say: Say): void {
  const code = sessionCode(file);
  for (const read of code.headerReads) {
    // An assertion keeps nothing; the concern of headers tells what it demands.
    if (read.fromResponse && /mcp-session-id/i.test(read.node.getText(file.tree)) && assertionAround(read.node) !== undefined) continue;
    // What is only told to a log decides nothing: the label is the finding, the read comes along.
    const told =
      !read.fromResponse && (isOnlyTold(read.node, file) || LOGS.test(file.path)) ? { impact: 'degrades' as const, category: 'telemetry' as const } : {};
    say(read.fromResponse ? 'session-header-kept' : 'session-header-read', read.node, { certainty: read.certainty, ...told });
  }
  for (const { node, of } of code.idAccesses) if (of === 'transport') say('transport-session-id', node);
}

const AUTH = /verify|authenticate|authori[sz]|bearer|credential|checkToken|\b401\b/i;

function gates(file: TypeScriptFile, say: Say): void {
  for (const { node, sdk } of sessionCode(file).gates) {
    const branch = ancestor(node, ts.isIfStatement);
    const fn = enclosingFunction(node);
    const outer = branch === undefined ? undefined : passesOn(branch);
    const name = fn === undefined ? '' : (nameText(fn.name) ?? '');
    const gated =
      branch !== undefined &&
      fn !== undefined &&
      node.pos >= branch.expression.pos &&
      node.end <= branch.expression.end &&
      outer === true &&
      AUTH.test(name + textAfter(branch, fn, file));
    // The methods of a client, taken by name: nobody opens a session here.
    if (ts.isCaseClause(node) && isClientOnly(file)) continue;
    if (gated) say('initialize-gated-auth', node, { evidence: ['Every method but `initialize` is passed on before the credentials are checked.'] });
    else say('initialize-gate', node, { certainty: sdk ? 'certain' : 'likely' });
  }
}

/** Does all that a file takes of the SDK belong to the client? */
function isClientOnly(file: TypeScriptFile): boolean {
  const specifiers = importBindings(file).flatMap(({ specifier }) => (specifier.startsWith('@modelcontextprotocol/') ? [specifier] : []));
  return specifiers.length > 0 && specifiers.every((specifier) => /\/client(?:\/|$)/.test(specifier));
}

/** `if (method !== 'initialize') return next();` */
function passesOn(branch: ts.IfStatement): boolean {
  const negated = /!==?/.test(branch.expression.getText()) || branch.expression.getText().startsWith('!');
  return negated && /\bnext\s*\(\s*\)/.test(branch.thenStatement.getText());
}

const textAfter = (branch: ts.IfStatement, fn: ts.Node, file: TypeScriptFile): string => file.text.slice(branch.end, fn.end);

/** Checks between a route and the SDK, as far as this file tells: the lines on which they stand. */
function checkedOnTheWay(handler: ts.Node, file: TypeScriptFile, has: (path: string) => boolean): MessageData {
  const checks = checksOnTheWay(handler, file, { has, open: () => undefined }).filter((check) => check.certain);
  const lines = [...new Set(checks.map(({ node }) => String(file.site(node).line)))].join(', ');
  return lines === '' ? {} : { guards: lines };
}

/** Paths beside the endpoint: documents, probes, pages. */
const OTHER_PATHS = /oauth|well-known|health|metadata|webhook|['"`/](?:ready|live|alive|status|version|metrics|ping|favicon)\w*\b/i;

/** Does a branch of a listener answer another path? By the path that its condition names, and by what it does with the request. */
const servesOther = (condition: string, branch: string): boolean =>
  OTHER_PATHS.test(condition) || (/\b(?:pathname|path|url)\b/i.test(condition) && branch !== '' && !/transport|session|stream|sse|handle/i.test(branch));

/** GET, DELETE and catch-all routes, and branches on those methods, in code that hands requests to the SDK. `judge` keeps those that do. */
function routes(file: TypeScriptFile, has: (path: string) => boolean, say: Say): void {
  const all = registrations(file, has);
  for (const registration of all) {
    const { verb, handler, call } = registration;
    if (handler === undefined || !['GET', 'DELETE', 'ALL', 'USE'].includes(verb)) continue;
    const value = unwrap(handler.node);
    const fn = isFunctionNode(value) ? value : ts.isIdentifier(value) ? localFunction(value, file) : undefined;
    // A stub that refuses the method is what the modern revision asks for.
    if (fn !== undefined && /\b405\b/.test(fn.getText(file.tree)) && !fn.getText(file.tree).includes('handleRequest')) continue;
    const path = fullPaths(registration, all).find((known) => known !== undefined) ?? '(path not known)';
    say('session-route', call.expression, {
      data: {
        method: verb === 'ALL' || verb === 'USE' ? 'Every method of' : verb,
        path,
        route: `${String(call.getStart(file.tree))}:${String(call.end)}`,
        ...checkedOnTheWay(handler.node, file, has),
      },
    });
  }
  const code = sessionCode(file);
  if (code.dispatches.length === 0 && code.transports.length === 0) return;
  const visit = (node: ts.Node): void => {
    if (
      ts.isBinaryExpression(node) &&
      (node.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken || node.operatorToken.kind === ts.SyntaxKind.EqualsEqualsToken)
    ) {
      const verb = constantOf(node.right, file);
      const left = unwrap(node.left);
      const branch = ancestor(node, ts.isIfStatement)?.thenStatement;
      const refuses = branch?.getText(file.tree) ?? '';
      const about = ancestor(node, ts.isIfStatement)?.expression.getText(file.tree) ?? '';
      if (
        (verb === 'GET' || verb === 'DELETE') &&
        memberName(left) === 'method' &&
        !/\b405\b/.test(refuses) &&
        // The stream of HTTP+SSE is not one of Streamable HTTP.
        !code.transports.some(({ kind, node: made }) => kind === 'sse' && branch !== undefined && isWithin(made, branch)) &&
        !servesOther(about, refuses)
      )
        say('session-route', node, { certainty: 'likely', data: { method: verb, path: '', branch: true } });
    }
    if (
      ts.isFunctionDeclaration(node) &&
      node.name !== undefined &&
      (node.name.text === 'GET' || node.name.text === 'DELETE') &&
      node.body !== undefined &&
      code.dispatches.some((call) => call.pos > node.pos && call.end < node.end)
    ) {
      say('session-route', node.name, { data: { method: node.name.text, path: '', branch: true } });
    }
    ts.forEachChild(node, visit);
  };
  visit(file.tree);
}

const REPLY_TEXT =
  /\b(?:(?:no|invalid|unknown|missing|expired|bad|without)\b[^'"`]{0,40}\bsession|session\b[^'"`]{0,40}\b(?:not found|required|expired|invalid|missing|unknown|terminated|does not exist|not initiali[sz]ed|uses? a different)|not initiali[sz]ed)/i;

/** Replies to requests whose session is missing or unknown, by their text, in code that looks sessions up. */
function replies(file: TypeScriptFile, has: (path: string) => boolean, say: Say): void {
  const code = sessionCode(file);
  const server = code.headerReads.some(({ fromResponse }) => !fromResponse) || code.dispatches.length > 0 || liveStores(file, has).length > 0;
  if (!server) return;
  const seen = new Set<ts.Node>();
  const visit = (node: ts.Node): void => {
    if ((ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && REPLY_TEXT.test(node.getText(file.tree))) {
      const reply = replyAround(node);
      if (reply !== undefined && !seen.has(reply)) {
        seen.add(reply);
        say('session-error-reply', reply);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file.tree);
}

const SENDS = /^(?:json|send|end|status|writeHead|write|jsonError|sendError|error|reply|code|text|body|sendJsonRpcError)$/;

/** The call that sends a text; logs and thrown errors of clients are none. */
function replyAround(node: ts.Node): ts.Node | undefined {
  let best: ts.Node | undefined;
  for (let current: ts.Node = node; current.parent !== undefined && !ts.isStatement(current); current = current.parent) {
    if (isFunctionNode(current)) break;
    if (ts.isNewExpression(current) && current.expression.getText().endsWith('Response')) best = current;
    if (!ts.isCallExpression(current)) continue;
    const method = calledMember(current);
    const root = receiverOf(current);
    if (root !== undefined && ts.isIdentifier(root) && /^(?:console|logger|log)$/.test(root.text)) return undefined;
    const callee = unwrap(current.expression);
    if ((method !== undefined && SENDS.test(method)) || (ts.isIdentifier(callee) && /(?:error|reply|respond|reject|send)/i.test(callee.text))) best = current;
  }
  return best;
}
