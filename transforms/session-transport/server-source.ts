import { ts } from 'ts-morph';
import { type Fact, type FactOf, type ImportNeed, type Reason, factsOf, keyOf } from '../../src/core/index.js';
import {
  type Declaration,
  type TypeScriptFile,
  declarationOf,
  eachNode,
  originOf,
  referencesOf,
  resolveSpecifier,
  enclosingClass,
} from '../../src/languages/typescript/index.js';
import { calledMember, isWithin, receiverOf, statementOf } from '../_mcp/typescript/nodes.js';
import { type ServerSource, serverSource } from '../_mcp/typescript/servers.js';

/** How a server is built for one request, proved to work at the place of the routes. */
export interface ServerPlan {
  readonly ok: true;
  /** Body of `() => …`. */
  readonly expression: string;
  readonly async: boolean;
  /** A function that has to be declared in front of the routes. */
  readonly declaration: readonly string[];
  /** Statements whose text moved into the declaration; in a handler that stays they become one call. */
  readonly moved: readonly ts.Statement[];
  /** Text that stands in place of `moved` when the handler stays. */
  readonly replacement: string;
  /** Variable of the process that held the shared server and is needed no longer. */
  readonly shared: Declaration | undefined;
  readonly imports: readonly ImportNeed[];
  readonly notes: readonly string[];
}

export interface NoServerPlan {
  readonly ok: false;
  readonly reason: Reason;
}

interface Place {
  /** File and statement in front of which the entry is declared. */
  readonly file: TypeScriptFile;
  readonly before: ts.Statement;
  /** Set when the routes are not known yet: the function whose own names no entry can use. */
  readonly handler?: ts.Node;
}

/** Does a name exist where the entry is declared? */
const isVisible = (declaration: Declaration, place: Place): boolean =>
  place.handler === undefined ? isWithin(place.before, declaration.scope.node) : !isWithin(declaration.node, place.handler);

const refuse = (why: string, next: string, file: TypeScriptFile, ...nodes: readonly ts.Node[]): NoServerPlan => ({
  ok: false,
  reason: { why, next, sites: nodes.map((node) => file.site(node)) },
});

/** Plans the factory of the modern entry from the `connect` call of the legacy stack. */
export function planServer(
  connect: ts.CallExpression,
  file: TypeScriptFile,
  place: Place,
  facts: readonly Fact[],
  has: (path: string) => boolean,
): ServerPlan | NoServerPlan {
  const receiver = receiverOf(connect);
  if (receiver === undefined) return refuse('the receiver of `connect` is not a server object', 'Name the server in a variable.', file, connect);
  const source = serverSource(receiver, file, has);
  const made = source.made;
  if (made === undefined) {
    const what =
      source.origin === 'shared'
        ? `\`${file.textOf(receiver)}\` is one server for the whole process, built elsewhere`
        : `it is not known how \`${file.textOf(receiver)}\` is built`;
    return refuse(what, 'Export a function that builds a new server and call it here; one server object cannot answer two requests at a time.', file, connect);
  }
  if (source.variable !== undefined) {
    const late = changedAfter(source.variable, connect, file);
    if (late !== undefined)
      return refuse(
        'the server is changed after it is connected, so a server built for one request would lack it',
        'Register everything inside of the factory.',
        file,
        late,
      );
  }
  return ts.isNewExpression(made) ? extract(made, source, connect, file, place) : fromCall(made, source, file, place, facts, has);
}

