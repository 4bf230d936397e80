import { ts } from 'ts-morph';
import type { Detector, FindingDetails } from '../../src/core/index.js';
import { type TypeScriptFile, declarationOf, referencesOf } from '../../src/languages/typescript/index.js';
import { assertionAround } from '../_mcp/typescript/assertions.js';
import { dialectOf } from '../_mcp/typescript/dialect.js';
import { namesSessionHeader } from '../_mcp/typescript/headers.js';
import { calledMember, memberName, nameText, receiverOf, statementOf, unwrap, wrapped } from '../_mcp/typescript/nodes.js';
import { isRuleText, isSearchedFor, isToldToPeople } from '../_mcp/typescript/rule-texts.js';
import { isShimFile } from '../_mcp/typescript/sessions.js';
import { HEADERS, MODERN_REQUEST_HEADERS } from '../_mcp/vocabulary.js';
import { missingInForwarded } from './forwarded.js';

export type Kind = 'header-sent' | 'header-issued' | 'header-name' | 'header-asserted' | 'header-list' | 'cors-allowed' | 'cors-legacy-entry';

/** Reports every place that writes, lists, names or asserts the session header; reads decide how a request is served and are another concern's matter. */
export const typescript: Detector<'typescript', Kind> = (file, report) => {
  if (isShimFile(file) || dialectOf(file).implementation || dialectOf(file).scanner) return {};
  const say = (kind: Kind, node: ts.Node, details: FindingDetails = {}): void => {
    report.finding(kind, file.span(node), { group: 'headers', ...details });
  };
  const literal = (node: ts.StringLiteralLike): void => {
    const text = node.text.toLowerCase();
    if (!text.includes(HEADERS.sessionId)) return;
    const list = corsList(node);
    const missing = list === undefined ? missingHeaders(node, file) : undefined;
    if (list !== undefined) cors(node, list, say);
    else if (missing !== undefined) say('header-list', node, { certainty: 'likely', data: { missing } });
    else if (text.trim() === HEADERS.sessionId) exact(node, file, say);
  };
  return {
    StringLiteral: literal,
    NoSubstitutionTemplateLiteral: literal,
    RegularExpressionLiteral(node) {
      if (node.text.toLowerCase().includes(HEADERS.sessionId) && assertionAround(node) !== undefined) say('header-asserted', node);
    },
    ComputedPropertyName(node) {
      const name = (node as ts.ComputedPropertyName).expression;
      if (!ts.isStringLiteralLike(name) && ts.isObjectLiteralExpression(node.parent.parent) && namesSessionHeader(name, file) !== undefined)
        say(isAnswerHeaders(node.parent.parent) ? 'header-issued' : 'header-sent', node.parent);
    },
    CallExpression(call) {
      const [name] = call.arguments;
      if (name === undefined || ts.isStringLiteralLike(name) || namesSessionHeader(name, file) === undefined) return;
      const kind = writeOf(call, file);
      if (kind !== undefined) say(kind, call);
    },
    PropertyAssignment(node) {
      const list = listOf(nameText(node.name) ?? '');
      const value = unwrap(node.initializer);
      if (list === undefined || !ts.isArrayLiteralExpression(value)) return;
      for (const element of value.elements)
        if (!ts.isStringLiteralLike(element) && namesSessionHeader(element, file) !== undefined)
          say('cors-legacy-entry', element, { impact: 'none', data: { list } });
    },
    DeleteExpression(node) {
      const target = unwrap(node.expression);
      if (ts.isElementAccessExpression(target) && namesSessionHeader(target.argumentExpression, file) !== undefined) say('header-name', node);
    },
    ElementAccessExpression(node) {
      if (!ts.isStringLiteralLike(node.argumentExpression) && namesSessionHeader(node.argumentExpression, file) !== undefined && isAssigned(node))
        say(answersOnly(file) ? 'header-issued' : 'header-sent', node);
    },
  };
};

