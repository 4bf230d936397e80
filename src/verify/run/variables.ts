import type { CastTool, Peer } from '../discover/peer.js';
import { EVERYTHING } from '../discover/inputs.js';
import type { Variables } from '../evaluate/fill.js';
import type { Addresses } from '../http/wire.js';
import type { Settings } from '../options.js';
import { LEGACY_REVISION, META, REVISION } from '../protocol.js';

/** List methods with the server capability that they belong to. Source: specification, server pages `#capabilities`. */
const LISTS: readonly (readonly [method: string, capability: string])[] = [
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resources'],
];
const TEMPLATES = 'resources/templates/list';
/** The methods that a capability stands for: templates may be missing where resources are served. */
const BY_CAPABILITY = LISTS.filter(([method]) => method !== TEMPLATES);

/** Everything that a check may name in braces. A member that is missing makes `{name}` not tested. */
export function variablesOf(peer: Peer, addresses: Addresses | undefined, settings: Settings): Variables {
  const has = (capability: string): boolean => capability in peer.capabilities;
  const endpoint = addresses?.endpoint;
  const lists = LISTS.filter(([method, capability]) => has(capability) && (method !== TEMPLATES || peer.templates)).map(([method]) => method);
  const changes = ['tools', 'prompts', 'resources'].filter((name) => (peer.capabilities[name] as { listChanged?: unknown } | undefined)?.listChanged === true);
  return {
    revision: REVISION,
    legacyRevision: LEGACY_REVISION,
    meta: META,
    everything: EVERYTHING,
    lane: peer.laneMode,
    ...(settings.lane === undefined || settings.lane === 'auto' ? {} : { expect: { [settings.lane]: true, legacy: settings.lane !== 'none' } }),
    ...(endpoint === undefined
      ? {}
      : {
          url: endpoint,
          slash: `${endpoint.replace(/\/$/, '')}/`,
          host: new URL(endpoint).host,
          ownOrigin: new URL(endpoint).origin,
          protectedResource: `/.well-known/oauth-protected-resource${new URL(endpoint).pathname.replace(/\/$/, '')}`,
        }),
    ...(settings.origin === undefined ? {} : { origin: settings.origin }),
    ...(settings.replica === undefined ? {} : { replica: settings.replica }),
    ...(settings.sseUrl !== undefined || peer.sseOnly ? { sse: settings.sseUrl ?? endpoint } : {}),
    ...(settings.token === undefined ? {} : { token: true }),
    ...(settings.healthUrl === undefined ? {} : { health: settings.healthUrl }),
    // The addresses that older clients use, each once.
    addresses: ['endpoint', ...(settings.legacyUrl === undefined ? [] : ['legacy']), ...(settings.sseUrl === undefined ? [] : ['sse'])],
    // Only who asks for this class lets the server be disturbed.
    control: settings.classes.includes('needs-control') ? Object.fromEntries(Object.keys(settings.control ?? {}).map((action) => [action, true])) : {},
    versions: peer.versions,
    modern: peer.modern,
    windowOpen: (peer.legacy && !peer.sseOnly) || (settings.lane !== undefined && settings.lane !== 'auto' && settings.lane !== 'none'),
    sessions: peer.sessions,
    capabilities: peer.capabilities,
    lists,
    // Discovery may be answered by other code than the rest.
    harmless: ['server/discover', ...lists.slice(0, 1)],
    served: BY_CAPABILITY.filter(([, capability]) => has(capability)).map(([method]) => method),
    unserved: BY_CAPABILITY.filter(([, capability]) => !has(capability)).map(([method]) => method),
    changes,
    toolNames: peer.tools.map((tool) => tool.name),
    resource: peer.resources[0],
    prompt: peer.prompts[0],
    tool: peer.cast.plain,
    subject: withBase64(subjectOf(peer)),
    header: peer.cast.header && { ...peer.cast.header, rest: withoutAnnotated(peer.cast.header) },
    progress: peer.cast.progress,
    eliciting: peer.cast.eliciting,
    state: peer.cast.state,
    capability: peer.cast.capability,
    log: peer.cast.log,
    slow: peer.cast.slow,
    observer: peer.cast.observer,
    change: peer.cast.change,
  };
}

/** The arguments of the header tool without those that are mirrored. */
function withoutAnnotated(tool: CastTool): Record<string, unknown> {
  return Object.fromEntries(Object.entries(tool.args).filter(([name]) => name !== tool.parameter?.name && name !== tool.integer?.name));
}

const withBase64 = (subject: Readonly<Record<string, unknown>> | undefined): unknown =>
  subject ? { ...subject, base64: Buffer.from(String(subject['name']), 'utf8').toString('base64') } : undefined;

/** A request with `Mcp-Name` that has no effect: an allowed tool, else a prompt, else a resource. */
function subjectOf(peer: Peer): Readonly<Record<string, unknown>> | undefined {
  const { plain } = peer.cast;
  if (plain) return { method: 'tools/call', name: plain.name, params: { name: plain.name, arguments: plain.args } };
  if (peer.prompts[0] !== undefined) return { method: 'prompts/get', name: peer.prompts[0], params: { name: peer.prompts[0] } };
  if (peer.resources[0] !== undefined) return { method: 'resources/read', name: peer.resources[0], params: { uri: peer.resources[0] } };
  return undefined;
}
