import { ts } from 'ts-morph';
import type { Detector, FindingDetails } from '../../src/core/index.js';
import { type TypeScriptFile, declarationOf, originOf } from '../../src/languages/typescript/index.js';
import { dialectOf, speaksMcp } from '../_mcp/typescript/dialect.js';
import { isSessionId } from '../_mcp/typescript/ids.js';
import { ancestor, calledMember, isFunctionNode, memberName, nameText, receiverOf, unwrap } from '../_mcp/typescript/nodes.js';
import { within } from '../_mcp/typescript/facts/servers.js';
import { isShimFile, sessionCode } from '../_mcp/typescript/sessions.js';
import { lifetimes, startsPerSession } from './lifetimes.js';

export type Kind =
  | 'store-class'
  | 'external-store'
  | 'transport-class'
  | 'session-relay'
  | 'session-restore'
  | 'session-owner'
  | 'session-process'
  | 'session-resource'
  | 'close-hook'
  | 'busy-flag'
  | 'listener-per-server'
  | 'query-secret'
  | 'session-timer'
  | 'session-object'
  | 'connection-field';

export type Say = (kind: Kind, node: ts.Node, name: string, details?: FindingDetails) => void;

/** One end of `InMemoryTransport.createLinkedPair()`: nothing is revived, a test gives it a name. */
function isLinked(owner: ts.Node, file: TypeScriptFile): boolean {
  const declared = ts.isIdentifier(owner) ? declarationOf(owner, file)?.node : undefined;
  const holder = declared === undefined ? undefined : ancestor(declared, ts.isVariableDeclaration);
  return holder?.initializer?.getText(file.tree).includes('createLinkedPair') === true;
}

/** Reports code that exists because sessions do. */
export const typescript: Detector<'typescript', Kind> = (file, report) => {
  if (isShimFile(file) || dialectOf(file).implementation) return {};
  const mcp = speaksMcp(file);
  const say: Say = (kind, node, name, details = {}) => {
    report.finding(kind, file.span(node), {
      group: kind,
      certainty: 'likely',
      ...details,
      data: { name: name.replace(/\s+/g, ' ').slice(0, 70), ...details.data },
    });
    const category = OUTLIVES[kind];
    if (category !== undefined) report.fact({ type: 'state', site: file.site(node), ...within(node, file), form: 'field', category });
  };
  const timers = new Set<string>();
  const near = mcp || /\bmcp\b/i.test(file.text);
  if (!near) return { end: () => lifetimes(file, say) };
  return {
    end: () => lifetimes(file, say),
    PropertyAccessExpression(node) {
      if (memberName(unwrap(node.expression)) === 'query' && SECRET.test(node.name.text) && sessionCode(file).headerReads.length > 0)
        say('query-secret', node, node.getText(file.tree));
    },
    ClassDeclaration(node) {
      const name = node.name?.text ?? 'class';
      const bases = (node.heritageClauses ?? []).flatMap((clause) =>
        clause.types.map((type) => ({ node: type.expression, name: type.expression.getText(file.tree) })),
      );
      if (/Session(?:Store|Adapter|Storage|Repository|Persistence)$/.test(name) || bases.some((base) => /^Session(?:Store|Adapter|Storage)$/.test(base.name)))
        say('store-class', node.name ?? node, name);
      const transport = bases.find((base) => base.name === 'Transport');
      if (transport !== undefined && mcp && !/stdio|InMemory/i.test(name) && !isForeign(transport.node, file)) say('transport-class', node.name ?? node, name);
    },
    BinaryExpression(node) {
      if (node.operatorToken.kind !== ts.SyntaxKind.EqualsToken || !mcp) return;
      const left = unwrap(node.left);
      const field = memberName(left);
      if (
        field !== undefined &&
        ts.isPropertyAccessExpression(left) &&
        left.expression.kind === ts.SyntaxKind.ThisKeyword &&
        CONNECTION.test(field) &&
        sessionCode(file).servers.length > 0
      )
        say('connection-field', left, field);
      const owner = ts.isPropertyAccessExpression(left) || ts.isElementAccessExpression(left) ? unwrap(left.expression) : undefined;
      if (field === undefined || owner === undefined || owner.kind === ts.SyntaxKind.ThisKeyword) return;
      if (/^_(?:initialized|sessionId|sessionIdGenerator|serverCapabilities|clientCapabilities|clientVersion)$/.test(field))
        say('session-restore', node, left.getText(file.tree));
      else if (field === 'sessionId' && /transport$/i.test(ts.isIdentifier(owner) ? owner.text : (memberName(owner) ?? '')) && !isLinked(owner, file))
        say('session-restore', node, left.getText(file.tree));
    },
    CallExpression(call) {
      const method = calledMember(call);
      const callee = unwrap(call.expression);
      const name = method ?? (ts.isIdentifier(callee) ? callee.text : '');
      const receiver = receiverOf(call)?.getText(file.tree) ?? '';
      if (mcp && speaksOfOwner(name)) say('session-owner', call, name);
      if (
        name === 'idFromName' &&
        call.arguments[0] !== undefined &&
        (isSessionId(call.arguments[0], file) || /session|getSessionId/i.test(call.arguments[0].getText(file.tree))) &&
        mcp
      )
        say('session-object', call, call.getText(file.tree));
      if (name === 'spawn' && mcp && startsPerSession(call, file)) say('session-process', call, call.getText(file.tree));
      if (
        ts.isIdentifier(unwrap(receiverOf(call) ?? call)) &&
        /^(?:get\w*|load|find|fetch|set|save|put|has|restore)$/.test(name) &&
        call.arguments[0] !== undefined &&
        isSessionId(call.arguments[0], file) &&
        isStoreModule(receiverOf(call) ?? call, file)
      )
        say('external-store', call, `${receiver}.${name}`);
      if (!/redis|\bkv\b|valkey|pubsub|publisher|subscriber/i.test(receiver) || !mcp) return;
      const scope = ancestor(call, (outer): outer is ts.Node => isFunctionNode(outer));
      const around = scope?.getText(file.tree) ?? call.getText(file.tree);
      if (!/session|mcp:|toserver|toclient/i.test(around)) return;
      if (/^(?:publish|subscribe|createSubscription|psubscribe|sPublish)$/.test(name)) say('session-relay', call, `${receiver}.${name}`);
      else if (/^(?:get|set|setex|setEx|hget|hset|hSet|hGet|del|exists|expire|hgetall|put)$/.test(name) && isSessionKey(call.arguments[0], file))
        say(/owner/i.test(call.getText(file.tree)) ? 'session-owner' : 'external-store', call, `${receiver}.${name}`, {
          data: { outside: keyText(call.arguments[0], file) },
        });
    },
    FunctionDeclaration(node) {
      if (mcp && node.name !== undefined && /relay\w*(?:Mcp|Session)|(?:redis|session)Relay/i.test(node.name.text))
        say('session-relay', node.name, node.name.text);
      if (mcp && node.name !== undefined && speaksOfOwner(node.name.text)) say('session-owner', node.name, node.name.text);
    },
    VariableDeclaration(node) {
      const name = nameText(ts.isIdentifier(node.name) ? node.name : undefined);
      if (name === undefined || !mcp || timers.has(name)) return;
      if (
        /session(?:Counter|Timeout(?:s|Ms)?|Ttl(?:Ms)?|Timers?|Reaper|Sweep\w*)$/i.test(name) &&
        sessionCode(file).transports.length + sessionCode(file).headerReads.length > 0
      ) {
        timers.add(name);
        say('session-timer', node, name);
      }
    },
    PropertyDeclaration(node) {
      const name = nameText(node.name);
      if (name === undefined || !mcp || sessionCode(file).servers.length === 0) return;
      if (CONNECTION.test(name)) say('connection-field', node.name, name);
    },
  };
};

