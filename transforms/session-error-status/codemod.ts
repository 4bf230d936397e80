/*
 * A standard jscodeshift module, without imports of its own, so that it also runs alone:
 *   npx jscodeshift -t codemod.ts --parser ts src/
 * Alone it decides by names and shapes; inside of the tool it is told the places, which were decided by scopes and conditions.
 */
import type { API, ASTNode, ASTPath, CallExpression, Collection, FileInfo, JSCodeshift, StringLiteral } from 'jscodeshift';

/** A reply with 400 that requests with an unknown session id reach. */
interface Reply {
  /** Which of the replies with a literal 400 it is, in source order: offsets do not survive the printer's treatment of tabs and line ends. */
  readonly index: number;
  /** Requests without a session id get here too, and keep their 400. */
  readonly mixed: boolean;
  /** Expression that holds the session id. */
  readonly id: string;
}

const NOT_FOUND = 'Session not found';
const CODE_MISSING = -32000;
const CODE_UNKNOWN = -32001;

/** Answers an unknown session id with 404, so that the client opens a new session instead of giving up. */
export default function transform(file: FileInfo, api: API, options: { readonly replies?: readonly Reply[] }): string | undefined {
  const { j } = api;
  const root = j(file.source);
  const replies = options.replies ?? findReplies(root, j);
  let changed = false;
  const all = badRequests(root, j);
  for (const reply of replies) {
    const path = all[reply.index];
    if (path !== undefined && rewriteReply(path, reply, j)) changed = true;
  }
  return changed ? root.toSource() : undefined;
}

/** The node above a path. */
const above = (path: ASTPath): ASTNode | undefined => (path.parent as ASTPath | null)?.node;

/** The first node of a collection. */
const firstOf = <T extends ASTNode>(nodes: Collection<T>): T | undefined => nodes.nodes()[0];

/** Whole replies with a literal 400, in source order. */
const badRequests = (root: Collection, j: JSCodeshift): ASTPath<CallExpression>[] =>
  root
    .find(j.CallExpression)
    .filter((path) => !isReceiver(path) && statusArgument(path.node) !== undefined)
    .paths();

/** `res.status(400)` in `res.status(400).json(…)`. */
const isReceiver = (path: ASTPath<CallExpression>): boolean => {
  const parent = above(path);
  return parent !== undefined && parent.type.endsWith('MemberExpression') && (parent as { object?: ASTNode }).object === path.node;
};

function rewriteReply(path: ASTPath<CallExpression>, reply: Reply, j: JSCodeshift): boolean {
  if (!reply.mixed) return withStatus404(path.node, j, false);
  let statement = path as ASTPath;
  while (!statement.node.type.endsWith('Statement')) statement = statement.parent as ASTPath;
  const whole = statement.node;
  if (whole.type !== 'ExpressionStatement' && whole.type !== 'ReturnStatement') return false;
  const source = j(whole as never).toSource();
  const copy = firstOf(j(`async () => { ${source} }`).find(j.BlockStatement))?.body[0];
  const id = firstOf(j(reply.id).find(j.ExpressionStatement))?.expression;
  if (copy === undefined || id === undefined) return false;
  // Comments stay with the statement that keeps its status.
  copy.comments = null;
  const call = outermostReply(copy, j);
  if (call === undefined || !withStatus404(call, j, true)) return false;
  const leave = whole.type === 'ReturnStatement' ? [] : [j.returnStatement(null)];
  const guard = j.ifStatement(id, j.blockStatement([copy, ...leave]));
  const parent = above(statement);
  // `else res.status(400).end();` has no list of statements to be put into.
  if (parent !== undefined && (parent.type === 'IfStatement' || parent.type === 'LabeledStatement')) statement.replace(j.blockStatement([guard, whole]));
  else statement.insertBefore(guard);
  return true;
}

