import { isRecord, type Answer } from '../answer.js';
import type { Wall } from './peer.js';

/** What keeps the first modern request from being judged, when something does. */
export function wallOf(answer: Answer, address: string): Wall | undefined {
  const { problem, status } = answer;
  if ((problem?.kind === 'timeout' || problem?.kind === 'too-large') && !isRecord(answer.message))
    return { kind: 'silent', text: `${address} took the connection, but ${problem.text}.` };
  if (problem && status === undefined) return { kind: 'unreachable', text: `${address}: ${problem.text}.` };
  if (status === undefined) return undefined;
  if (isRecord(answer.message) && status !== 401) return undefined;
  if (status === 401 || status === 407)
    return { kind: 'auth', text: `Authorization is required (HTTP ${String(status)}); nothing was tested. Give a token with --token-env or --token-file.` };
  if (status === 403)
    return {
      kind: 'host',
      text: 'Access is forbidden (HTTP 403); nothing was tested. Give a token with --token-env, or use a Host name that the server allows.',
    };
  if (status === 421) return { kind: 'host', text: 'HTTP 421: the Host name is not on the allow-list of the server. Use the name that it expects.' };
  if (status >= 300 && status < 400)
    return {
      kind: 'redirect',
      text: `The address redirects (HTTP ${String(status)}) to ${answer.header['location'] ?? 'an unnamed place'}. Give verify the final address; a redirect of a POST is never followed.`,
    };
  if (status === 429) return { kind: 'busy', text: 'HTTP 429: too many requests. Try again later, or with fewer checks at once: --concurrency 1.' };
  if (status >= 500) return { kind: 'busy', text: `HTTP ${String(status)} to the first request: the server or a proxy in front of it is not working.` };
  const html = answer.type === 'text/html' || /^\s*<(!doctype|html)/i.test(answer.body);
  if (html && status < 300) return { kind: 'not-mcp', text: `HTTP ${String(status)} with a web page: not an MCP endpoint (a proxy or a sign-in page?).` };
  return undefined;
}