/** What is kept from one request to the next: a lane without sessions would lose it. */
const OUTLIVES: Readonly<Partial<Record<Kind, 'resource' | 'auth'>>> = {
  'session-process': 'resource',
  'session-resource': 'resource',
  'session-object': 'resource',
  'session-owner': 'auth',
  'connection-field': 'auth',
};

/** `isSessionOwnedBy`, `setSessionOwner`, `ownsSession`, `session_owner`; not `shutdownSession`. */
const speaksOfOwner = (name: string): boolean =>
  /[sS]ession\w*Own(?:s|ed|er|ership)?|(?:^own|Own)(?:s|ed|er)?\w*Session|[sS]ession(?:BelongsTo|_own(?:s|ed|er))|^bindSessionTo/.test(name);

const SECRET = /token|secret|api_?key|password|credential/i;

/** Fields that belong to one client. */
const CONNECTION = /^_?(?:current|active|authenticated|logged_?in)_?(?:User|Principal|Client|Account|Tenant|Token|Auth)$|^pendingInitiali[sz]ations?$/i;

/** A key of a session: its id, or a text that is put together from `session` and one. Sessions of OAuth are those of a login. */
const isSessionKey = (node: ts.Node | undefined, file: TypeScriptFile): boolean =>
  node !== undefined &&
  !/oauth|login|cookie/i.test(`${file.path} ${node.getText(file.tree)}`) &&
  (isSessionId(node, file) || /session_?id|['"`][\w:-]*session/i.test(node.getText(file.tree)));

/** Source text of a key, on one line, without its quotes. */
const keyText = (node: ts.Node | undefined, file: TypeScriptFile): string =>
  (node?.getText(file.tree) ?? '')
    .replace(/\s+/g, ' ')
    .replace(/^[`'"]|[`'"]$/g, '')
    .slice(0, 70);

/** A value of a module that is called like a store outside of the process. */
const isStoreModule = (node: ts.Node, file: TypeScriptFile): boolean =>
  /redis|valkey|memcache|dynamo|mongo|postgres|firestore|\bkv\b|[-_/]db\b|database|store/i.test(originOf(node, file)?.module ?? '');

/** A `Transport` that is no type of the SDK: loggers and mailers have one too. */
function isForeign(node: ts.Node, file: TypeScriptFile): boolean {
  const origin = originOf(node, file);
  return origin !== undefined && !origin.module.startsWith('.') && !/modelcontextprotocol|mcp/i.test(origin.module);
}
