import { ts } from 'ts-morph';
import { type FunctionNode, type TypeScriptFile, enclosingFunction, returnedExpressions } from '../../../src/languages/typescript/index.js';
import { asksPath, isUrlish, pathConjuncts, pathTest } from '../../_hosts/paths.js';
import { calledFunction, touches } from '../../_hosts/node-http/branches.js';
import type { BodyUse } from '../../_hosts/entry/dialect.js';
import { requestNames } from '../../_hosts/entry/names.js';
import type { RequestForm } from '../../_hosts/served.js';
import { isFunctionNode, isWithin, statementOf, unwrap, wrapped } from '../../_mcp/typescript/nodes.js';
import { sessionCode } from '../../_mcp/typescript/sessions.js';
import { endsRequest } from '../handler-syntax.js';
import { type Machinery, machineryOf } from '../machinery.js';
import { bodyBefore, readsOf } from '../../_hosts/entry/body.js';
import { type InPlace, inPlaceOf } from './in-place.js';
import { isAnswer, isAsync, isCalledOnTheSpot, isFinalCall, listOf, mayBecomeAsync, parameterFor, runsBehind } from './shape.js';

/** The place in a handler where the session code of a lane begins: all in front of it stays, for both eras. */
export interface Region {
  readonly ok: true;
  readonly file: TypeScriptFile;
  readonly fn: FunctionNode;
  /** How the function is handed the request, which may differ from how the host hands it over. */
  readonly form: RequestForm;
  /** Names of the first and the second parameter that carry the request. */
  readonly names: readonly (string | undefined)[];
  /** Statements from the begin of the session code to the end of its list; one node for an arrow function without a block. */
  readonly legacy: readonly ts.Node[];
  /** Statements of the same list in front of it. */
  readonly leading: readonly ts.Statement[];
  /** A test of the path that has to be repeated, as written. */
  readonly condition: string | undefined;
  readonly body: BodyUse;
  /** `async` has to be written in front of the function. */
  readonly makeAsync: boolean;
  /** The function stands in the call that registers it: nobody else calls it. */
  readonly inline: boolean;
  /** The entry can be asked in place of the call of the transport; `only` says that there is no other place. */
  readonly inPlace?: InPlace & { readonly only: boolean };
}

/** Why no such place can be proved. */
export interface NoRegion {
  readonly ok: false;
  readonly why: string;
  readonly next: string;
  readonly nodes: readonly ts.Node[];
}

const fail = (why: string, next: string, ...nodes: readonly ts.Node[]): NoRegion => ({ ok: false, why, next, nodes });

/** What is known on the way down from the host's handler to the session code. */
interface Way {
  readonly fn: FunctionNode;
  readonly form: RequestForm;
  readonly names: readonly (string | undefined)[];
  /** Only requests of the endpoint's path come here. */
  readonly pathKnown: boolean;
  readonly inline: boolean;
  readonly seen: ReadonlySet<ts.Node>;
  /** Places on the way that have read the body. */
  readonly read?: readonly ts.Node[];
}

/**
 * Finds where the session code of a handler begins.
 * @param start the block of a branch, when the path selects only a part of the function
 */
export function regionOf(fn: FunctionNode, file: TypeScriptFile, form: RequestForm, has: (path: string) => boolean, start?: ts.Node): Region | NoRegion {
  const region = form === 'event' ? fail(NO_REQUEST, BUILD_REQUEST, fn) : inFront(fn, file, form, has, start);
  const inPlace = start === undefined ? inPlaceOf(fn, file, form, requestNames(fn, form)) : undefined;
  if (inPlace === undefined) return region;
  if (region.ok) return { ...region, inPlace: { ...inPlace, only: false } };
  const statement = statementOf(inPlace.node) ?? inPlace.node;
  return {
    ok: true,
    file,
    fn: inPlace.fn,
    form,
    names: [inPlace.handed],
    legacy: [statement],
    leading: [],
    condition: undefined,
    body: { parsed: undefined, options: [] },
    makeAsync: false,
    inline: false,
    inPlace: { ...inPlace, only: true },
  };
}

const NO_REQUEST = 'the handler is handed an event, and no web-standard request was found that it gives to a transport of its own';
const BUILD_REQUEST = 'Build a Request from the event, hand it to createMcpHandler(...).fetch(request), and keep the old code for the others.';

