import { ts } from 'ts-morph';
import type { FileChange, Rewrite, RewriteContext, Site, WorkItem } from '../../../src/core/index.js';
import { type Declaration, type TypeScriptFile, declarationOf, eachNode, moduleRequests, resolveSpecifier } from '../../../src/languages/typescript/index.js';
import { isShimQuestion } from '../../_mcp/typescript/eras.js';
import { isFunctionNode, isWithin, statementOf, unwrap, wrapped } from '../../_mcp/typescript/nodes.js';
import { LANE_MARK, SHIM, SHIM_FILE } from '../../_mcp/vocabulary.js';
import { reasonAt } from '../rewrite/lane.js';
import { bodyBefore } from '../../_hosts/entry/body.js';
import { type FoundHandler, findHandlers, placeFor } from './lane.js';
import { serveInstead } from './replace.js';
import { requestNames } from '../../_hosts/entry/names.js';
import type { Region } from './region.js';

const refuse = (why: string, next: string, sites: readonly Site[]): Extract<Rewrite, { outcome: 'refuse' }> => ({
  outcome: 'refuse',
  reason: reasonAt(why, next, sites),
});

const OWN = 'Only lanes that this tool wrote are removed; take the other ones out by hand.';

/**
 * Takes the legacy code out of the handlers of an endpoint: what follows the question `await mcp(…)` gives way to an entry that serves the
 * modern revision alone. Precondition: every handler asks the entry of this tool, and nothing outside of the lane uses its sessions.
 */
export function retireHandlers(item: WorkItem, context: RewriteContext): Rewrite {
  const endpoint = item.endpoint === undefined ? undefined : context.endpoint(item.endpoint);
  if (endpoint === undefined) return refuse('the routes of the lane are not known', OWN, item.sites.slice(0, 5));
  const handlers = findHandlers(endpoint, context, true);
  if ('reason' in handlers) return { outcome: 'refuse', reason: handlers.reason };
  const found = handlers.map((handler) => askedIn(handler));
  const [head] = found;
  const within = found.find((asked) => asked !== undefined && isAskedInPlace(asked.question));
  if (within !== undefined)
    return refuse(
      'the entry is asked in the middle of the handler, whose other statements build the legacy transport',
      `Let the entry alone answer there (\`createMcpHandler(..., { legacy: 'reject' }).fetch(request)\`), and take the transport out.`,
      [within.file.site(within.question)],
    );
  if (head === undefined || found.some((asked) => asked === undefined))
    return refuse('not all handlers of the lane ask the entry of this tool', OWN, endpoint.routes);
  const asked = found.flatMap((entry) => entry ?? []);
  const { file, entry } = asked[0] ?? head;
  if (asked.some((other) => other.entry !== entry || other.file.path !== file.path))
    return refuse('the handlers of the lane have different entries', OWN, endpoint.routes);
  const branch = asked.find(({ region }) => region.condition !== undefined);
  if (branch !== undefined)
    return refuse(
      'other paths are served by the statements that the lane is in',
      'Take the MCP branches out by hand, or give the path a branch of its own first.',
      [file.site(branch.question)],
    );
  const node = entry.node;
  const call = ts.isVariableDeclaration(node) && node.initializer !== undefined ? unwrap(node.initializer) : undefined;
  const factory = call !== undefined && ts.isCallExpression(call) ? call.arguments[0] : undefined;
  const statement = statementOf(node);
  const arrow = factory === undefined ? undefined : unwrap(factory);
  if (statement === undefined || arrow === undefined || !ts.isArrowFunction(arrow) || ts.isBlock(arrow.body))
    return refuse('the entry takes no factory that can be read', OWN, endpoint.routes);
  const first = placeFor(
    asked.map(({ region }) => region),
    handlers,
    file,
  );

  const inLane = new Set([...context.inventory.legacyLane.map((key) => key.slice(0, key.lastIndexOf('#'))), ...item.files]);
  const files = context.filesOf(endpoint.package).flatMap((path) => (inLane.has(path) && path !== file.path ? (context.file('typescript', path) ?? []) : []));
  const shim = shimPath(file, context);
  const result = serveInstead(
    {
      endpoint,
      file,
      served: handlers.map(({ served }) => served),
      regions: asked.map(({ region }) => region),
      first: first ?? statement,
      connects: [],
      server: {
        ok: true,
        expression: file.textOf(arrow.body),
        async: (ts.getCombinedModifierFlags(arrow) & ts.ModifierFlags.Async) !== 0 || /^async\b/.test(file.textOf(arrow)),
        declaration: [],
        moved: [],
        replacement: '',
        owner: undefined,
        shared: undefined,
        imports: [],
        notes: [],
      },
    },
    context,
    'modern',
    { name: entry.name, statement, start: markedStart(statement, file), files: files.filter(({ path }) => path !== shim) },
  );
  if (result.outcome === 'refuse' || shim === undefined || isUsedElsewhere(shim, file, entry, context, endpoint.package)) return result;
  const removal: FileChange = { kind: 'remove', file: shim };
  return { ...result, changes: [...result.changes, removal], notes: [...result.notes, `${shim} was only used by the legacy lane and is removed.`] };
}

