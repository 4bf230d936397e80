import { ts } from 'ts-morph';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { isWithin, unwrap, unwrapAwait } from '../../_mcp/typescript/nodes.js';
import { serverClass } from '../../_mcp/typescript/sdk.js';
import { HANDSHAKE, builderProof } from './factory.js';
import { type OwnerClass, assignedTo, bodyOf, localsIn, outerUse, ownerClass } from './fields.js';
import { BY_HAND, type Builder, type NoEntryPlan, stop } from './model.js';
import { handshakeHook, obstacleIn } from './movable.js';
import { type Parts, obstacle, partsOf, splitMethods } from './owner-parts.js';
import { writeClass } from './owner-text.js';

/**
 * A class that keeps its server in a field: `this.server = new Server(…)` and its registrations become a method that builds the server of one
 * connection. On stdio one connection exists at a time, so the field names its server, and all other state of the object stays.
 */
export function classBuilder(
  receiver: ts.PropertyAccessExpression,
  connect: ts.CallExpression,
  file: TypeScriptFile,
  has: (path: string) => boolean,
): Builder | NoEntryPlan {
  const owner = ownerClass(connect, file);
  const field = receiver.name.text;
  if (owner === undefined) return stop('the server is a field of no class that could be found', BY_HAND, file, connect);
  const method = owner.node.members.find((member) => isWithin(connect, member));
  const declared = owner.node.members.find((member): member is ts.PropertyDeclaration => ts.isPropertyDeclaration(member) && fieldName(member) === field);
  const uses = owner.usesOf(field);
  if (method === undefined || !uses.some(({ node }) => node === unwrap(receiver)))
    return stop('the connection stands in a function with a `this` of its own', BY_HAND, file, connect);
  if (declared !== undefined && (ts.getCombinedModifierFlags(declared) & ts.ModifierFlags.Static) !== 0)
    return stop(`\`${field}\` is static`, BY_HAND, file, declared);
  const outer = outerUse(owner, field);
  if (outer !== undefined) return stop(`\`${field}\` is also used outside of its class`, BY_HAND, file, outer);
  if (isOpen(declared, owner, file))
    return stop(`\`${field}\` is public in an exported class, so code outside of it may use the server`, BY_HAND, file, declared ?? owner.node);

  const assignments = uses.filter(({ node }) => assignedTo(node) !== undefined);
  const initial = declared?.initializer;
  const [only] = assignments;
  const value = initial === undefined ? (only === undefined ? undefined : assignedTo(only.node)) : unwrapAwait(initial);
  if (value === undefined || assignments.length + (initial === undefined ? 0 : 1) !== 1)
    return stop(
      `\`this.${field}\` is not built at exactly one place`,
      BY_HAND,
      file,
      ...(assignments.length > 0 ? assignments.map(({ node }) => node) : [receiver]),
    );
  let builder: Builder['builder'];
  if (ts.isCallExpression(value)) {
    const proof = builderProof(
      value,
      { origin: 'fresh', made: value, awaited: false, member: undefined, factory: undefined, variable: undefined, server: undefined },
      file,
      has,
    );
    if (!proof.ok) return proof;
    builder = proof.builder;
  } else if (!ts.isNewExpression(value) || serverClass(value.expression, file) === undefined)
    return stop(`it could not be followed how \`this.${field}\` is built`, BY_HAND, file, value);

  const parts = partsOf(owner, field, uses, connect, method);
  if ('why' in parts) return stop(parts.why, BY_HAND, file, parts.node);
  return assemble(owner, field, declared, parts, method, file, builder);
}

const fieldName = (member: ts.PropertyDeclaration): string | undefined =>
  ts.isIdentifier(member.name) || ts.isPrivateIdentifier(member.name) ? member.name.text : undefined;

/** A field that code of other files may reach. JavaScript says `private` with `#` only, so there the habit counts. */
function isOpen(declared: ts.PropertyDeclaration | undefined, owner: OwnerClass, file: TypeScriptFile): boolean {
  if (file.isJavaScript || declared === undefined || ts.isPrivateIdentifier(declared.name)) return false;
  const flags = ts.getCombinedModifierFlags(declared);
  return (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) === 0 && (ts.getCombinedModifierFlags(owner.node) & ts.ModifierFlags.Export) !== 0;
}

function assemble(
  owner: OwnerClass,
  field: string,
  declared: ts.PropertyDeclaration | undefined,
  parts: Parts,
  method: ts.ClassElement,
  file: TypeScriptFile,
  builder: Builder['builder'],
): Builder | NoEntryPlan {
  const constructor = owner.node.members.find(ts.isConstructorDeclaration);
  const split = splitMethods(owner, parts, file);
  if ('why' in split) return stop(split.why, BY_HAND, file, split.node);
  const { moved } = split;
  const bodies = [...parts.eager].filter((member) => !split.kept.has(member)).flatMap((member) => bodyOf(member) ?? []);
  const inLine = [...moved];
  const problem = obstacle([...inLine, ...bodies], owner, file) ?? obstacleIn(inLine, () => true, file, true);
  if (problem !== undefined) return stop(problem.why, BY_HAND, file, problem.node);
  for (const member of [constructor, method, ...split.kept]) {
    const body = bodyOf(member);
    if (member === undefined || body === undefined) continue;
    const local = localsIn(
      inLine.filter((statement) => isWithin(statement, member)),
      member,
      file,
    );
    if (local !== undefined) return stop(`building the server needs \`${local.text}\`, which exists only inside of this function`, BY_HAND, file, local);
  }
  const hook = handshakeHook([...inLine, ...bodies]);
  return {
    ok: true,
    expression: '',
    edits: writeClass(owner, field, declared, inLine, constructor, method, file),
    todo: hook === undefined ? [] : [HANDSHAKE],
    notes: [`Each connection gets a server of its own; everything else in \`${owner.node.name?.text ?? 'the class'}\` stays as it is.`],
    closings: parts.closings.filter((call) => !inLine.some((statement) => isWithin(call, statement))),
    keeps: false,
    home: declared ?? method,
    builder,
  };
}
