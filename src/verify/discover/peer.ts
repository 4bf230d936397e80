import type { ToolRole } from '../../core/check.js';
import type { LaneMode } from '../../core/check-step.js';
import type { PeerSummary } from '../../core/verify-report.js';
import type { Answer } from '../answer.js';
import type { AllowedTool } from '../options.js';

/** Something stands between us and the peer, so that no requirement may be called violated. */
export interface Wall {
  readonly kind: 'launch' | 'unreachable' | 'auth' | 'not-mcp' | 'host' | 'origin' | 'redirect' | 'busy' | 'silent';
  readonly text: string;
}

export interface ToolInfo {
  readonly name: string;
  readonly readOnly: boolean;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** A tool with the role that it plays in the checks, and what the trial calls showed. */
export interface CastTool extends AllowedTool {
  /** Key, method and fitting answer of the first input request. */
  readonly input?: { readonly key: string; readonly method: string; readonly answers: Readonly<Record<string, unknown>> };
  readonly state?: string;
  /** The missing client capability that a call without it named. */
  readonly capability?: Readonly<Record<string, unknown>>;
  /** Annotated parameter: property name and header name. */
  readonly parameter?: { readonly name: string; readonly header: string };
  /** The same for an integer parameter. */
  readonly integer?: { readonly name: string; readonly header: string };
}

/** Everything that is known about the peer before the first check. */
export interface Peer {
  readonly wall?: Wall;
  readonly modern: boolean;
  readonly legacy: boolean;
  /** `server/discover` answers, but the revision is not served. */
  readonly announcedOnly: boolean;
  /** It speaks HTTP+SSE (2024-11-05) and nothing else. */
  readonly sseOnly: boolean;
  readonly laneMode: LaneMode;
  readonly versions: readonly string[];
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Capabilities of the handshake. */
  readonly legacyCapabilities: Readonly<Record<string, unknown>>;
  readonly serverInfo?: Readonly<Record<string, unknown>>;
  readonly legacyVersion?: string;
  readonly sessions: boolean;
  readonly tools: readonly ToolInfo[];
  readonly resources: readonly string[];
  /** False when `resources/templates/list` is an unknown method: a server with resources need not have templates. */
  readonly templates: boolean;
  /** Prompts that need no argument. */
  readonly prompts: readonly string[];
  readonly promptNames: readonly string[];
  readonly cast: Readonly<Partial<Record<ToolRole, CastTool>>>;
  /** Answers of the survey, for the evidence of a conclusion. */
  readonly evidence: readonly Answer[];
  /** Stdio only, of a server of the handshake era that answers discovery: a handshake on the same process works then. */
  readonly fallsBack?: boolean;
  /** How the process behaved on the first modern request, stdio only. */
  readonly probe?: 'answered' | 'silent' | 'exited' | 'launch-failed';
}

export const summarise = (peer: Peer): PeerSummary => ({
  ...(typeof peer.serverInfo?.['name'] === 'string' ? { name: peer.serverInfo['name'] } : {}),
  ...(typeof peer.serverInfo?.['version'] === 'string' ? { version: peer.serverInfo['version'] } : {}),
  modernVersions: peer.versions,
  ...(peer.legacyVersion === undefined ? {} : { legacyVersion: peer.legacyVersion }),
  capabilities: Object.keys(peer.capabilities),
  tools: peer.tools.map((tool) => tool.name),
  resources: peer.resources.length,
  prompts: peer.prompts.length,
});

/** A peer of which nothing is known yet. */
export const UNKNOWN_PEER: Peer = {
  modern: false,
  legacy: false,
  announcedOnly: false,
  sseOnly: false,
  laneMode: 'none',
  versions: [],
  capabilities: {},
  legacyCapabilities: {},
  sessions: false,
  tools: [],
  resources: [],
  templates: true,
  prompts: [],
  promptNames: [],
  cast: {},
  evidence: [],
};