function fromCall(
  made: ts.CallExpression,
  source: ServerSource,
  file: TypeScriptFile,
  place: Place,
  facts: readonly Fact[],
  has: (path: string) => boolean,
): ServerPlan | NoServerPlan {
  const factory =
    source.factory === undefined
      ? undefined
      : factsOf(facts, 'factory').find((fact) => source.factory !== undefined && keyOf(fact.symbol) === keyOf(source.factory));
  if (factory !== undefined && factory.effects.length > 0) {
    return {
      ok: false,
      reason: {
        why: `\`${file.textOf(made.expression)}\` does more than build a server: it would run once per request`,
        next: 'Move timers, listeners and writes to outer variables out of the factory.',
        sites: factory.effects,
      },
    };
  }
  const foreign = unreachable(made, file, place);
  if (foreign !== undefined)
    return refuse(
      `\`${file.textOf(made)}\` depends on \`${file.textOf(foreign)}\`, which exists only inside of the handler`,
      'Give the factory no argument of the request; read it from the context of the tool call instead.',
      file,
      foreign,
    );
  const shared = source.origin === 'shared' ? source.variable : undefined;
  const common = {
    ok: true,
    moved: [],
    replacement: '',
    shared: shared?.kind === 'import' ? undefined : shared,
    imports: file.path === place.file.path ? [] : importsFor(made, file, place.file, has),
  } as const;
  const call = file.textOf(made);
  const released = factory?.release === undefined ? undefined : releasing(made, source, factory, file, place, facts);
  if (released !== undefined) return { ...common, ...released };
  const value = source.awaited && source.member !== undefined ? `(await ${call})` : call;
  return {
    ...common,
    expression: value + memberText(source.member),
    async: source.awaited && source.member !== undefined,
    declaration: [],
    notes: source.member === undefined ? [] : [`Only \`${source.member}\` of what \`${file.textOf(made.expression)}\` returns is used for the modern lane.`],
  };
}

const memberText = (member: string | undefined): string => (member === undefined ? '' : /^\d+$/.test(member) ? `[${member}]` : `.${member}`);

/**
 * A factory that returns a function beside the server which takes back what was started: it runs when the request is done. `onclose` is not
 * called for a server that was never connected (a request that is turned away), so a factory that starts timers is also released by `close`.
 */
function releasing(
  made: ts.CallExpression,
  source: ServerSource,
  factory: FactOf<'factory'>,
  file: TypeScriptFile,
  place: Place,
  facts: readonly Fact[],
): Pick<ServerPlan, 'expression' | 'async' | 'declaration' | 'notes'> | undefined {
  const built = factsOf(facts, 'server').find((fact) => fact.within !== undefined && keyOf(fact.within) === keyOf(factory.symbol));
  if (built === undefined || source.member === undefined || factory.release === undefined) return undefined;
  const name = freeName('createMcpServer', place.file);
  const server = `built${memberText(source.member)}`;
  const events = built.className === 'McpServer' ? `${server}.server` : server;
  const release = `built${memberText(factory.release)}()`;
  const body =
    factory.starts === true
      ? [
          'let running = true;',
          'const release = () => {',
          `${place.file.indentUnit}if (running) void ${release};`,
          `${place.file.indentUnit}running = false;`,
          '};',
          `const close = ${server}.close.bind(${server});`,
          `${server}.close = () => close().finally(release);`,
          `${events}.onclose = release;`,
        ]
      : [`${events}.onclose = () => void ${release};`];
  return {
    expression: `${name}()`,
    async: false,
    declaration: [
      `/** The server of one modern request; what was started for it is taken back when the request is done. */`,
      `${source.awaited ? 'async ' : ''}function ${name}() {`,
      ...[`const built = ${source.awaited ? 'await ' : ''}${file.textOf(made)};`, ...body, `return ${server};`].map((line) => place.file.indentUnit + line),
      '}',
      '',
    ],
    notes: [`\`${factory.release}\` of what \`${file.textOf(made.expression)}\` returns runs at the end of each modern request.`],
  };
}

