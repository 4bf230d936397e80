import { argumentsOf, calledName, constantOf, enclosingClass, originsOf, type PyNode } from '../../../src/languages/python/index.js';
import type { Certainty, Site } from '../../../src/core/index.js';
import { isCommonField, isTellingField, snakeField } from '../../_mcp/python/fields.js';
import { nodesOf } from '../../_mcp/python/nodes.js';
import { isFrameworkPath, isSdkPath } from '../../_mcp/python/paths.js';
import { sdkTypes, sdkTypesOf } from '../../_mcp/python/types.js';
import { readsBoth } from '../both.js';
import type { Scene } from './scene.js';

/** Names that nobody but the protocol gives to a class, in a module that speaks of it. */
const HANDED_ON = /^(?:[\w.]*mcp[\w.]*\.)?(?:CreateMessage|Elicit|CallTool|ReadResource|GetPrompt|Initialize)(?:Request)?(?:Params|Result)$/i;

const BUILT_IN: ReadonlySet<string> = new Set(['list', 'dict', 'tuple', 'str', 'int', 'object', 'enter']);

/** How sure it is that an object is one of the SDK; `undefined` when it is known to be something else. */
export function certaintyOf(object: PyNode, field: string, scene: Scene): Certainty | undefined {
  const { file, relation } = scene;
  const types = sdkTypesOf(object, file).filter(({ name }) => !BUILT_IN.has(name));
  const own = types.filter(({ name }) => name.startsWith('@'));
  if (types.some(({ name }) => isSdkPath(name) && sdkTypes.returns(name) !== undefined)) return 'certain';
  if (own.some(({ name }) => derives(name.slice(1), scene))) return 'likely';
  // `self` in a class of this file that derives from nothing of the SDK, and objects of such classes.
  if (own.length > 0) return undefined;
  // The standalone framework hands models of the SDK to callbacks of clients, under names of its own.
  if (types.some(({ name }) => /^fastmcp\.client\.(?:sampling|elicitation)\./.test(name))) return 'possible';
  // A library that wraps the SDK hands its parameters and results on under their own names.
  if (types.some(({ name }) => HANDED_ON.test(name))) return 'possible';
  if (types.length > 0 && types.every(({ name }) => !isMock(name) && !/^(?:Any|object)$/.test(name)) && !relation.sdk) return undefined;
  if (relation.other && isCommonField(field)) return undefined;
  if (file.textOf(object).endsWith('.client_params')) return 'certain';
  if (relation.sdk || relation.framework) return isCommonField(field) ? 'possible' : 'likely';
  // Without any import of the SDK a name that everybody uses says nothing.
  return isCommonField(field) && !isTellingField(field) ? undefined : 'possible';
}

const isMock = (name: string): boolean => /Mock$|SimpleNamespace$/.test(name);

/** A class of this file that derives from a model of the SDK, or from one of another module that may. */
function derives(name: string, { file }: Scene, depth = 0): boolean {
  const definition = file.bindings.root.names.get(name)?.sites.find(({ how }) => how === 'class')?.node;
  if (!definition || depth > 5) return false;
  return argumentsOf(definition, file).positional.some(
    (base) => isImportedFromSdk(base, file) || (base.kind === 'identifier' && derives(file.textOf(base), { file } as Scene, depth + 1)),
  );
}

/** True when a class expression is imported from the SDK or from the standalone framework. */
function isImportedFromSdk(base: PyNode, file: Scene['file']): boolean {
  const head = base.kind === 'subscript' ? (base.get('value') ?? base) : base;
  return originsOf(head, file).some(({ path }) => isSdkPath(path) || isFrameworkPath(path) || path.startsWith('mcp_types.'));
}

/** Reads, writes and names in strings of the fields that SDK v2 spells in snake case. */
export function detectFields(scene: Scene): void {
  const { file, say } = scene;
  for (const node of nodesOf(file, 'attribute')) {
    const name = node.get('attribute');
    const object = node.get('object');
    const text = name && file.textOf(name);
    const target = text === undefined ? undefined : snakeField(text);
    if (!object || text === undefined || target === undefined) continue;
    const certainty = certaintyOf(object, text, scene);
    if (!certainty) continue;
    const written = (node.parent?.kind === 'assignment' || node.parent?.kind === 'augmented_assignment') && node.field === 'left';
    // A method of that name is no field.
    if (node.parent?.kind === 'call' && node.field === 'function') continue;
    if (object.kind === 'call' && /^(?:super|Field)\b/.test(file.textOf(object))) continue;
    if (!written && readsBoth(node, object, target, file)) say('both-spellings', node, { name: text, target }, { certainty });
    else if (isMeta(object, text, scene)) say('request-meta', node, { name: text, target });
    else say(written ? 'camel-write' : 'camel-read', node, { name: text, target }, { certainty, ...hidden(node, object, file) });
  }
  for (const call of nodesOf(file, 'call')) detectName(call, scene);
  for (const definition of nodesOf(file, 'class_definition')) detectRedeclared(definition, scene);
}

