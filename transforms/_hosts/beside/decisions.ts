import { ts } from 'ts-morph';
import { type TypeScriptFile, constantOf, declarationOf, eachNode, enclosingFunction, referencesOf } from '../../../src/languages/typescript/index.js';
import { calledMember, isFunctionNode, isWithin, memberName, nameText, receiverOf, unwrap } from '../../_mcp/typescript/nodes.js';

/** The old path, and the new one beside it. */
export interface PathPair {
  readonly old: string;
  readonly fresh: string;
}

/** What is known of a value that came from the path: the path itself, or something computed from it. */
type Known = 'path' | 'part';

/** Uses of uses are followed so far. */
const MAX_STEPS = 12;

const REQUEST = /^_?(?:req|request|ctx|context|c|event|message|msg|incoming|nextUrl)$/i;
const PATHS: ReadonlySet<string> = new Set(['url', 'originalUrl', 'path', 'pathname', 'baseUrl', 'routerPath', 'routePath', 'href', 'rawPath']);
/** Parts of an address that are the same for both paths. */
const OTHER_PARTS = /^(?:search|searchParams|query|querystring|hash|host|hostname|port|protocol|origin|username|password)$/;
const TELLS = /\b(?:console|log|logger)\b|(?:^|\.)(?:log|debug|info|warn|error|trace|audit|record|observe|inc)$/i;
const ASKS = /^(?:has|get|includes|some|every|find|findIndex|indexOf|lastIndexOf|test|match|matchAll|exec|search)$/;
const VERBS = /^(?:get|post|put|patch|delete|all|options|head|use|route|on|opts|del)$/;

/**
 * Places of a file that decide by the path of the request in a way that does not have the same outcome for both paths, or whose outcome
 * cannot be told: a part of the path, its length, a look-up. A comparison with a literal is worked out. What only tells the path decides nothing.
 */
export function decisionsByPath(pair: PathPair, file: TypeScriptFile): readonly ts.Node[] {
  const reader = new Reader(pair, file);
  eachNode(file.tree, (node) => {
    if (ts.isPropertyAccessExpression(node) && PATHS.has(node.name.text) && REQUEST.test(rootName(node.expression))) reader.follow(node, 'path', 0);
    if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name) && node.initializer !== undefined && REQUEST.test(rootName(node.initializer)))
      reader.followElements(node.name, 'path', 0);
  });
  return [...reader.found].filter((node) => !isOfOtherRoute(node, pair, file));
}

/** The name at the head of members and calls: `c` of `c.req.raw`. */
function rootName(node: ts.Node): string {
  let at = unwrap(node);
  for (;;) {
    if (ts.isPropertyAccessExpression(at) || ts.isElementAccessExpression(at) || ts.isNonNullExpression(at)) at = unwrap(at.expression);
    else return ts.isIdentifier(at) ? at.text : '';
  }
}

class Reader {
  readonly found = new Set<ts.Node>();
  readonly #seen = new Set<ts.Node>();

  constructor(
    readonly pair: PathPair,
    readonly file: TypeScriptFile,
  ) {}