/** A literal that is the name of the header and nothing else. */
function exact(node: ts.StringLiteralLike, file: TypeScriptFile, say: (kind: Kind, node: ts.Node) => void): void {
  const outer = wrapped(node);
  const parent = outer.parent;
  const asserted = assertionAround(node) !== undefined;
  if (ts.isPropertyAssignment(parent) && parent.name === node) {
    // The value of a header is no object: such a key names the record of a rule.
    if (ts.isObjectLiteralExpression(parent.initializer) && isRuleText(node)) return;
    say(isAnswerHeaders(parent.parent) ? 'header-issued' : 'header-sent', parent);
  } else if (ts.isComputedPropertyName(parent)) {
    say(isAnswerHeaders(parent.parent.parent) ? 'header-issued' : 'header-sent', parent.parent);
  } else if (ts.isElementAccessExpression(parent)) {
    // Reads are reported where they decide something.
    if (isAssigned(parent)) say(/^(?:res|reply|response)\b/.test(parent.getText(file.tree)) || answersOnly(file) ? 'header-issued' : 'header-sent', parent);
    else if (asserted) say('header-asserted', parent);
  } else if (ts.isCallExpression(parent) && parent.arguments.includes(outer as ts.Expression)) {
    const kind = writeOf(parent, file);
    if (kind !== undefined) say(kind, parent);
    else if (asserted) say('header-asserted', parent);
    else if (
      !READS.test(calledMember(parent) ?? parent.expression.getText(file.tree)) &&
      !isRuleText(node) &&
      !isSearchedFor(outer, file) &&
      !isToldToPeople(node, file)
    )
      say('header-name', node);
  } else if (asserted) {
    say('header-asserted', node);
  } else if (!ts.isBindingElement(parent) && !ts.isLiteralTypeNode(parent) && !isRuleText(node)) {
    say('header-name', node);
  }
}

const READS = /^(?:get|header|has|getHeader|at|delete|removeHeader|remove)$|header/i;
const WRITES: ReadonlySet<string> = new Set(['set', 'append', 'setHeader', 'header', 'appendHeader', 'add']);

/** Does a call write the header that its first argument names, and into what? */
function writeOf(call: ts.CallExpression, file: TypeScriptFile): 'header-sent' | 'header-issued' | undefined {
  const method = calledMember(call);
  if (method === undefined || !WRITES.has(method) || call.arguments.length < 2) return undefined;
  const receiver = receiverOf(call)?.getText(file.tree) ?? '';
  return /^(?:res|reply|response|raw|c|ctx|set|rep)\b|\.(?:res|response|reply|raw)\b|^\w*(?:Response|Reply)\b/.test(receiver) ? 'header-issued' : 'header-sent';
}

