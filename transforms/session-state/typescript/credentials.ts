import { ts } from 'ts-morph';
import { declarationOf, eachNode, enclosingFunction, referencesOf, type TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { calledMember, isModuleLevel, receiverOf, unwrap } from '../../_mcp/typescript/nodes.js';
import { sessionCode } from '../../_mcp/typescript/sessions.js';

/** A credential that is kept by session id, in code that names neither header nor SDK. */
export interface KeptCredential {
  readonly name: string;
  readonly credential: string;
  readonly write: ts.Node;
  readonly reads: readonly ts.Node[];
}

const ID = /^(?:mcp_?)?session_?id$/i;
const CREDENTIAL = /^(?:authorization|bearer|access_?token|token|auth_?header)$/i;

/**
 * `kept.set(sessionId, { token, … })` in a function that takes both a session id and a credential. Only such files of an MCP package are
 * looked at; where the header or the SDK is named, the store itself is followed instead.
 */
export function keptCredentials(file: TypeScriptFile): readonly KeptCredential[] {
  const code = sessionCode(file);
  if (code.sdk || code.headerReads.length > 0) return [];
  const found: KeptCredential[] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node) || calledMember(node) !== 'set') return;
    const [key] = node.arguments;
    const receiver = receiverOf(node);
    const fn = enclosingFunction(node);
    if (key === undefined || receiver === undefined || !ts.isIdentifier(receiver) || fn === undefined) return;
    const id = unwrap(key);
    const names = fn.parameters.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
    const credential = names.find((name) => CREDENTIAL.test(name));
    if (!ts.isIdentifier(id) || !ID.test(id.text) || !names.includes(id.text) || credential === undefined) return;
    const declaration = declarationOf(receiver, file);
    if (declaration === undefined || !ts.isVariableDeclaration(declaration.node) || !isModuleLevel(declaration.node)) return;
    const reads = referencesOf(declaration, file).filter((use) => ts.isPropertyAccessExpression(use.parent) && use.parent.name.text === 'get');
    found.push({ name: receiver.text, credential, write: node, reads: reads.map((use) => use.parent.parent) });
  });
  return found;
}