/** Why nobody would notice: the failure is caught and dropped, or the object is a mock that has every name. */
function hidden(node: PyNode, object: PyNode, file: Scene['file']): { readonly evidence?: readonly string[]; readonly related?: readonly Site[] } {
  const clause = swallowedBy(node, file);
  if (clause)
    return {
      evidence: ['the failure is caught and dropped, so that nothing shows it'],
      related: [file.site({ start: clause.start, end: clause.start + 'except'.length }, 'drops the failure')],
    };
  let root = object;
  while (root.kind === 'attribute') root = root.get('object') ?? root.children[0] ?? root;
  const made =
    root.kind === 'identifier'
      ? file.bindings
          .of(root)
          ?.sites.map(({ node: site }) => site.get('right'))
          .find((value) => value?.kind === 'call')
      : undefined;
  if (!made || !isMock(calledName(made, file) ?? '') || argumentsOf(made, file).keywords.some(({ name }) => name === 'spec' || name === 'spec_set')) return {};
  return {
    evidence: ['a mock has every name, so that a test with it stays green: use a real object, or `spec=`'],
    related: [file.site(made, 'the mock')],
  };
}

/** The clause that catches whatever a read raises and goes on as if nothing had been. */
function swallowedBy(node: PyNode, file: Scene['file']): PyNode | undefined {
  for (let at: PyNode | undefined = node; at && at.kind !== 'function_definition'; at = at.parent) {
    if (at.parent?.kind !== 'try_statement' || at.field !== 'body') continue;
    const clause = at.parent.children.find((child) => {
      if (child.kind !== 'except_clause') return false;
      const caught = child.get('value');
      return caught === undefined || /^\(?(?:[\w.]+,\s*)*(?:Base)?Exception\b|\bAttributeError\b/.test(file.textOf(caught));
    });
    if (clause && !/\braise\b|\.exception\(|\.error\(|\.warning\(/.test(file.textOf(clause))) return clause;
  }
  return undefined;
}

/** `ctx.meta.progressToken`, `params.meta.progressToken`. */
const isMeta = (object: PyNode, field: string, { file }: Scene): boolean =>
  field === 'progressToken' &&
  (/(?:^|\.)_?meta$/.test(file.textOf(object)) || sdkTypesOf(object, file).some(({ name }) => name === 'mcp.types.RequestParamsMeta'));

const ASKING: ReadonlySet<string> = new Set(['getattr', 'hasattr', 'setattr', 'delattr']);

function detectName(call: PyNode, scene: Scene): void {
  const { file, say } = scene;
  const called = calledName(call, file);
  const args = argumentsOf(call, file).positional;
  if (called !== undefined && (ASKING.has(called) || /(?:^|_)(?:get|read|safe)_?(?:attr|field|attribute)$/i.test(called))) {
    const [object] = args;
    const found = args
      .slice(1)
      .map((arg) => constantOf(arg, file))
      .find((value): value is string => typeof value === 'string' && snakeField(value) !== undefined);
    const target = found === undefined ? undefined : snakeField(found);
    if (!object || found === undefined || target === undefined) return;
    // A name that is asked for beside its other spelling reads both majors.
    const certainty = certaintyOf(object, found, scene);
    if (!certainty) return;
    if (readsBoth(call, object, target, file)) say('both-spellings', call, { name: found, target }, { certainty });
    else say('camel-default', call, { name: found, target, form: `\`${called}\`` }, { certainty });
    return;
  }
}

function detectRedeclared(definition: PyNode, scene: Scene): void {
  const { file, say } = scene;
  if (!argumentsOf(definition, file).positional.some((base) => isImportedFromSdk(base, file))) return;
  for (const statement of definition.get('body')?.children ?? []) {
    const assignment = statement.kind === 'expression_statement' ? statement.children[0] : undefined;
    const left = assignment?.kind === 'assignment' ? assignment.get('left') : undefined;
    const name = left?.kind === 'identifier' ? file.textOf(left) : undefined;
    const target = name === undefined ? undefined : snakeField(name);
    if (left && name !== undefined && target !== undefined && enclosingClass(left) === definition) say('redeclared-field', left, { name, target });
  }
}
