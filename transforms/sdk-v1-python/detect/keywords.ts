import { argumentsOf, calledName, stringValue, type KeywordArgument, type PyNode } from '../../../src/languages/python/index.js';
import { isCommonField, snakeField } from '../../_mcp/python/fields.js';
import { nodesOf, receiverOf } from '../../_mcp/python/nodes.js';
import { isClassPath, sdkPaths } from '../../_mcp/python/paths.js';
import { sdkTypesOf } from '../../_mcp/python/types.js';
import type { Scene } from './scene.js';

/** Methods of models that name fields: as keywords, or in a dictionary or a set. */
const KEYED: ReadonlySet<string> = new Set(['model_copy', 'copy', 'model_construct', 'construct', 'model_dump', 'model_dump_json', 'dict', 'json']);
const KEYS: ReadonlySet<string> = new Set(['update', 'include', 'exclude']);
/** Stand-ins for SDK objects in tests. */
const STAND_IN = /(?:^|\.)(?:Mock|MagicMock|AsyncMock|NonCallableMock|SimpleNamespace|namedtuple)$/;

/** Helpers of tests that build an object of the SDK. */
const MAKES = /^_?(?:make|create|build|fake|mock)?_?(?:tool|result|annotations?|resource|call_tool|prompt)/i;
type Details = NonNullable<Parameters<Scene['say']>[3]>;

/** The value of the last keyword may be long; its name is enough. */
const nameEnd = (keyword: KeywordArgument): number => keyword.node.get('name')?.end ?? keyword.node.end;

/** Fields of SDK v1 as keywords of constructors, and as keys of what names fields. */
export function detectKeywords(scene: Scene): void {
  const { file, relation, say } = scene;
  detectWire(scene);
  for (const call of nodesOf(file, 'call')) {
    const callee = call.get('function');
    if (!callee) continue;
    const args = argumentsOf(call, file);
    const method = calledName(call, file);
    const receiver = receiverOf(call);
    if (method !== undefined && receiver && KEYED.has(method)) detectKeys(call, method, receiver, scene);
    const schema = args.keywords.find(({ name }) => name === 'inputSchema' || name === 'input_schema');
    if (schema && isOpen(schema.value, file) && sdkPaths(callee, file).includes('mcp.types.Tool')) say('empty-schema', schema.node, { name: schema.name });
    // A stand-in that has both spellings serves readers of both majors.
    const camel = args.keywords.filter(({ name }) => snakeField(name) !== undefined && !args.keyword(snakeField(name) ?? name));
    if (camel.length === 0) continue;
    const path = sdkPaths(callee, file).find(isClassPath);
    const text = file.textOf(callee);
    const standIn = STAND_IN.test(text);
    const asked = method === 'elicit' || method === 'elicit_form' || method === 'create_message';
    const details = ((): Details | undefined => {
      if (asked) return relation.sdk || relation.framework ? { impact: 'breaks' } : undefined;
      if (path !== undefined) return {};
      if (standIn) return { certainty: 'possible', impact: 'breaks' };
      if (sdkTypesOf(call, file).some((type) => type.name.startsWith('@')) && derivesFromSdk(callee, scene)) return { certainty: 'likely' };
      // Models of the SDK have no members with underscores, and no `id`.
      const foreign = args.keywords.some(({ name }) => name === 'id' || /[a-z]_[a-z]/.test(name));
      return relation.sdk && method !== undefined && MAKES.test(method) && !foreign ? { certainty: 'possible' } : undefined;
    })();
    if (!details) continue;
    const told = camel.filter(({ name }) => {
      if (asked) return name === 'requestedSchema';
      if (path !== undefined || details.certainty === 'likely') return true;
      return (standIn && (relation.sdk || relation.framework)) || !isCommonField(name);
    });
    const last = told.at(-1);
    if (!last) continue;
    // From the callee on: that is the line that a reader looks for, and the keywords follow.
    const shown = told.map(({ name }) => name).join('=`, `');
    const target = told.map(({ name }) => `${snakeField(name) ?? name}=`).join('`, `');
    say('camel-keyword', { start: callee.start, end: nameEnd(last) }, { name: shown, target, callee: asked ? (method ?? text) : text }, details);
  }
}

/** `{}` or a dictionary that names everything but the type. */
const isOpen = (value: PyNode, file: Scene['file']): boolean =>
  value.kind === 'dictionary' &&
  value.children.every(
    (pair) =>
      pair.kind === 'pair' &&
      pair.get('key') !== undefined &&
      !['type', '$ref', 'anyOf', 'allOf', 'oneOf'].includes(stringValue(pair.get('key') as PyNode, file) ?? 'type'),
  );

/** A tool of the wire, written as a dictionary: it is read by a client of SDK v2 one day. */
function detectWire(scene: Scene): void {
  const { file, relation, say } = scene;
  // Only a program that answers `tools/list` itself sends such a dictionary.
  if (!file.text.includes('inputSchema') || !/["']tools\/list["']/.test(file.text)) return;
  for (const pair of nodesOf(file, 'pair')) {
    const [key, value] = [pair.get('key'), pair.get('value')];
    if (!key || !value || stringValue(key, file) !== 'inputSchema' || !isOpen(value, file)) continue;
    const named = pair.parent?.children.find((other) => other.get('key') && stringValue(other.get('key') as PyNode, file) === 'name')?.get('value');
    const tool = named && stringValue(named, file);
    if (tool !== undefined) scene.fact({ type: 'open-schema', site: file.site(pair), tool });
    if (named) say('empty-schema', pair, { name: 'inputSchema' }, { certainty: relation.sdk ? 'likely' : 'possible', impact: 'degrades' });
  }
}

function derivesFromSdk(callee: PyNode, { file }: Scene): boolean {
  const definition = callee.kind === 'identifier' ? file.bindings.of(callee)?.sites.find(({ how }) => how === 'class')?.node : undefined;
  return (
    definition !== undefined &&
    argumentsOf(definition, file).positional.some((base) => sdkPaths(base.kind === 'subscript' ? (base.get('value') ?? base) : base, file).some(isClassPath))
  );
}

function detectKeys(call: PyNode, method: string, receiver: PyNode, { file, relation, say }: Scene): void {
  const known = sdkTypesOf(receiver, file);
  const sdk = known.some(({ name }) => name.startsWith('mcp.types.')) || sdkPaths(receiver, file).some(isClassPath);
  if (known.length > 0 && !sdk) return;
  if (!sdk && !relation.sdk) return;
  for (const { name, value } of argumentsOf(call, file).keywords) {
    if (method.endsWith('construct')) continue;
    if (!KEYS.has(name)) continue;
    const keys =
      value.kind === 'dictionary'
        ? value.children.flatMap((pair) => pair.get('key') ?? [])
        : value.kind === 'set' || value.kind === 'list' || value.kind === 'tuple'
          ? value.children
          : [];
    for (const key of keys) {
      const text = stringValue(key, file);
      const target = text === undefined ? undefined : snakeField(text);
      if (text !== undefined && target !== undefined && (sdk || !isCommonField(text)))
        say('field-key', key, { name: text, target, form: `\`${method}(${name}=…)\`` }, sdk ? {} : { certainty: 'likely' });
    }
  }
}
