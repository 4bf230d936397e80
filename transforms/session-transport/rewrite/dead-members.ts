import { ts } from 'ts-morph';
import { type TypeScriptFile, eachNode, propertyNameOf } from '../../../src/languages/typescript/index.js';
import { isFunctionNode, isWithin, memberName, nameText, unwrap } from '../../_mcp/typescript/nodes.js';
import type { Files } from '../handler-code.js';
import type { Machinery } from '../machinery.js';
import { isQuietValue } from './harmless.js';

/** A place where a member is named, in any object: names are compared, not types, so that a doubt keeps the member. */
interface MemberUse {
  readonly file: TypeScriptFile;
  readonly node: ts.Node;
}

/** Places where members are named, by name. */
export type MemberUses = ReadonlyMap<string, readonly MemberUse[]>;

/** All places of some files that name a member. */
export function memberUses(files: readonly TypeScriptFile[]): MemberUses {
  const uses = new Map<string, MemberUse[]>();
  for (const file of files) {
    eachNode(file.tree, (node) => {
      const name =
        ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)
          ? memberName(node)
          : ts.isBindingElement(node)
            ? nameText(node.propertyName ?? node.name)
            : ts.isPropertySignature(node) || ts.isMethodSignature(node)
              ? propertyNameOf(node.name)
              : undefined;
      if (name !== undefined) uses.set(name, [...(uses.get(name) ?? []), { file, node }]);
    });
  }
  return uses;
}

/** Members of the classes of a file that only removed code named. */
export function deadMembers(
  file: TypeScriptFile,
  uses: MemberUses,
  isRemoved: (file: TypeScriptFile, node: ts.Node) => boolean,
  machinery: Machinery,
  files: Files,
): readonly ts.ClassElement[] {
  const found: ts.ClassElement[] = [];
  eachNode(file.tree, (node) => {
    if (!ts.isClassLike(node) || node.heritageClauses !== undefined || isRemoved(file, node)) return;
    for (const member of node.members) {
      const name = propertyNameOf(member.name);
      if (name === undefined || !canGo(member, file, machinery, files) || isRemoved(file, member)) continue;
      const outside = (uses.get(name) ?? []).filter((use) => !(use.file === file && isWithin(use.node, member)));
      if (outside.length > 0 && outside.every((use) => isRemoved(use.file, use.node))) found.push(member);
    }
  });
  return found;
}

function canGo(member: ts.ClassElement, file: TypeScriptFile, machinery: Machinery, files: Files): boolean {
  if (ts.canHaveDecorators(member) && (ts.getDecorators(member) ?? []).length > 0) return false;
  if (ts.isMethodDeclaration(member)) return member.body !== undefined;
  if (!ts.isPropertyDeclaration(member)) return false;
  if (member.initializer === undefined) return true;
  const value = unwrap(member.initializer);
  return isFunctionNode(value) || isQuietValue(member.initializer, file, machinery, files);
}
