import { ts } from 'ts-morph';
import { declarationOf, eachNode, enclosingFunction, type TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { calledMember, isModuleLevel, receiverOf, unwrap, wrapped } from '../../_mcp/typescript/nodes.js';
import { sessionCode } from '../../_mcp/typescript/sessions.js';

/** Calls of a server object that answer with what the client said at `initialize`. */
const READERS: ReadonlySet<string> = new Set(['getClientCapabilities', 'getClientVersion']);

/** A module variable, or an entry of a module container, that takes what one client said about itself. */
export interface SharedClientData {
  readonly node: ts.Node;
  readonly name: string;
  readonly call: string;
}

/** Finds assignments of client data to values that all requests of the process share. */
export function sharedClientData(file: TypeScriptFile): readonly SharedClientData[] {
  if (!sessionCode(file).sdk) return [];
  const found: SharedClientData[] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node) || !READERS.has(calledMember(node) ?? '')) return;
    const target = targetOf(node);
    const declared = target === undefined ? undefined : declarationOf(target, file)?.node;
    if (target === undefined || declared === undefined || !ts.isVariableDeclaration(declared) || !isModuleLevel(declared)) return;
    // A server at module level is one object for one client (stdio): what it says is as shared as itself.
    if (declared.initializer !== undefined && wrapped(node).parent === declared) return;
    found.push({ node: wrapped(node).parent, name: target.text, call: calledMember(node) ?? '' });
  });
  return [...found, ...ofRoots(file), ...ofLevel(file)];
}

/** The variable that takes the value of a call: `x = call`, `x.member = call`, `x[key] = call`, `x.set(key, call)`. */
function targetOf(call: ts.CallExpression): ts.Identifier | undefined {
  let value: ts.Node = wrapped(call);
  while (ts.isBinaryExpression(value.parent) && value.parent.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) value = wrapped(value.parent);
  const parent = value.parent;
  if (ts.isBinaryExpression(parent) && parent.right === value && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    let left = unwrap(parent.left);
    while (ts.isPropertyAccessExpression(left) || ts.isElementAccessExpression(left)) left = unwrap(left.expression);
    return ts.isIdentifier(left) ? left : undefined;
  }
  if (ts.isCallExpression(parent) && parent.arguments[1] === value && calledMember(parent) === 'set') {
    const receiver = receiverOf(parent);
    return receiver !== undefined && ts.isIdentifier(receiver) ? receiver : undefined;
  }
  return undefined;
}

/** Module variables that take the roots of one client: `allowed = roots.map(…)` after `listRoots()`. */
function ofRoots(file: TypeScriptFile): readonly SharedClientData[] {
  const found: SharedClientData[] = [];
  if (!file.text.includes('listRoots(')) return found;
  eachNode(file.tree, (node) => {
    const target = moduleTarget(node, file);
    if (target === undefined) return;
    const fn = enclosingFunction(node);
    const before = fn === undefined ? '' : file.text.slice(fn.pos, target.node.end);
    if (/\blistRoots\(/.test(before) && /roots/i.test(target.node.right.getText(file.tree)))
      found.push({ node: target.node, name: target.name, call: 'listRoots' });
  });
  return found;
}

/** The log level of one client in a module variable, written by the handler of `logging/setLevel`. */
function ofLevel(file: TypeScriptFile): readonly SharedClientData[] {
  const found: SharedClientData[] = [];
  if (!/SetLevelRequestSchema|logging\/setLevel/.test(file.text)) return found;
  eachNode(file.tree, (node) => {
    const target = moduleTarget(node, file);
    if (target === undefined) return;
    for (let outer: ts.Node = node; !ts.isSourceFile(outer); outer = outer.parent) {
      if (!ts.isCallExpression(outer) || calledMember(outer) !== 'setRequestHandler') continue;
      if (/SetLevelRequestSchema|logging\/setLevel/.test(outer.arguments[0]?.getText(file.tree) ?? ''))
        found.push({ node: target.declared, name: target.name, call: 'logging/setLevel' });
      return;
    }
  });
  return found;
}

/** `x = …` of a variable at module level. */
function moduleTarget(
  node: ts.Node,
  file: TypeScriptFile,
): { readonly node: ts.BinaryExpression; readonly declared: ts.VariableDeclaration; readonly name: string } | undefined {
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.EqualsToken || !ts.isIdentifier(node.left)) return undefined;
  const declared = declarationOf(node.left, file)?.node;
  return declared !== undefined && ts.isVariableDeclaration(declared) && isModuleLevel(declared) ? { node, declared, name: node.left.text } : undefined;
}