/** The place in front of the session code. */
function inFront(fn: FunctionNode, file: TypeScriptFile, form: RequestForm, has: (path: string) => boolean, start: ts.Node | undefined): Region | NoRegion {
  const finder = new Finder(file, machineryOf(file, has));
  const names = requestNames(fn, form);
  const way: Way = { fn, form, names, pathKnown: start !== undefined || (form !== 'node' && form !== 'web'), inline: isHandedOver(fn), seen: new Set([fn]) };
  if (start === undefined) return finder.inFunction(way);
  const list = ts.isCaseClause(start) || ts.isBlock(start) ? [...start.statements] : ts.isStatement(start) ? [start] : undefined;
  return list === undefined ? finder.inFunction(way) : finder.inList(list, way);
}

/** Is a function written where it is handed to somebody, so that nobody else can call it? */
const isHandedOver = (fn: ts.Node): boolean => (ts.isArrowFunction(fn) || ts.isFunctionExpression(fn)) && !ts.isVariableDeclaration(wrapped(fn).parent);

class Finder {
  constructor(
    readonly file: TypeScriptFile,
    readonly machinery: Machinery,
  ) {}

  inFunction(way: Way): Region | NoRegion {
    const { body } = way.fn;
    if (body === undefined) return fail('the handler has no body', 'Add the entry by hand.', way.fn);
    if (ts.isBlock(body)) return this.inList([...body.statements], way);
    const inner = this.#callee(body, way);
    if (inner !== undefined) return inner;
    return this.#region([], [body], undefined, way);
  }

  inList(list: readonly ts.Statement[], way: Way): Region | NoRegion {
    const touching = list.filter((statement) => touches(statement, this.file).length > 0);
    const [first] = touching;
    if (first === undefined) return fail('no statement of the handler was found that hands a request to the SDK', 'Add the entry by hand.', way.fn);
    if (touching.length === 1) {
      const read = list.slice(0, list.indexOf(first)).flatMap((statement) => readsOf(statement, way.names[0], this.file));
      const inner = this.#descend(first, { ...way, read: [...(way.read ?? []), ...read] });
      if (inner !== undefined) return inner;
    }
    const needsPath = list.slice(list.indexOf(first)).some((statement) => asksPath(statement, this.file));
    if (needsPath) return this.#selected(list, first, way);
    const begin = list.findIndex((statement) => statement === first || this.#opens(statement) || this.#ends(statement));
    return this.#region(list.slice(0, begin), list.slice(begin), undefined, way);
  }

  /** A statement that builds a transport or connects a server. */
  #opens(statement: ts.Statement): boolean {
    const { transports, connects } = sessionCode(this.file);
    return [...transports.map(({ node }) => node), ...connects].some((node) => isWithin(node, statement));
  }

