import { ts } from 'ts-morph';
import { type Fact, type FactOf, type ImportNeed, factsOf, keyOf } from '../../../../src/core/index.js';
import { type TypeScriptFile, declarationOf, eachNode, originOf, resolveSpecifier } from '../../../../src/languages/typescript/index.js';
import { calledMember, isWithin, receiverOf } from '../nodes.js';
import { builtBy } from '../../factories.js';
import { serverClass } from '../sdk.js';
import { type ServerSource, serverSource } from '../servers.js';
import { freeName } from '../emit/names.js';
import { changedAfter, extract } from './extraction.js';
import { type ServerPlan, type NoServerPlan, type Place, memberText, ownerFor, refuse, unreachable } from './plan.js';

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
  if (ts.isCallExpression(made)) return fromCall(made, source, file, place, facts, has);
  const owned = serverClass(made.expression, file) === undefined;
  const unproved = owned && place.handler === undefined ? unprovedOwner(made, source, file, facts) : undefined;
  return unproved ?? extract(made, source, connect, file, place, owned ? stepsOf(source, facts) : undefined);
}

/** Why an object of a class is not known to build one server and to do nothing else. */
function unprovedOwner(made: ts.NewExpression, source: ServerSource, file: TypeScriptFile, facts: readonly Fact[]): NoServerPlan | undefined {
  const built = source.factory === undefined ? undefined : builtBy(source.factory, facts);
  const name = file.textOf(made.expression);
  if (built?.obstacle !== undefined) return { ok: false, reason: { ...built.obstacle, sites: [built.obstacle.site] } };
  if (built?.factory.members === undefined)
    return refuse(
      `\`${name}\` is not known to build a server of its own in each object`,
      'Build the server in its constructor, or export a function that builds it.',
      file,
      made,
    );
  if (source.member === undefined || !built.factory.members.includes(source.member))
    return refuse(
      `\`${name}\` does not give its server to others`,
      'Give the class a method that returns the server, and connect that; the entry is written then.',
      file,
      made,
    );
  return undefined;
}

/** Methods of the class that only register. Before all files are read, any method may be one. */
const stepsOf = (source: ServerSource, facts: readonly Fact[]): readonly string[] | undefined =>
  source.factory === undefined ? undefined : builtBy(source.factory, facts)?.factory.steps;

/** Methods of iterators, queues and pools: what they give may be given again, or end. */
const HANDS_OUT: ReadonlySet<string> = new Set(['next', 'shift', 'pop', 'take', 'acquire', 'borrow', 'checkout', 'dequeue', 'pull']);

function fromCall(
  made: ts.CallExpression,
  source: ServerSource,
  file: TypeScriptFile,
  place: Place,
  facts: readonly Fact[],
  has: (path: string) => boolean,
): ServerPlan | NoServerPlan {
  const built = source.factory === undefined ? undefined : builtBy(source.factory, facts);
  if (built?.obstacle !== undefined) return { ok: false, reason: { ...built.obstacle, sites: [built.obstacle.site] } };
  const factory = built?.factory;
  const owner = ownerFor([made], place);
  if (owner !== undefined && factory === undefined && place.handler === undefined)
    return refuse(
      `it is not known whether \`${file.textOf(made)}\` builds a new server each time`,
      'Give the field the type of the class that builds it, and let the method return a `new McpServer(…)`; the entry is written then.',
      file,
      made,
    );
  const method = calledMember(made);
  if (factory === undefined && method !== undefined && HANDS_OUT.has(method))
    return refuse(
      `\`${file.textOf(made)}\` hands out servers that somebody else builds and counts`,
      'Export a function that builds a new server and call it here; one server object cannot answer two requests at a time.',
      file,
      made,
    );
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
    owner,
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
