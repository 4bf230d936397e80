import { ts } from 'ts-morph';
import { type TypeScriptFile, declarationOf, eachNode, instanceOrigin } from '../../../src/languages/typescript/index.js';
import { canonical } from '../../_mcp/canonical.js';
import { bare } from '../nodes.js';
import type { Obstacle } from './bindings.js';

/**
 * Servers that a published package hands to functions of its consumers: `initialize(server)`, where `initialize` is a parameter. The consumers call methods
 * of v1 on them (`server.tool(…)`) that v2 does not have, and their code is not here to be migrated with it.
 */
export function handedOut(file: TypeScriptFile): readonly Obstacle[] {
  const obstacles: Obstacle[] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isCallExpression(node)) return;
    const callee = bare(node.expression);
    if (!ts.isIdentifier(callee)) return;
    const declared = declarationOf(callee, file)?.node;
    if (declared === undefined || !ts.isParameter(declared) || !isOuter(declared)) return;
    const server = node.arguments.find((argument) => ['McpServer', 'Server'].includes(canonical(instanceOrigin(bare(argument), file))?.name ?? ''));
    if (server === undefined) return;
    obstacles.push({
      file,
      node,
      why: `\`${callee.text}\` is a function of a consumer of this package, and gets a server of SDK v1 with methods that v2 does not have.`,
      next: 'Plan a major version in which consumers move to SDK v2 with you: migrate this package together with a consumer, in one workspace.',
    });
  });
  return obstacles;
}

/** A parameter of a function at the top of the module, which others can call. */
function isOuter(parameter: ts.ParameterDeclaration): boolean {
  for (let node: ts.Node = parameter.parent.parent; !ts.isSourceFile(node); node = node.parent) if (ts.isFunctionLike(node)) return false;
  return true;
}