/** A name in an expression that does not exist where the entry is declared. */
function unreachable(node: ts.Node, file: TypeScriptFile, place: Place): ts.Node | undefined {
  let found: ts.Node | undefined;
  eachNode(node, (inner) => {
    if (found !== undefined) return false;
    if (inner.kind === ts.SyntaxKind.ThisKeyword && enclosingClass(inner) !== (file.path === place.file.path ? enclosingClass(place.before) : undefined))
      found = inner;
    if (
      !ts.isIdentifier(inner) ||
      (ts.isPropertyAccessExpression(inner.parent) && inner.parent.name === inner) ||
      (ts.isPropertyAssignment(inner.parent) && inner.parent.name === inner)
    )
      return undefined;
    const declaration = declarationOf(inner, file);
    if (declaration === undefined || isWithin(declaration.node, node)) return undefined;
    const visible = file.path === place.file.path ? isVisible(declaration, place) : declaration.kind === 'import' || isExported(declaration);
    if (!visible) found = inner;
    return undefined;
  });
  return found;
}

const isExported = (declaration: Declaration): boolean => {
  const statement = statementOf(declaration.node) ?? declaration.node;
  return ts.canHaveModifiers(statement) && (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
};

/** Imports that the entry's file needs to build the server the way another file does. */
function importsFor(node: ts.Node, from: TypeScriptFile, to: TypeScriptFile, has: (path: string) => boolean): readonly ImportNeed[] {
  const needs: ImportNeed[] = [];
  eachNode(node, (inner) => {
    if (!ts.isIdentifier(inner)) return;
    const declaration = declarationOf(inner, from);
    if (declaration === undefined) return;
    if (declaration.kind === 'import') {
      const origin = originOf(inner, from);
      if (origin === undefined) return;
      const path = origin.module.startsWith('.') ? (resolveSpecifier(from.path, origin.module, has) ?? joined(from.path, origin.module)) : origin.module;
      needs.push({ kind: 'import', file: to.path, module: path, name: origin.name, ...(origin.name === inner.text ? {} : { as: inner.text }) });
    } else if (!isWithin(declaration.node, node)) needs.push({ kind: 'import', file: to.path, module: from.path, name: inner.text });
  });
  return needs;
}

/** Root-relative path of a relative specifier whose file is not in the tree. */
function joined(from: string, specifier: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

const LIFECYCLE: ReadonlySet<string> = new Set(['connect', 'close']);

/** A use of the server after `connect` that is more than closing it. */
function changedAfter(variable: Declaration, connect: ts.CallExpression, file: TypeScriptFile): ts.Node | undefined {
  return referencesOf(variable, file).find((use) => {
    if (use.pos < connect.end || !isWithin(use, variable.scope.node)) return false;
    const call = use.parent.parent;
    return !(ts.isPropertyAccessExpression(use.parent) && ts.isCallExpression(call) && LIFECYCLE.has(calledMember(call) ?? ''));
  });
}

/** Turns construction and registrations that stand in line into a function. */
function extract(made: ts.NewExpression, source: ServerSource, connect: ts.CallExpression, file: TypeScriptFile, place: Place): ServerPlan | NoServerPlan {
  const next = 'Move construction and registrations of the server into a function without parameters.';
  const variable = source.variable;
  if (variable === undefined) {
    const foreign = unreachable(made, file, place);
    if (foreign !== undefined)
      return refuse(`the server is built from \`${file.textOf(foreign)}\`, which exists only inside of the handler`, next, file, foreign);
    return { ok: true, expression: file.textOf(made), async: false, declaration: [], moved: [], replacement: '', shared: undefined, imports: [], notes: [] };
  }
  const first = statementOf(variable.node);
  if (file.path !== place.file.path || first === undefined || !ts.isVariableStatement(first) || first.declarationList.declarations.length !== 1)
    return refuse('the server is not built by a function and not in statements of its own', next, file, made);
  const list = (first.parent as ts.Block | ts.SourceFile).statements;
  const start = list.indexOf(first);
  const moved: ts.Statement[] = [first];
  for (const statement of list.slice(start + 1)) {
    if (!referencesOf(variable, file).some((use) => isWithin(use, statement)) || isWithin(connect, statement)) break;
    if (!ts.isExpressionStatement(statement))
      return refuse('a statement that is no plain registration takes part in building the server', next, file, statement);
    moved.push(statement);
  }
  const stray = referencesOf(variable, file).find((use) => !moved.some((statement) => isWithin(use, statement)) && !isLifecycle(use));
  if (stray !== undefined) return refuse(`\`${variable.name}\` is also used outside of its construction`, next, file, stray);
  for (const statement of moved) {
    const foreign = outsideOf(statement, moved, file, place);
    if (foreign !== undefined)
      return refuse(`building the server needs \`${file.textOf(foreign)}\`, which exists only inside of the handler`, next, file, foreign);
    if (containsAwait(statement)) return refuse('building the server waits for something', next, file, statement);
  }
  const name = freeName('createMcpServer', file);
  const lines = [`function ${name}() {`, ...moved.flatMap((statement) => indented(file, statement)), `${file.indentUnit}return ${variable.name};`, '}'];
  const keyword = file.text.slice(first.declarationList.getStart(file.tree), first.declarationList.getStart(file.tree) + 5).trim();
  return {
    ok: true,
    expression: `${name}()`,
    async: false,
    declaration: lines,
    moved,
    replacement: `${keyword === 'let' || keyword === 'var' ? keyword : 'const'} ${variable.name} = ${name}();`,
    shared: undefined,
    imports: [],
    notes: [`Construction of the server is now \`${name}\`.`],
  };
}

const isLifecycle = (use: ts.Identifier): boolean =>
  ts.isPropertyAccessExpression(use.parent) && ts.isCallExpression(use.parent.parent) && LIFECYCLE.has(use.parent.name.text);

function outsideOf(statement: ts.Statement, moved: readonly ts.Statement[], file: TypeScriptFile, place: Place): ts.Node | undefined {
  let found: ts.Node | undefined;
  eachNode(statement, (inner) => {
    if (found !== undefined) return false;
    if (inner.kind === ts.SyntaxKind.ThisKeyword && enclosingClass(inner) !== undefined && !isWithin(enclosingClass(inner) as ts.Node, statement))
      found = inner;
    if (!ts.isIdentifier(inner)) return undefined;
    const declaration = declarationOf(inner, file);
    if (declaration === undefined || moved.some((candidate) => isWithin(declaration.node, candidate)) || isVisible(declaration, place)) return undefined;
    found = inner;
    return undefined;
  });
  return found;
}

const containsAwait = (statement: ts.Statement): boolean => {
  let found = false;
  eachNode(statement, (node) => {
    if (ts.isAwaitExpression(node)) found = true;
    return !ts.isFunctionLike(node);
  });
  return found;
};

/** Lines of a statement with its comments, one indentation deep; lines inside of template literals stay as they are. */
function indented(file: TypeScriptFile, statement: ts.Statement): readonly string[] {
  const from = ts.getLeadingCommentRanges(file.text, statement.pos)?.[0]?.pos ?? statement.getStart(file.tree);
  const lineStart = file.text.lastIndexOf('\n', from - 1) + 1;
  const old = /^[ \t]*/.exec(file.text.slice(lineStart, from))?.[0] ?? '';
  const fixed = new Set<number>();
  eachNode(statement, (node) => {
    if (ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      for (let at = file.text.indexOf('\n', node.getStart(file.tree)); at >= 0 && at < node.end; at = file.text.indexOf('\n', at + 1)) fixed.add(at + 1);
    }
  });
  let offset = from;
  return file.text
    .slice(from, statement.end)
    .split('\n')
    .map((line, index) => {
      const start = offset;
      offset += line.length + 1;
      const text = line.replace(/\r$/, '');
      if (fixed.has(start)) return text;
      const bare = index > 0 && text.startsWith(old) ? text.slice(old.length) : text;
      return bare === '' ? '' : file.indentUnit + bare;
    });
}

/** A name that nothing in the file uses. */
export function freeName(wanted: string, file: TypeScriptFile): string {
  const used = new Set<string>();
  eachNode(file.tree, (node) => {
    if (ts.isIdentifier(node)) used.add(node.text);
  });
  for (let index = 1; ; index++) {
    const name = index === 1 ? wanted : `${wanted}${String(index)}`;
    if (!used.has(name)) return name;
  }
}
