import { argumentsOf, constantOf, importedNames, parametersOf, type PyNode } from '../../../src/languages/python/index.js';
import { decoratorMethods, nodesOf } from '../../_mcp/python/nodes.js';
import { sdkPaths } from '../../_mcp/python/paths.js';
import { familyOf } from '../../_mcp/python/servers.js';
import { isInstance } from '../../_mcp/python/types.js';
import { BROUGHT } from '../brought.js';
import type { Scene } from './scene.js';

const COMMON = 'uri name title description mime_type icons annotations meta'.split(' ');
/** Fields of the resource classes; SDK 2.x refuses others. Source: `resources/types.py` of 1.28.1 and 2.3.0. */
const RESOURCES: Readonly<Record<string, ReadonlySet<string>>> = {
  TextResource: new Set([...COMMON, 'text']),
  BinaryResource: new Set([...COMMON, 'data']),
  FunctionResource: new Set([...COMMON, 'fn']),
  FileResource: new Set([...COMMON, 'path', 'is_binary', 'encoding']),
  HttpResource: new Set([...COMMON, 'url']),
  DirectoryResource: new Set([...COMMON, 'path', 'recursive', 'pattern']),
};
/** Modules with the ways in which SDK 1.x ended processes; the shutdown of stdio is another one in SDK 2.x. */
const ENDS = /^mcp\.(?:client\.stdio\.win32|os\.(?:win32|posix))\b/;
/** Addresses that SDK 1.x sent with a `/` that nobody wrote. */
const ADDRESSES: ReadonlySet<string> = new Set(['issuer_url', 'resource_server_url', 'redirect_uris', 'service_documentation_url']);

/** Smaller differences between the majors: accepted by both, or refused only when it happens. */
export function detectNotes(scene: Scene): void {
  const { file, say } = scene;
  for (const call of nodesOf(file, 'call')) {
    const callee = call.get('function');
    const paths = callee ? sdkPaths(callee, file) : [];
    if (paths.length === 0) continue;
    resource(call, paths, scene);
    authorization(call, paths, scene);
  }
  for (const definition of nodesOf(file, 'function_definition')) {
    template(definition, scene);
    for (const { node, method, receiver } of decoratorMethods(definition, file))
      if (method === 'subscribe_resource' && receiver && familyOf(receiver, file) === 'low-level')
        say(
          'changed-behaviour',
          node,
          {
            form: 'The capability `resources.subscribe`',
            detail: 'was always reported as false by v1, and is reported as it is by v2',
            advice: 'Check that clients which begin to subscribe are meant to.',
          },
          { impact: 'none' },
        );
  }
  for (const { module, node, guard } of importedNames(file)) {
    const brought = BROUGHT[module.split('.')[0] ?? module];
    // `judge` asks whether a manifest of the package names it.
    if (brought !== undefined && guard === undefined && scene.relation.sdk)
      say('undeclared-import', node, { name: module, package: brought }, { certainty: 'likely' });
    if (ENDS.test(module))
      say(
        'changed-behaviour',
        node,
        {
          form: `\`${module}\``,
          detail: 'ends processes in the way of v1: SDK v2 closes the input first, waits, and ends the whole tree itself',
          advice: 'Leave the shutdown to `stdio_client`.',
        },
        { certainty: 'likely' },
      );
  }
  for (const node of nodesOf(file, 'attribute')) {
    const object = node.get('object');
    if (object && file.textOf(node.get('attribute') ?? node) === 'request_id' && isInstance(object, file, 'mcp.shared.context.RequestContext'))
      say(
        'changed-behaviour',
        node,
        {
          form: `\`${file.textOf(node)}\``,
          detail: 'is absent in the context of a notification with SDK v2',
          advice: 'Treat it as optional where a handler also serves notifications.',
        },
        { impact: 'none' },
      );
  }
}

function resource(call: PyNode, paths: readonly string[], { file, say }: Scene): void {
  const name = paths.map((path) => /^mcp\.server\.fastmcp\.(?:\w+\.)*(\w+Resource)$/.exec(path)?.[1]).find((each) => each !== undefined);
  const declared = name === undefined ? undefined : RESOURCES[name];
  if (!declared || name === undefined) return;
  for (const keyword of argumentsOf(call, file).keywords)
    if (!declared.has(keyword.name))
      say('changed-behaviour', keyword.node, {
        form: `\`${keyword.name}=\` of \`${name}\``,
        detail: 'is no field of it: v1 ignored it, v2 raises `ValidationError`',
        advice: 'Take it away, or put it into `meta`.',
      });
}

/** Templates are read by the rules of RFC 6570. */
function template(definition: PyNode, { file, say }: Scene): void {
  for (const { node, method, receiver } of decoratorMethods(definition, file)) {
    if (method !== 'resource' || node.kind !== 'call' || !receiver || familyOf(receiver, file) !== 'sdk-v1') continue;
    const [first] = argumentsOf(node, file).positional;
    const uri = first && constantOf(first, file);
    if (!first || typeof uri !== 'string' || !uri.includes('{')) continue;
    const optional = [...uri.matchAll(/\{[?&]([\w,]+)\*?\}/g)].flatMap(([, names]) => (names ?? '').split(','));
    const bare = parametersOf(definition, file).filter((parameter) => optional.includes(parameter.name) && parameter.value === undefined);
    if (bare.length > 0)
      say('changed-behaviour', first, {
        form: `The template \`${uri}\``,
        detail: `may leave out ${bare.map(({ name }) => `\`${name}\``).join(', ')}, which SDK v2 demands a default for`,
        advice: 'Give the parameter a default.',
      });
    else if (/\}\{(?![?&#./;])/.test(uri))
      say('changed-behaviour', first, {
        form: `The template \`${uri}\``,
        detail: 'has two variables with nothing between them, which SDK v2 refuses when it is registered',
        advice: 'Put a literal between them.',
      });
    else if (/\{[+#./;]/.test(uri))
      say('changed-behaviour', first, {
        form: `The template \`${uri}\``,
        detail: 'is matched by the rules of RFC 6570 in SDK v2, and values with `..` are refused',
        advice: 'Try the addresses that clients use.',
      });
  }
}

function authorization(call: PyNode, paths: readonly string[], { file, say }: Scene): void {
  const settings = paths.some((path) => path.endsWith('.AuthSettings'));
  if (!settings && !paths.some((path) => /\.(?:OAuthClientMetadata|OAuthClientInformationFull)$/.test(path))) return;
  const args = argumentsOf(call, file);
  for (const { name, node, value } of args.keywords) {
    if (!ADDRESSES.has(name) || !/["']https?:\/\/[^/"'{}]+["']/.test(file.textOf(value))) continue;
    say(
      'changed-behaviour',
      node,
      {
        form: `The address in \`${name}=\``,
        detail: 'is sent without the `/` that v1 put behind it, and a mismatch of issuers is fatal',
        advice: 'Compare it with what the authorization server says of itself and with what is registered there.',
      },
      { certainty: 'likely', impact: 'tidies' },
    );
  }
  if (settings && !args.keyword('validate_token_resource') && !args.splat && args.keyword('resource_server_url'))
    say(
      'changed-behaviour',
      call.get('function') ?? call,
      {
        form: 'A verifier of tokens',
        detail: 'is not asked for whom a token was issued unless `validate_token_resource=True` is given (from 1.30 and 2.2 on)',
        advice: 'Switch it on, so that a token for another server is refused.',
      },
      { impact: 'none' },
    );
}
