import type { Conclusion } from '../../core/verify-report.js';
import { isRecord } from '../answer.js';
import type { Peer } from '../discover/peer.js';
import { REVISION } from '../protocol.js';

const TO_MODERN: readonly string[] = [
  'Serve server/discover with supportedVersions, capabilities, ttlMs and cacheScope.',
  'Read protocolVersion and clientCapabilities from params._meta of every request instead of from the handshake.',
  'Validate MCP-Protocol-Version, Mcp-Method and Mcp-Name against the body (400, -32020).',
  'Add resultType to every result, ttlMs and cacheScope to lists and reads.',
];
const VERBS = 'Answer GET and DELETE of the modern route with 405.';
const VERBS_OF_SESSIONS =
  'Answer GET and DELETE of the modern route with 405; issue no session id, and keep what hangs on one by an explicit handle or by the principal.';
const TO_MODERN_STDIO: readonly string[] = [
  'Answer server/discover; answer unknown requests with -32601 and keep reading.',
  'Read protocolVersion and clientCapabilities from params._meta of every request instead of from the handshake.',
  'Add resultType to every result, ttlMs and cacheScope to lists and reads.',
];

/** The era that the peer speaks, in a sentence, with the steps that are missing. */
export function conclude(peer: Peer, transport: 'http' | 'stdio'): Conclusion {
  const missing = transport === 'stdio' ? TO_MODERN_STDIO : [...TO_MODERN, peer.sessions ? VERBS_OF_SESSIONS : VERBS];
  const legacy = `${peer.legacyVersion ?? 'the handshake era'}${peer.sessions ? ' with sessions' : ''}`;
  if (peer.wall) return { speaks: 'unknown', sentence: peer.wall.text, missing: [] };
  if (peer.modern && peer.legacy)
    return {
      speaks: 'dual-era',
      sentence: `Serves ${REVISION} and, for older clients, ${legacy}${transport === 'http' ? ` (lane mode ${peer.laneMode})` : ''}.`,
      missing: [],
    };
  if (peer.modern) return { speaks: 'modern', sentence: `Serves ${REVISION} only.`, missing: [] };
  if (peer.announcedOnly)
    return {
      speaks: 'announced',
      sentence: `server/discover answers, but requests of ${REVISION} are refused: the revision is announced and not served.`,
      missing: ['Serve tools/list and the other methods without a handshake, not only server/discover.', ...missing.slice(1)],
    };
  if (peer.sseOnly)
    return {
      speaks: 'legacy-sse',
      sentence: 'Speaks HTTP+SSE (2024-11-05) only.',
      missing: ['Add a Streamable HTTP endpoint; keep the old routes for the window.', ...missing],
    };
  if (peer.legacy) return { speaks: 'legacy', sentence: `Speaks ${legacy} only; ${REVISION} is not served.${probeNote(peer)}`, missing };
  if (peer.versions.length > 0)
    return {
      speaks: 'other-revision',
      sentence: `Is modern, but supports ${peer.versions.join(', ')} and not ${REVISION}.`,
      missing: [`Add ${REVISION} to the supported versions.`],
    };
  return { speaks: 'nothing', sentence: `Answers neither ${REVISION} nor a handshake: no MCP server was recognised.${probeNote(peer)}`, missing: [] };
}

const probeNote = (peer: Peer): string => {
  if (peer.probe === 'exited') return ' The process ended when its first message was not initialize, so that new clients cannot fall back on it.';
  const framed = peer.evidence[0]?.stray[0];
  if (!peer.legacy && framed !== undefined) return ` It writes to standard output, but not one JSON-RPC 2.0 message a line: "${framed.slice(0, 80)}".`;
  if (peer.probe === 'silent') return ' It stayed silent on server/discover.';
  const [answer] = peer.evidence;
  if (answer?.problem && answer.status === undefined && answer.exited === undefined) return ` On server/discover ${answer.problem.text}.`;
  const code = isRecord(answer?.error) ? `error ${String(answer.error['code'])}` : undefined;
  const said = [answer?.status === undefined ? undefined : `HTTP ${String(answer.status)}`, answer?.message === undefined ? answer?.type : undefined, code];
  const words = said.filter((part) => part !== undefined).join(', ');
  if (words === '') return '';
  const then =
    peer.fallsBack === undefined ? '' : peer.fallsBack ? ', and a handshake on the same process works' : ', and refused a handshake on the same process then';
  return ` It answered server/discover with ${words}${then}.`;
};