/** A file that mints sessions and fetches nothing writes headers of answers. */
const answersOnly = (file: TypeScriptFile): boolean => /\bsessionIdGenerator\b/.test(file.text) && !/\bfetch\w*\(/.test(file.text);

function isAssigned(node: ts.ElementAccessExpression): boolean {
  const outer = wrapped(node);
  return ts.isBinaryExpression(outer.parent) && outer.parent.left === outer && outer.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
}

/** Headers of an answer: the options of `new Response(…)`, of `res.writeHead(…)`, of `c.json(…)`. */
function isAnswerHeaders(object: ts.Node): boolean {
  for (let node = object, depth = 0; depth < 12 && !ts.isStatement(node) && !ts.isSourceFile(node); node = node.parent, depth++) {
    // `Response.json(body, { headers })` makes an answer as `new Response` does.
    if (ts.isCallExpression(node) && node.expression.getText() === 'Response.json') return true;
    if (ts.isNewExpression(node)) return node.expression.getText().endsWith('Response');
    if (ts.isCallExpression(node))
      return /^(?:writeHead|set|header|headers|json|text|body)$/.test(calledMember(node) ?? '') && /^(?:res|reply|c|ctx|response)\b/.test(node.getText());
  }
  return false;
}

/** What the list that a literal stands in lacks, when requests are passed on by it: the list is gone through beside headers, or says so in its name. */
function missingHeaders(node: ts.StringLiteralLike, file: TypeScriptFile): string | undefined {
  const list = node.parent;
  if (!ts.isArrayLiteralExpression(list) || assertionAround(node) !== undefined) return undefined;
  const declaration = heldBy(list);
  const uses = declaration !== undefined && ts.isIdentifier(declaration.name) ? referencesTo(declaration.name, file) : isGoneThrough(list) ? [list] : [];
  const statements = uses.map((use) => statementOf(use)?.getText(file.tree) ?? '').filter((text) => /headers/i.test(text) || /\.get\(|\.set\(/.test(text));
  const named = declaration?.name.getText(file.tree) ?? '';
  if (statements.length === 0 && !/forward|pass|propagat|prox|relay|upstream/i.test(named)) return undefined;
  const headers = list.elements.filter(ts.isStringLiteralLike).map(({ text }) => text);
  return missingInForwarded(headers, [named, ...statements.map((text) => text.slice(0, 80))].join(' '));
}

/** The variable that holds a list, or a set of it. */
function heldBy(list: ts.Node): ts.VariableDeclaration | undefined {
  const { parent } = wrapped(list);
  const holder = ts.isNewExpression(parent) ? wrapped(parent).parent : parent;
  return ts.isVariableDeclaration(holder) ? holder : undefined;
}

/** `for (const name of [...])`, `[...].forEach(…)`. */
const isGoneThrough = (list: ts.Node): boolean => {
  const { parent } = wrapped(list);
  return ts.isForOfStatement(parent) || (ts.isPropertyAccessExpression(parent) && /^(?:forEach|map|filter|flatMap|reduce)$/.test(parent.name.text));
};

function referencesTo(name: ts.Identifier, file: TypeScriptFile): readonly ts.Node[] {
  const declared = declarationOf(name, file);
  return declared === undefined ? [] : referencesOf(declared, file).filter((use) => use !== name);
}

type CorsList = 'exposed' | 'allowed';

/** The CORS list that a literal belongs to: `exposedHeaders: […]`, `'Access-Control-Allow-Headers': '…'`, `res.header('Access-Control-…', '…')`. */
function corsList(node: ts.Node): CorsList | undefined {
  for (
    let child: ts.Node = node, parent = node.parent, depth = 0;
    depth < 6 && !ts.isStatement(child) && !ts.isSourceFile(parent);
    child = parent, parent = parent.parent, depth++
  ) {
    const name =
      ts.isPropertyAssignment(parent) && parent.initializer === child
        ? nameText(parent.name)
        : ts.isCallExpression(parent)
          ? firstText(parent, child)
          : undefined;
    if (name === undefined) {
      if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) return listOf(parent.name.text);
      continue;
    }
    const list = listOf(name);
    if (list !== undefined) return list;
  }
  return undefined;
}

const listOf = (name: string): CorsList | undefined =>
  /expos(?:e|ed)_?-?headers?$|expose/i.test(name) ? 'exposed' : /allow(?:ed)?_?-?(?:request_?)?headers?$/i.test(name) ? 'allowed' : undefined;

const firstText = (call: ts.CallExpression, child: ts.Node): string | undefined => {
  const [first] = call.arguments;
  return first !== undefined && first !== child && ts.isStringLiteralLike(first) ? first.text : undefined;
};

/** A list that browsers are told; one that already names the modern headers only keeps the old entry for the window. */
function cors(node: ts.StringLiteralLike, list: CorsList, say: (kind: Kind, node: ts.Node, details?: FindingDetails) => void): void {
  const holder = ts.isArrayLiteralExpression(node.parent) ? node.parent.getText() : node.text;
  const missing = MODERN_REQUEST_HEADERS.filter((header) => !holder.toLowerCase().includes(header.toLowerCase()));
  const open = /['"`]\*['"`]/.test(holder);
  const property = ts.isArrayLiteralExpression(node.parent) ? node.parent : node;
  const asserted = assertionAround(node);
  if (asserted !== undefined) say('header-asserted', node);
  else if (list === 'allowed' && missing.length > 0 && !open)
    say('cors-allowed', property, {
      data: { missing: missing.join(', '), name: memberName(node.parent) ?? 'the list' },
      evidence: [`the list names the session header and lacks ${missing.join(', ')}`],
    });
  else say('cors-legacy-entry', node, { impact: 'none', data: { list } });
}