  /** Follows a value outwards to what is done with it. */
  follow(node: ts.Node, known: Known, steps: number): void {
    if (this.#seen.has(node) || steps > MAX_STEPS) return;
    this.#seen.add(node);
    const { parent } = node;
    const next = (at: ts.Node, as: Known = known): void => {
      this.follow(at, as, steps + 1);
    };
    if (ts.isParenthesizedExpression(parent) || ts.isAsExpression(parent) || ts.isNonNullExpression(parent) || ts.isAwaitExpression(parent)) next(parent);
    else if (ts.isPropertyAccessExpression(parent) && parent.expression === node) this.#member(parent, known, next);
    else if (ts.isElementAccessExpression(parent)) {
      if (parent.argumentExpression === node) this.found.add(node);
      else next(parent, 'part');
    } else if (ts.isNewExpression(parent) && parent.expression !== node) {
      if (parent.expression.getText(this.file.tree) === 'URL') next(parent);
    } else if (ts.isCallExpression(parent) && parent.expression !== node) this.#argument(parent, node, known, next);
    else if (ts.isBinaryExpression(parent)) this.#binary(parent, node, known, next);
    else if (ts.isPrefixUnaryExpression(parent)) next(parent, 'part');
    else if (ts.isTemplateSpan(parent)) next(parent.parent, 'part');
    else if (ts.isVariableDeclaration(parent) && parent.initializer === node) {
      if (ts.isIdentifier(parent.name)) this.#references(parent.name, known, steps);
      else this.followElements(parent.name, known, steps);
    } else if (this.#isTest(node, known)) this.found.add(node);
  }

  /** `const { pathname } = new URL(…)`, `const [, first] = path.split('/')`. */
  followElements(pattern: ts.BindingPattern, known: Known, steps: number): void {
    for (const element of pattern.elements) {
      if (!ts.isBindingElement(element) || !ts.isIdentifier(element.name)) continue;
      const name = nameText(element.propertyName) ?? element.name.text;
      if (ts.isArrayBindingPattern(pattern)) this.#references(element.name, 'part', steps);
      else if (PATHS.has(name)) this.#references(element.name, known, steps);
    }
  }

  #references(name: ts.Identifier, known: Known, steps: number): void {
    const declaration = declarationOf(name, this.file);
    for (const use of declaration === undefined ? [] : referencesOf(declaration, this.file)) if (use !== name) this.follow(use, known, steps + 1);
  }

  #member(access: ts.PropertyAccessExpression, known: Known, next: (at: ts.Node, as?: Known) => void): void {
    const name = access.name.text;
    if (OTHER_PARTS.test(name)) return;
    const call = access.parent;
    if (!ts.isCallExpression(call) || call.expression !== access) {
      next(access, PATHS.has(name) ? known : 'part');
      return;
    }
    const [first] = call.arguments;
    const same = known === 'path' && first !== undefined ? this.#sameFor((path) => applied(path, name, first, this.file)) : undefined;
    if (same === true) return;
    if (name === 'toString') next(call);
    else next(call, 'part');
  }

  #argument(call: ts.CallExpression, node: ts.Node, known: Known, next: (at: ts.Node, as?: Known) => void): void {
    const callee = call.expression.getText(this.file.tree);
    if (TELLS.test(callee)) return;
    if (/^(?:String|decodeURI|decodeURIComponent)$/.test(callee) || /(?:^|\.)(?:parse|normalize)$/.test(callee)) {
      next(call);
      return;
    }
    const method = calledMember(call);
    const list = receiverOf(call);
    const pattern = list === undefined ? undefined : unwrap(list);
    if (known === 'path' && pattern !== undefined && this.#sameFor((path) => asked(pattern, method ?? '', path, this.file)) === true) return;
    if (method !== undefined && ASKS.test(method)) this.found.add(node);
    else next(call, 'part');
  }

  #binary(parent: ts.BinaryExpression, node: ts.Node, known: Known, next: (at: ts.Node, as?: Known) => void): void {
    const operator = parent.operatorToken.kind;
    const left = parent.left === node;
    if (operator === ts.SyntaxKind.QuestionQuestionToken || operator === ts.SyntaxKind.BarBarToken) {
      if (this.#isTest(parent, known)) this.found.add(node);
      else next(parent);
    } else if (operator === ts.SyntaxKind.PlusToken || operator === ts.SyntaxKind.CommaToken) next(parent, 'part');
    else if (operator >= ts.SyntaxKind.FirstAssignment && operator <= ts.SyntaxKind.LastAssignment) {
      // `req.url = req.url.replace(…)`: what comes behind sees another path.
      if (!left && PATHS.has(memberName(unwrap(parent.left)) ?? '')) this.found.add(node);
    } else if (known === 'path' && EQUALS.has(operator)) {
      const other = constantOf(left ? parent.right : parent.left, this.file);
      // A name whose value is not known here is that of a setting: whoever compares with it may mean the old path.
      const same = typeof other === 'string' && this.#sameFor((path) => this.#spellings(path, node).includes(other));
      const nothing = other === undefined && unwrap(left ? parent.right : parent.left).getText(this.file.tree) === 'undefined';
      if (same !== true && !nothing) this.found.add(parent);
    } else this.found.add(parent);
  }

  /** A path as code below a mount sees it. */
  #spellings(path: string, node: ts.Node): readonly string[] {
    const mount = mountAround(node, this.file);
    return mount !== undefined && path.startsWith(mount) ? [path.slice(mount.length) || '/'] : [path];
  }

  /** Is an outcome known, and the same for both paths? */
  #sameFor(outcome: (path: string) => boolean | undefined): boolean | undefined {
    const [old, fresh] = [outcome(this.pair.old), outcome(this.pair.fresh)];
    return old === undefined || fresh === undefined ? undefined : old === fresh;
  }

  /** Does a value decide what happens next? The cases of a `switch` are read as literals. */
  #isTest(node: ts.Node, known: Known): boolean {
    const { parent } = node;
    if (ts.isIfStatement(parent) || ts.isWhileStatement(parent)) return parent.expression === node;
    if (ts.isConditionalExpression(parent)) return parent.condition === node;
    if (ts.isSwitchStatement(parent)) return parent.expression === node && known === 'part';
    return ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
  }
}