  /** A statement in front of the session code that already answers requests because of their session. */
  #ends(statement: ts.Statement): boolean {
    if (!ts.isIfStatement(statement) || statement.expression.getText(this.file.tree).includes('OPTIONS')) return false;
    return endsRequest(statement.thenStatement) && !asksPath(statement, this.file) && this.machinery.roleOf(statement) === 'session';
  }

  /** The only statement with session code may be a branch or a call around the whole of it. */
  #descend(statement: ts.Statement, way: Way): Region | NoRegion | undefined {
    const has = (node: ts.Node | undefined): boolean => node !== undefined && touches(node, this.file).length > 0;
    if (ts.isBlock(statement)) return this.inList([...statement.statements], way);
    if (ts.isTryStatement(statement) && !has(statement.catchClause) && !has(statement.finallyBlock))
      return this.inList([...statement.tryBlock.statements], way);
    if (ts.isIfStatement(statement)) {
      const test = pathTest(statement.expression, this.file);
      const positive = pathConjuncts(statement.expression, this.file).some(({ holds }) => holds);
      if (!has(statement.elseStatement) && positive && !has(statement.expression))
        return this.inList(listOf(statement.thenStatement), { ...way, pathKnown: true });
      if (!has(statement.thenStatement) && statement.elseStatement !== undefined && test !== undefined)
        return this.inList(listOf(statement.elseStatement), { ...way, pathKnown: way.pathKnown || !test.holds });
    }
    if (ts.isSwitchStatement(statement) && isUrlish(statement.expression, this.file)) {
      const clauses = statement.caseBlock.clauses.filter(has);
      const [only] = clauses;
      if (clauses.length === 1 && only !== undefined && ts.isCaseClause(only)) {
        const [block] = only.statements;
        const list = only.statements.length === 1 && block !== undefined && ts.isBlock(block) ? block.statements : only.statements;
        return this.inList([...list], { ...way, pathKnown: true });
      }
    }
    return this.#callee(statement, way);
  }

  /** Follows `handle(req, res)` into a function of this file when the entry cannot stand in front of the call. */
  #callee(node: ts.Node, way: Way): Region | NoRegion | undefined {
    const calls = touches(node, this.file);
    const outer = calls.filter((call) => !calls.some((other) => other !== call && isWithin(call, other)));
    const [call] = outer;
    if (outer.length !== 1 || call === undefined) return undefined;
    const called = unwrap(call.expression);
    const fn = isFunctionNode(called) ? called : calledFunction(call, this.file);
    const around = enclosingFunction(call);
    // A function that is called on the spot: `(async () => { … })()`.
    if (around !== way.fn && around !== undefined && isWithin(around, way.fn) && isCalledOnTheSpot(around)) {
      return this.inFunction({ ...way, fn: around, inline: true, seen: new Set([...way.seen, around]) });
    }
    if (fn === undefined || fn === 'imported' || way.seen.has(fn) || fn.body === undefined) return undefined;
    const here = isAsync(way.fn) || way.inline;
    if (here && (way.pathKnown || !asksPath(fn.body, this.file)) && !isFinalCall(node)) return undefined;
    const names = way.names.map((name) => parameterFor(name, call, fn));
    if (names[0] === undefined) return undefined;
    const inner = this.inFunction({ ...way, fn, names, inline: false, seen: new Set([...way.seen, fn]) });
    return inner.ok || !here ? inner : undefined;
  }

  /** Session code that stands in branches for a path, beside branches for other ones. */
  #selected(list: readonly ts.Statement[], first: ts.Statement, way: Way): Region | NoRegion {
    const begin = list.indexOf(first);
    const conditions = new Set<string>();
    for (const statement of list.slice(begin)) for (const call of touches(statement, this.file)) conditions.add(this.#conditionOf(call, statement) ?? '');
    const [condition] = conditions;
    if (conditions.size !== 1 || condition === undefined || condition === '')
      return fail(
        'the branches on the path of the request could not be told apart',
        'Give the MCP path one branch of its own: if (path === ...) { ...; return; }',
        first,
      );
    return this.#region(list.slice(0, begin), list.slice(begin), condition, way);
  }

  /** The test of the path that must hold for a call to be reached, as written. */
  #conditionOf(call: ts.Node, statement: ts.Node): string | undefined {
    let found: string | undefined;
    for (let at: ts.Node = call; at !== statement.parent && at.parent !== undefined; at = at.parent) {
      const { parent } = at;
      if (!ts.isIfStatement(parent) || parent.thenStatement !== at) continue;
      const [test] = pathConjuncts(parent.expression, this.file).filter(({ holds }) => holds);
      if (test !== undefined) found = this.file.textOf(test.node);
    }
    return found;
  }

  #region(leading: readonly ts.Statement[], legacy: readonly ts.Node[], condition: string | undefined, way: Way): Region | NoRegion {
    const { fn, form, names, inline } = way;
    const { file } = this;
    const second = form === 'node' || form === 'node-parsed' || form === 'fastify';
    if (names[0] === undefined || (second && names[1] === undefined))
      return fail('the handler takes its request apart in its parameters', 'Name the request (and the response) as parameters.', fn);
    const value = returnedExpressions(fn).find((returned) => isAnswer(returned));
    if (second && value !== undefined && ts.isBlock(fn.body ?? fn))
      return fail('the handler returns a value that somebody waits for', 'Add the entry in front of its caller by hand.', value);
    const behind = runsBehind(legacy, fn);
    if (behind !== undefined)
      return fail(
        'what stands behind the session code runs for its requests too, and would be left out',
        'End the session code with a return, or move these statements in front.',
        behind,
      );
    const body = bodyBefore(leading, legacy, names, form, file, way.read);
    if (!body.ok) return fail(body.why, 'Hand the parsed body to the transport as an argument, or read it behind the session check.', ...body.nodes);
    const makeAsync = !isAsync(fn);
    if (makeAsync && !mayBecomeAsync(fn, form, inline, file))
      return fail('the handler is not asynchronous, and its caller may not wait for it', 'Make the handler an async function.', fn);
    return { ok: true, file, fn, form, names, legacy, leading, condition, body: body.use, makeAsync, inline };
  }
}