function outermostReply(node: ASTNode, j: JSCodeshift): CallExpression | undefined {
  let found: CallExpression | undefined;
  j(node as never)
    .find(j.CallExpression)
    .forEach((path) => {
      if (found === undefined && !isReceiver(path) && statusArgument(path.node) !== undefined) found = path.node;
    });
  return found;
}

/** The literal 400 of a chain. */
function statusArgument(call: CallExpression): { value: number } | undefined {
  for (let node: ASTNode = call; ;) {
    if (node.type === 'CallExpression') {
      const callee = node.callee as ASTNode;
      const name = callee.type.endsWith('MemberExpression') ? ((callee as { property?: { name?: string } }).property?.name ?? '') : '';
      const [first] = node.arguments;
      if (/^(?:status|code|sendStatus|writeHead)$/.test(name) && first !== undefined && (first as { value?: unknown }).value === 400) return first as never;
      node = callee;
    } else if (node.type.endsWith('MemberExpression')) node = (node as unknown as { object: ASTNode }).object;
    else return undefined;
  }
}

function withStatus404(call: CallExpression, j: JSCodeshift, rename: boolean): boolean {
  const status = statusArgument(call);
  if (status === undefined) return false;
  setNumber(status, 404);
  const inner = j(call as never) as Collection;
  inner.find(j.UnaryExpression, { operator: '-' }).forEach((path) => {
    const argument = path.node.argument as { value?: unknown };
    if (argument.value === -CODE_MISSING) setNumber(argument as { value: number }, -CODE_UNKNOWN);
  });
  if (!rename) return true;
  // The text of the copy says what happened; the text for requests without an id stays.
  const texts = messageTexts(inner, call, j);
  for (const text of texts) {
    text.value = NOT_FOUND;
    delete (text as { extra?: unknown }).extra;
    delete (text as { raw?: unknown }).raw;
  }
  return true;
}

const setNumber = (literal: { value: number }, value: number): void => {
  literal.value = value;
  delete (literal as { extra?: unknown }).extra;
  delete (literal as { raw?: unknown }).raw;
};

const isText = (node: unknown): node is StringLiteral => typeof (node as { value?: unknown } | undefined)?.value === 'string';

function messageTexts(inner: Collection, call: CallExpression, j: JSCodeshift): StringLiteral[] {
  const texts: StringLiteral[] = [];
  const add = (path: ASTPath): void => {
    const { key, value } = path.node as unknown as { key: { name?: string; value?: unknown }; value: unknown };
    if (/^(?:message|error)$/.test(String(key.name ?? key.value)) && isText(value)) texts.push(value);
  };
  inner.find(j.ObjectProperty).forEach(add);
  inner.find(j.Property).forEach(add);
  const [only] = call.arguments;
  if (texts.length === 0 && isText(only)) texts.push(only);
  return texts;
}

/** Standing alone: replies in the branch of `!id || !map[id]`, with `id` read from the session header. */
function findReplies(root: Collection, j: JSCodeshift): readonly Reply[] {
  const ids = new Set<string>();
  root.find(j.VariableDeclarator).forEach((path) => {
    const { id, init } = path.node;
    if (id.type === 'Identifier' && init && /['"`]mcp-session-id['"`]/i.test(j(init as never).toSource())) ids.add(id.name);
  });
  return badRequests(root, j).flatMap((path, index): readonly Reply[] => {
    let branch: ASTPath = path;
    for (let parent = above(branch); parent !== undefined && !(parent.type === 'IfStatement' && parent.consequent === branch.node); parent = above(branch))
      branch = branch.parent as ASTPath;
    const statement = above(branch);
    if (statement?.type !== 'IfStatement') return [];
    const test = j(statement.test as never).toSource();
    for (const id of ids) {
      const missingOrUnknown = new RegExp(`^!${id}\\s*\\|\\|\\s*!\\w+(?:\\[${id}\\]|\\.(?:has|get)\\(${id}\\))$`);
      if (missingOrUnknown.test(test)) return [{ index, mixed: true, id }];
    }
    return [];
  });
}