const EQUALS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);

/** `path.startsWith('/static')`, `path.match(/…/)`; `undefined` when it cannot be worked out. */
function applied(path: string, method: string, argument: ts.Node, file: TypeScriptFile): boolean | undefined {
  const value = unwrap(argument);
  if ((method === 'match' || method === 'search') && ts.isRegularExpressionLiteral(value)) return tested(value.text, path);
  const text = constantOf(value, file);
  if (typeof text !== 'string') return undefined;
  if (method === 'startsWith') return path.startsWith(text);
  if (method === 'endsWith') return path.endsWith(text);
  if (method === 'includes') return path.includes(text);
  return undefined;
}

/** `/^\/static/.test(path)`, `['/health'].includes(path)`; `undefined` when it cannot be worked out. */
function asked(receiver: ts.Node, method: string, path: string, file: TypeScriptFile): boolean | undefined {
  if (ts.isRegularExpressionLiteral(receiver)) return method === 'test' || method === 'exec' ? tested(receiver.text, path) : undefined;
  const declared = ts.isIdentifier(receiver) ? declarationOf(receiver, file)?.node : undefined;
  const held = declared !== undefined && ts.isVariableDeclaration(declared) ? declared.initializer : receiver;
  const value = held === undefined ? undefined : unwrap(held);
  const list = value !== undefined && ts.isNewExpression(value) && /^Set$/.test(value.expression.getText(file.tree)) ? value.arguments?.[0] : value;
  if (list === undefined || !ts.isArrayLiteralExpression(unwrap(list)) || !/^(?:includes|has)$/.test(method)) return undefined;
  const texts = (unwrap(list) as ts.ArrayLiteralExpression).elements.map((element) => constantOf(element, file));
  return texts.every((text) => typeof text === 'string') ? texts.includes(path) : undefined;
}

function tested(literal: string, path: string): boolean | undefined {
  const end = literal.lastIndexOf('/');
  try {
    return new RegExp(literal.slice(1, end), literal.slice(end + 1).replace(/[gy]/g, '')).test(path);
  } catch {
    return undefined;
  }
}

/** The literal path of the `use` around a place. */
function mountAround(node: ts.Node, file: TypeScriptFile): string | undefined {
  for (let at = node; at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (!ts.isCallExpression(parent) || parent.expression === at || calledMember(parent) !== 'use') continue;
    const path = parent.arguments[0] === undefined ? undefined : constantOf(parent.arguments[0], file);
    return typeof path === 'string' ? path.replace(/\/$/, '') : undefined;
  }
  return undefined;
}

/** Does a place only run for routes whose literal path is neither of both? */
function isOfOtherRoute(node: ts.Node, pair: PathPair, file: TypeScriptFile): boolean {
  for (let at = node; at.parent !== undefined; at = at.parent) {
    if (isOtherRoute(at, pair, file)) return true;
    if (!isFunctionNode(at)) continue;
    const name = ts.isFunctionDeclaration(at) ? at.name : ts.isVariableDeclaration(at.parent) ? at.parent.name : undefined;
    const declaration = name !== undefined && ts.isIdentifier(name) ? declarationOf(name, file) : undefined;
    const uses = declaration === undefined ? [] : referencesOf(declaration, file).filter((use) => use !== name && enclosingFunction(use) !== at);
    if (uses.length > 0 && uses.every((use) => isOtherRoute(use, pair, file) && !isWithin(use, at))) return true;
  }
  return false;
}

/** Is a node an argument of `app.get('/files/…', …)`? */
function isOtherRoute(node: ts.Node, { old, fresh }: PathPair, file: TypeScriptFile): boolean {
  const call = node.parent;
  if (!ts.isCallExpression(call) || call.expression === node || !VERBS.test(calledMember(call) ?? '')) return false;
  const path = call.arguments[0] === undefined ? undefined : constantOf(call.arguments[0], file);
  if (typeof path !== 'string' || !path.startsWith('/')) return false;
  const head = (text: string): string => text.split('/').find((part) => part !== '') ?? '';
  const own = head(path);
  return own !== '' && !/[*:({]/.test(own) && own !== head(old) && own !== head(fresh);
}
