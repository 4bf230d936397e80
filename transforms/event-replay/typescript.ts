import { ts } from 'ts-morph';
import type { Detector, FindingDetails } from '../../src/core/index.js';
import { eachNode } from '../../src/languages/typescript/index.js';
import { dialectOf, speaksMcp } from '../_mcp/typescript/dialect.js';
import { ancestor, calledMember, nameText, unwrap } from '../_mcp/typescript/nodes.js';
import { isNothing } from '../_mcp/typescript/options.js';
import { isRuleText, isSearchedFor, isToldToPeople } from '../_mcp/typescript/rule-texts.js';
import { isShimFile } from '../_mcp/typescript/sessions.js';
import { HEADERS } from '../_mcp/vocabulary.js';

export type Kind = 'event-store-option' | 'event-store' | 'replay-not-scoped' | 'last-event-id' | 'stream-polling';

const STORE_CALLS: ReadonlySet<string> = new Set(['storeEvent', 'replayEventsAfter', 'getStreamIdForEventId']);
const POLLING: ReadonlySet<string> = new Set(['closeSSEStream', 'closeStandaloneSSEStream', 'closeSSE']);

/** Reports event stores, their use, and everything that resumes a stream, in code that speaks MCP. */
export const typescript: Detector<'typescript', Kind> = (file, report) => {
  if (isShimFile(file) || dialectOf(file).implementation || !speaksMcp(file)) return {};
  const say = (kind: Kind, node: ts.Node, details: FindingDetails = {}): void => {
    report.finding(kind, file.span(node), { group: 'replay', ...details });
  };
  const header = (node: ts.StringLiteralLike): void => {
    if (node.text.toLowerCase() === HEADERS.lastEventId && !isRuleText(node) && !isSearchedFor(node, file) && !isToldToPeople(node, file))
      say('last-event-id', node);
  };
  const store = (node: ts.ClassLikeDeclaration): void => {
    const names = (node.heritageClauses ?? []).flatMap((clause) => clause.types.map((type) => type.expression.getText(file.tree)));
    const members = node.members.filter((member) => member.name !== undefined && STORE_CALLS.has(nameText(member.name) ?? ''));
    if (!names.some((name) => name.endsWith('EventStore')) && members.length < 2) return;
    say('event-store', node.name ?? node, { data: { call: node.name?.text ?? 'class' } });
    for (const member of members) if (nameText(member.name) === 'replayEventsAfter') replay(member, file.text, say);
  };
  return {
    StringLiteral: header,
    NoSubstitutionTemplateLiteral: header,
    ClassDeclaration: store,
    ClassExpression: store,
    VariableDeclaration(node) {
      const value = node.initializer === undefined ? undefined : unwrap(node.initializer);
      if (value === undefined || !ts.isObjectLiteralExpression(value)) return;
      const members = value.properties.filter((property) => property.name !== undefined && STORE_CALLS.has(nameText(property.name) ?? ''));
      if (members.length >= 2) say('event-store', node.name, { data: { call: node.name.getText(file.tree) } });
    },
    PropertyAssignment(node) {
      const name = nameText(node.name);
      if (name === 'eventStore' && !isNothing(node.initializer) && mayBeStore(node.initializer)) say('event-store-option', node);
      if (name === 'retryInterval' && !isNothing(node.initializer)) say('stream-polling', node, { impact: 'tidies', data: { call: name } });
      if (name === 'replayEventsAfter') {
        say('event-store', node.name, { data: { call: name } });
        replay(unwrap(node.initializer), file.text, say);
      }
    },
    MethodDeclaration(node) {
      if (nameText(node.name) === 'replayEventsAfter' && ts.isObjectLiteralExpression(node.parent)) {
        say('event-store', node.name, { data: { call: 'replayEventsAfter' } });
        replay(node, file.text, say);
      }
    },
    ShorthandPropertyAssignment(node) {
      if (node.name.text === 'eventStore') say('event-store-option', node);
    },
    NewExpression(node) {
      if (ts.isIdentifier(node.expression) && node.expression.text.endsWith('EventStore'))
        say('event-store', node, { data: { call: `new ${node.expression.text}` } });
    },
    CallExpression(call) {
      const method = calledMember(call);
      if (method === undefined) return;
      if (STORE_CALLS.has(method)) say('event-store', call, { data: { call: method } });
      if (POLLING.has(method)) say('stream-polling', call, { data: { call: method } });
    },
  };
};

/** Not a flag, a list, a comparison or a schema: records about servers have such a member too. */
function mayBeStore(node: ts.Expression): boolean {
  const value = unwrap(node);
  // As the option of a call, a flag turns the store of a framework on or off.
  if (value.kind === ts.SyntaxKind.TrueKeyword || value.kind === ts.SyntaxKind.FalseKeyword)
    return ts.isCallExpression(node.parent.parent.parent) || ts.isNewExpression(node.parent.parent.parent);
  if (ts.isArrayLiteralExpression(value) || ts.isStringLiteralLike(value) || ts.isPrefixUnaryExpression(value)) return false;
  if (ts.isBinaryExpression(value)) return !/^[!=]==?$/.test(value.operatorToken.getText());
  return !value.getText().startsWith('z.');
}

/** A replay whose sending loop never asks for the stream of the event: no stream id is read, compared or looked up in front of it. */
function replay(node: ts.Node, text: string, say: (kind: Kind, node: ts.Node, details?: FindingDetails) => void): void {
  let unscoped: ts.Node | undefined;
  let looked = false;
  eachNode(node, (inner) => {
    if (ts.isCallExpression(inner) && /(?:^|\.)send$/.test(inner.expression.getText())) {
      const loop = ancestor(
        inner,
        (outer): outer is ts.Node =>
          ts.isIterationStatement(outer, false) || (ts.isCallExpression(outer) && /^(?:forEach|map)$/.test(calledMember(outer) ?? '')),
      );
      if (loop !== undefined && loop.pos >= node.pos && !/stream/i.test(text.slice(loop.pos, loop.end))) unscoped ??= loop;
    }
    if (ts.isCallExpression(inner) && /stream/i.test(inner.expression.getText())) looked = true;
    if (ts.isIfStatement(inner) && /stream/i.test(inner.expression.getText())) looked = true;
  });
  if (unscoped !== undefined && !looked)
    say('replay-not-scoped', unscoped, { certainty: 'likely', evidence: ['nothing in the loop, and no condition, reads or compares a stream id'] });
}
