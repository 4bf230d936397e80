import { importedNames, originsOf, otherArms, type ImportedName } from '../../../src/languages/python/index.js';
import { canonicalPath, isFrameworkPath, isSdkPath } from '../../_mcp/python/paths.js';
import { nodesOf } from '../../_mcp/python/nodes.js';
import type { PythonKind } from '../kinds.js';
import { isSecondLine, isShaped, targetOf } from '../rewrite/targets.js';
import type { Scene } from './scene.js';

const pathOf = (imported: ImportedName): string => (imported.form === 'from' ? `${imported.module}.${imported.name}` : imported.module);

/** Names of SDK 1.x that have a kind of their own, by their last part. */
const OWN: Readonly<Record<string, PythonKind>> = {
  streamablehttp_client: 'client-transport',
  GetSessionIdCallback: 'client-transport',
  McpError: 'error-class',
  RequestContext: 'context-type',
  RequestResponder: 'removed-name',
  request_ctx: 'ambient-context',
  create_connected_server_and_client_session: 'memory-helper',
  create_client_server_memory_streams: 'memory-helper',
  LATEST_PROTOCOL_VERSION: 'version-constant',
  SUPPORTED_PROTOCOL_VERSIONS: 'version-constant',
  DEFAULT_NEGOTIATED_VERSION: 'version-constant',
};

/** Wrappers of SDK 1.x around unions of messages. */
export const UNIONS: ReadonlySet<string> = new Set([
  'mcp.types.JSONRPCMessage',
  'mcp.types.ClientRequest',
  'mcp.types.ClientNotification',
  'mcp.types.ClientResult',
  'mcp.types.ServerRequest',
  'mcp.types.ServerNotification',
  'mcp.types.ServerResult',
]);

/** Arms that are written for the other major, or for no SDK at all. */
export function isDual(imported: ImportedName, scene: Scene): boolean {
  const arms = otherArms(imported, scene.file);
  const own = isSecondLine(pathOf(imported));
  return arms.some((arm) => isSdkPath(arm.module) && isSecondLine(pathOf(arm)) !== own);
}

/** Imports of SDK names, and members of imported SDK modules. */
export function detectImports(scene: Scene): void {
  const { file, say } = scene;
  for (const imported of importedNames(file)) {
    if (isFrameworkPath(imported.module) && imported.guard?.kind === 'import-error')
      say('guarded-import', imported.node, { name: nameOf(imported), state: 'the framework `fastmcp` may be missing' });
    if (!isSdkPath(imported.module) && imported.module !== 'mcp_types') continue;
    const dual = isDual(imported, scene);
    if (imported.guard?.kind === 'import-error')
      say('guarded-import', imported.node, { name: nameOf(imported), state: dual ? 'the other arm is for the other major' : 'the SDK may be missing' });
    if (dual) continue;
    speak(pathOf(imported), imported.node, imported.form === 'from' ? imported.name : imported.module, imported.module, scene);
  }
  for (const node of nodesOf(file, 'attribute')) {
    // `a.b` within `a.b.c` is a module on the way; only the whole path says something.
    const outer = node.parent?.kind === 'attribute' && node.field === 'object' ? node.parent : undefined;
    for (const origin of originsOf(node, file)) {
      if (!isSdkPath(origin.path) || (outer && originsOf(outer, file).some(({ path }) => targetOf(path) !== undefined))) continue;
      const [module, name] = split(origin.path);
      // What was imported by name was reported at the import.
      if (origin.imported?.form === 'from' && origin.path === pathOf(origin.imported)) continue;
      if (origin.imported?.form === 'from' && targetOf(pathOf(origin.imported)) !== undefined) continue;
      if (origin.imported && isDual(origin.imported, scene)) continue;
      speak(origin.path, node, name, module, scene, origin.via === 'dynamic', origin.imported?.form !== 'import');
      break;
    }
  }
}

const split = (path: string): readonly [string, string] => [path.slice(0, path.lastIndexOf('.')), path.slice(path.lastIndexOf('.') + 1)];
const nameOf = (imported: ImportedName): string => (imported.form === 'from' ? imported.name : imported.module);

function speak(
  path: string,
  at: { readonly start: number; readonly end: number },
  name: string,
  module: string,
  scene: Scene,
  dynamic = false,
  onTheWay = false,
): void {
  const { say } = scene;
  const target = targetOf(path);
  const last = path.slice(path.lastIndexOf('.') + 1);
  const kind = OWN[last];
  if (kind === 'version-constant') return say(kind, at, { name: last });
  if (kind !== undefined && (target !== undefined || isShaped(path) || kind === 'memory-helper' || kind === 'client-transport')) {
    return say(kind, at, dataOf(kind, last));
  }
  // As a type the name means the same; it is called, validated or unwrapped elsewhere.
  if (UNIONS.has(canonicalPath(path))) return say('union-wrapper', at, { form: `\`${last}\`` }, { impact: 'tidies' });
  if (target?.kind === 'gone') return say('removed-name', at, { name: path, advice: target.next });
  if (target !== undefined) {
    const text =
      target.kind === 'text'
        ? `\`${(target.from ?? []).reduce((spelled, [, each]) => spelled.replace('{}', each), target.text)}\``
        : target.path === `mcp.server.mcpserver.${target.path.slice(target.path.lastIndexOf('.') + 1)}`
          ? `\`${target.path.slice(target.path.lastIndexOf('.') + 1)}\` of \`mcp.server.mcpserver\``
          : `\`${target.path}\``;
    return say(dynamic ? 'dynamic-name' : 'sdk-import', at, { name, module, target: text, form: 'a member that is looked up by name' });
  }
  if (onTheWay) return;
  if (
    /^mcp\.server\.lowlevel(?:\.|$)/.test(path) ||
    canonicalPath(path) === 'mcp.server.Server' ||
    /^mcp\.server\.(?:models\.)?(?:InitializationOptions|NotificationOptions)$/.test(path)
  )
    say(
      'lowlevel-server',
      at,
      { use: `imports \`${last}\``, advice: 'Look at each registration and at what its handlers take and return.' },
      { impact: 'tidies' },
    );
}

function dataOf(kind: PythonKind, name: string): Record<string, string> {
  const detail =
    'SDK v2 has one `streamable_http_client(url, http_client=…)`, which gives two streams and takes headers, timeouts and credentials from the HTTP client.';
  switch (kind) {
    case 'client-transport':
      return {
        form: `imports \`${name}\``,
        detail,
        advice: name === 'GetSessionIdCallback' ? 'Drop it: a modern connection has no session id.' : 'Import `streamable_http_client`.',
      };
    case 'error-class':
      return { form: `imports \`${name}\`` };
    case 'context-type':
      return { name, target: '`ClientRequestContext` of `mcp.client` in callbacks of a client, `ServerRequestContext` of `mcp.server` in handlers' };
    case 'removed-name':
      return { name, advice: 'Handlers of messages no longer receive requests: name `IncomingMessage` of `mcp.client`.' };
    case 'ambient-context':
      return { call: name };
    case 'memory-helper':
      return { name };
    default:
      return {};
  }
}
