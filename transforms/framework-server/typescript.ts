import { ts } from 'ts-morph';
import type { Detector, FindingDetails } from '../../src/core/index.js';
import { constantOf, declarationOf, originOf, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { sdkOf } from '../_mcp/sdk-table.js';
import { calledMember, memberName, nameText, receiverOf, unwrap } from '../_mcp/typescript/nodes.js';
import { isNothing, readOptions } from '../_mcp/typescript/options.js';
import { adviceFor, frameworkOf } from './frameworks.js';

export type Kind = 'framework-instance' | 'durable-session' | 'session-store-option' | 'sse-endpoint' | 'session-argument';

/** Classes and functions that build a whole server, by the name that frameworks export. */
const CLASSES = /^(?:FastMCP|MCPServer|McpApp|MCPApp)$/;
const FUNCTIONS =
  /^(?:createMcpHandler|createMcpRouteHandler|experimental_createMcpHandler|initializeMcpApiHandler|createMCPServer|withMcpAuth|xmcpHandler|mcpRouteHandler)$/;

/** The class or function of a framework that is part of this repository: it has no package name to be called by. */
const IN_HOUSE = /[\w$]+$/;

/** Reports servers that a framework builds, agents with one object per session, and options that only sessions need. */
export const typescript: Detector<'typescript', Kind> = (file, report) => {
  /** Frameworks that were told of already. */
  const told = new Set<string>();
  const say = (kind: Kind, node: ts.Node, call: string, framework: string, details: FindingDetails = {}): void => {
    report.finding(kind, file.span(node), {
      group: `framework ${framework}`,
      ...details,
      data: { call, framework: framework === '.' ? (IN_HOUSE.exec(call)?.[0] ?? call) : framework, advice: adviceFor(framework), ...details.data },
    });
  };
  return {
    NewExpression(node) {
      const name = nameOf(node.expression);
      const unknown = name === undefined ? undefined : unknownFramework(node.expression, file, name);
      if (unknown !== undefined && !told.has(unknown)) {
        told.add(unknown);
        report.gap(
          `builds a server with \`${String(name)}\` of \`${unknown}\`, a framework that is not known here: its sessions and revisions were not looked at. Look in its release notes for 2026-07-28, and ask the running server with \`verify\`.`,
        );
      }
      if (name === undefined || !CLASSES.test(name)) return;
      const framework = frameworkAt(node.expression, file, name);
      if (framework === undefined) return;
      const stateless = isStateless(node, file);
      say('framework-instance', node, `new ${name}`, framework, {
        certainty: framework.startsWith('.') ? 'likely' : 'certain',
        ...(stateless ? { evidence: ['its options say that it keeps no sessions; the revision is still that of the framework'] } : {}),
      });
    },
    ClassDeclaration(node) {
      for (const type of node.heritageClauses?.flatMap((clause) => [...clause.types]) ?? []) {
        const name = nameOf(type.expression);
        if (name === undefined || !/^(?:McpAgent|MCPAgent)$/.test(name)) continue;
        const className = node.name?.text ?? '';
        report.fact({ type: 'object-class', site: report.site(file.span(node.name ?? node)), className });
        say('durable-session', node.name ?? node, name, 'agents', { data: { className } });
      }
    },
    CallExpression(call) {
      const method = calledMember(call);
      const receiver = receiverOf(call);
      if (method === undefined) {
        const name = nameOf(call.expression);
        if (name === undefined || !FUNCTIONS.test(name)) return;
        const framework = frameworkAt(call.expression, file, name);
        if (framework === undefined || sdkOf(framework) !== undefined) return;
        say('framework-instance', call, name, framework, { certainty: framework.startsWith('.') ? 'likely' : 'certain' });
        return;
      }
      if (receiver === undefined || !/^(?:serve|serveSSE|mount|fetch)$/.test(method) || method === 'fetch') return;
      const path = call.arguments[0] === undefined ? undefined : constantOf(call.arguments[0], file);
      if (typeof path !== 'string' || !path.startsWith('/') || !isAgentClass(receiver, file)) return;
      say(method === 'serve' ? 'durable-session' : 'sse-endpoint', call, `${receiver.getText(file.tree)}.${method}`, 'agents');
    },
    PropertyAssignment(node) {
      const name = nameText(node.name);
      if ((name !== 'redisUrl' && name !== 'sessionStore' && name !== 'sessionAdapter') || isNothing(node.initializer)) return;
      const framework = importedFramework(file);
      if (framework !== undefined) say('session-store-option', node, name, framework);
    },
    PropertyAccessExpression(node) {
      if (node.name.text !== 'sessionId') return;
      const owner = unwrap(node.expression);
      if (!ts.isIdentifier(owner) || !/^(?:context|ctx|session|extra)$/.test(owner.text) || declarationOf(owner, file)?.kind !== 'parameter') return;
      const framework = importedFramework(file);
      if (framework !== undefined) say('session-argument', node, `${owner.text}.sessionId`, framework, { certainty: 'likely' });
    },
  };
};

const nameOf = (node: ts.Node): string | undefined => {
  const value = unwrap(node);
  return ts.isIdentifier(value) ? value.text : memberName(value);
};

/** The framework that a class or function comes from: its package, or a module of the same repository that is called like one. */
function frameworkAt(node: ts.Node, file: TypeScriptFile, name: string): string | undefined {
  const origin = originOf(node, file);
  // `FastMCP` is nobody else's name; a class of the same file is the framework itself.
  if (origin === undefined)
    return name === 'FastMCP' && ts.isIdentifier(unwrap(node)) && declarationOf(unwrap(node), file)?.kind !== 'class' ? 'fastmcp' : undefined;
  const known = frameworkOf(origin.module);
  if (known !== undefined) return known;
  // The framework's own examples and tests import it by path.
  if (name === 'FastMCP' && !origin.module.startsWith('.')) return 'fastmcp';
  return origin.module.startsWith('.') && (name === 'FastMCP' || /MCPServer|fast-?mcp|mcp-?handler|handler|src\/?(?:index)?|core/i.test(origin.module))
    ? '.'
    : undefined;
}

/** A package that calls itself one of MCP, exports a class that is called like a server, and is neither the SDK nor known. */
function unknownFramework(node: ts.Node, file: TypeScriptFile, name: string): string | undefined {
  if (!/mcp|server|app$/i.test(name) || /client|error|transport|schema|agent|session|host|manager/i.test(name)) return undefined;
  const module = originOf(node, file)?.module;
  if (module === undefined || module.startsWith('.') || /^(?:node:|@modelcontextprotocol\/|[@~#]\/)/.test(module)) return undefined;
  return /(?:^|[/@-])mcp(?:[-/]|$)/i.test(module) && sdkOf(module) === undefined && frameworkOf(module) === undefined ? module : undefined;
}

const importedFramework = (file: TypeScriptFile): string | undefined => {
  for (const statement of file.tree.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const module = statement.moduleSpecifier.text;
    const known = frameworkOf(module);
    if (known !== undefined) return known;
    if (module.startsWith('.') && /\bFastMCP\b/.test(statement.importClause?.getText(file.tree) ?? '')) return '.';
  }
  return undefined;
};

/** A class of this file that extends `McpAgent`, or one that comes from elsewhere and is served like one. */
function isAgentClass(receiver: ts.Node, file: TypeScriptFile): boolean {
  if (!ts.isIdentifier(receiver)) return false;
  const node = declarationOf(receiver, file)?.node;
  if (receiver.text === 'McpAgent') return true;
  if (node !== undefined && ts.isClassDeclaration(node))
    return (node.heritageClauses ?? []).some((clause) => clause.types.some((type) => /McpAgent$/i.test(type.expression.getText(file.tree))));
  return /MCP|Mcp/.test(receiver.text) && originOf(receiver, file)?.module.startsWith('.') === true;
}

function isStateless(node: ts.NewExpression, file: TypeScriptFile): boolean {
  const value = readOptions(node.arguments?.[0], file).values.get('stateless');
  return value !== undefined && constantOf(value, file) === true;
}
