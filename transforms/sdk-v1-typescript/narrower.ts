import { ts } from 'ts-morph';
import {
  type TypeScriptFile,
  constantOf,
  eachNode,
  instanceOrigin,
  isFunctionNode,
  originOf,
  returnedExpressions,
} from '../../src/languages/typescript/index.js';
import { canonical } from '../_mcp/canonical.js';
import { methodOf } from '../_mcp/sdk-table.js';
import type { Files } from './declared.js';
import { RESULTS, isErrorAnswer, isOtherObject } from './handler-results.js';
import { bare } from './nodes.js';
import { type Registration, functionOf, registrationsOf } from './registrations.js';

/** A place that compiles with the types of SDK v1 and not with those of v2, and that nobody but its author can set right. */
export interface NarrowerPlace {
  readonly node: ts.Node;
  /** What stands there, behind "Fits the types of SDK v1 only:". */
  readonly place: string;
  /** What to write, as a sentence without its full stop. */
  readonly advice: string;
}

/** Members whose parts SDK v1 typed as any object, and v2 as JSON, by the type that has them. Source: the types of 1.32 and 2.4. */
const JSON_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  Tool: ['inputSchema', 'outputSchema'],
  ClientCapabilities: ['experimental', 'extensions'],
  ServerCapabilities: ['experimental', 'extensions'],
};

const VARIADIC = /^(?:tool|prompt|resource)$/;

/** Every such place of a file, in either SDK line; JavaScript has none. `files` are those that it may import functions from. */
export function narrowerPlaces(file: TypeScriptFile, files: Files): readonly NarrowerPlace[] {
  if (file.isJavaScript) return [];
  return [
    ...registrationsOf(file).flatMap((registration) => [...wrongResults(registration, file, files), ...expectedErrors(registration, file)]),
    ...ownTypes(file),
  ];
}

/** Returns of a request handler that are no result of its method: a JSON-RPC error, or an object without the part that the result is about. */
function wrongResults({ call, name, receiver, form, schema, handler }: Registration, file: TypeScriptFile, files: Files): readonly NarrowerPlace[] {
  const [first] = call.arguments;
  if (name !== 'setRequestHandler' || receiver === 'other' || first === undefined || call.arguments.length !== 2) return [];
  const method = form === 'schema' && schema !== undefined ? methodOf(schema) : constantOf(first, file);
  const result = typeof method === 'string' ? RESULTS[method] : undefined;
  const fn = functionOf(handler, file);
  if (result === undefined || fn === undefined || !isFunctionNode(fn)) return [];
  return returnedExpressions(fn).flatMap((returned) => {
    const inner = ts.isAwaitExpression(returned) ? returned.expression : returned;
    if (isErrorAnswer(inner, { file, files }))
      return [
        {
          node: returned,
          place: `the handler of \`${String(method)}\` returns a JSON-RPC error as its result`,
          advice: `Throw \`new ProtocolError(code, message)\`, so that the client gets an error, or return a \`${result}\`${result === 'CallToolResult' ? ' with `isError: true`' : ''}`,
        },
      ];
    // What is cast is taken as it is.
    if (!ts.isObjectLiteralExpression(returned) || fn.type !== undefined || !isOtherObject(returned, result, file)) return [];
    return [
      {
        node: returned,
        place: `the handler of \`${String(method)}\` returns an object that is no \`${result}\``,
        advice: `Return a \`${result}\`: SDK v2 has no other answer to this method`,
      },
    ];
  });
}

/** A comment among the arguments that expects an error: v2 may report it at the call, so that the comment is one error and the call another. */
function expectedErrors({ call, name, receiver }: Registration, file: TypeScriptFile): readonly NarrowerPlace[] {
  if (receiver === 'other' || receiver === 'unknown') return [];
  const expected = call.arguments.some((argument) =>
    (ts.getLeadingCommentRanges(file.text, argument.pos) ?? []).some(({ pos, end }) => /@ts-(?:expect-error|ignore)/.test(file.text.slice(pos, end))),
  );
  if (!expected) return [];
  return [
    {
      node: call,
      place: `a comment expects an error among the arguments of \`${name}\``,
      advice: 'Move the comment above the call, where SDK v2 reports that schema and handler do not match, or cast the handler and drop the comment',
    },
  ];
}

/** Types of the project that stand for a server of v1, or that give a part of an SDK type another shape. */
function ownTypes(file: TypeScriptFile): readonly NarrowerPlace[] {
  const found: NarrowerPlace[] = [];
  const interfaces = new Map(
    file.tree.statements.flatMap((statement) => (ts.isInterfaceDeclaration(statement) ? [[statement.name.text, statement] as const] : [])),
  );
  const sdkBases = (node: ts.InterfaceDeclaration | ts.ClassLikeDeclaration, depth = 0): readonly string[] =>
    (node.heritageClauses ?? [])
      .flatMap(({ types }) => types)
      .flatMap(({ expression }) => {
        const own = ts.isIdentifier(expression) ? interfaces.get(expression.text) : undefined;
        if (own !== undefined) return depth < 5 ? sdkBases(own, depth + 1) : [];
        return canonical(originOf(expression, file))?.name ?? [];
      });
  eachNode(file.tree, (node) => {
    if (ts.isInterfaceDeclaration(node) || ts.isClassLike(node)) {
      for (const base of new Set(sdkBases(node)))
        for (const member of node.members) {
          const name = member.name?.getText(file.tree) ?? '';
          const type = ts.isPropertySignature(member) || ts.isPropertyDeclaration(member) || ts.isGetAccessor(member) ? member.type : undefined;
          if (type === undefined || JSON_MEMBERS[base]?.includes(name) !== true || !/\b(?:unknown|object)\b/.test(file.textOf(type))) continue;
          found.push({
            node: member,
            place: `\`${name}\` is typed more widely than in \`${base}\``,
            advice: `Write \`${base}['${name}']\`, or types of JSON values in place of \`unknown\` and \`object\``,
          });
        }
    }
    if (!ts.isVariableDeclaration(node) || node.type === undefined || node.initializer === undefined || !ts.isTypeReferenceNode(node.type)) return;
    const stand = ts.isIdentifier(node.type.typeName) ? interfaces.get(node.type.typeName.text) : undefined;
    const member = stand?.members.find((own) => own.questionToken === undefined && VARIADIC.test(own.name?.getText(file.tree) ?? ''));
    if (member === undefined || canonical(instanceOrigin(bare(node.initializer), file))?.name !== 'McpServer') return;
    const name = member.name?.getText(file.tree) ?? '';
    found.push({
      node: member,
      place: `\`${node.type.typeName.getText(file.tree)}\` stands for the server and asks for \`${name}\``,
      advice: `Ask for \`register${name.charAt(0).toUpperCase()}${name.slice(1)}(name, config, handler)\` here, and call that`,
    });
  });
  return found;
}