/** The question of a handler, and the legacy code behind it. */
interface Asked {
  readonly file: TypeScriptFile;
  readonly question: ts.Node;
  /** Declaration of the entry that is asked. */
  readonly entry: Declaration;
  readonly region: Region;
}

function askedIn({ fn, file, served, start }: FoundHandler): Asked | undefined {
  let question: ts.CallExpression | undefined;
  const visit = (root: ts.Node): void => {
    eachNode(root, (node) => {
      if (question === undefined && ts.isCallExpression(node) && isShimQuestion(node, file)) question = node;
    });
  };
  visit(start ?? fn);
  // The handler may hand the request to another function, which asks.
  if (question === undefined) eachNode(file.tree, (node) => void (question ??= ts.isCallExpression(node) && isShimQuestion(node, file) ? node : undefined));
  if (question === undefined) return undefined;
  const callee = unwrap(question.expression);
  const entry = declarationOf(callee, file);
  const statement = statementOf(question);
  let around: ts.Node = question;
  while (!isFunctionNode(around)) {
    if (around.parent === undefined) return undefined;
    around = around.parent;
  }
  if (entry === undefined || statement === undefined) return undefined;
  const { parent } = statement;
  const list = ts.isBlock(parent) || ts.isCaseOrDefaultClause(parent) || ts.isSourceFile(parent) ? [...parent.statements] : [statement];
  const index = list.indexOf(statement);
  const legacy = list.slice(index);
  const [asked] = question.arguments;
  const names = served.form === 'elysia' ? [asked && file.textOf(asked)] : requestNames(around);
  const body = bodyBefore(list.slice(0, index), legacy, names, served.form, file);
  const given = question.arguments.length > 2 ? question.arguments[2] : undefined;
  const parsed = given !== undefined ? file.textOf(given) : body.ok ? body.use.parsed : undefined;
  const condition = ts.isIfStatement(statement) && !isQuestionAlone(statement.expression) ? 'path' : undefined;
  return {
    file,
    question,
    entry,
    region: {
      ok: true,
      file,
      fn: around,
      form: served.form,
      names,
      legacy,
      leading: list.slice(0, index),
      condition,
      body: { parsed, options: body.ok ? body.use.options : [] },
      makeAsync: false,
      inline: false,
    },
  };
}

/** `(await mcp(request)) ?? (await transport.handleRequest(request))` */
function isAskedInPlace(question: ts.Node): boolean {
  const asked = wrapped(ts.isAwaitExpression(question.parent) ? question.parent : question);
  return ts.isBinaryExpression(asked.parent) && asked.parent.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken;
}

const isQuestionAlone = (node: ts.Expression): boolean => ts.isAwaitExpression(unwrap(node)) || /!==\s*undefined$/.test(node.getText());

/** Begin of the declaration with the comments that mark the lane. */
function markedStart(statement: ts.Statement, file: TypeScriptFile): number {
  const marks = (ts.getLeadingCommentRanges(file.text, statement.pos) ?? []).filter(
    ({ pos, end }) => file.text.slice(pos, end).includes('MCP 2026-07-28 is answered by') || LANE_MARK.test(file.text.slice(pos, end)),
  );
  return marks[0]?.pos ?? statement.getStart(file.tree);
}

function shimPath(file: TypeScriptFile, context: RewriteContext): string | undefined {
  const request = moduleRequests(file).find(({ specifier }) => specifier.startsWith('.') && SHIM_FILE.test(specifier));
  return request === undefined ? undefined : resolveSpecifier(file.path, request.specifier, (path) => context.exists(path));
}

/** Another file imports the shim, or another entry of this one is made by it. */
function isUsedElsewhere(shim: string, file: TypeScriptFile, entry: Declaration, context: RewriteContext, folder: string): boolean {
  let others = false;
  eachNode(file.tree, (node) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === SHIM.exported && !isWithin(node, entry.node)) others = true;
  });
  return (
    others ||
    context
      .filesOf(folder)
      .some(
        (path) =>
          path !== file.path &&
          path !== shim &&
          moduleRequests(context.file('typescript', path) ?? file).some(
            ({ specifier }) => path !== file.path && specifier.startsWith('.') && resolveSpecifier(path, specifier, (other) => context.exists(other)) === shim,
          ),
      )
  );
}
