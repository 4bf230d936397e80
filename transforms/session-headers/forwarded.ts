import { MODERN_REQUEST_HEADERS } from '../_mcp/vocabulary.js';

/** Headers that only requests have: a list with one of them is no list of answer headers. */
const REQUEST_ONLY: ReadonlySet<string> = new Set(['authorization', 'accept', 'last-event-id', 'user-agent', 'accept-language', 'x-forwarded-for', 'origin']);
/** Names of lists whose headers are hidden or taken away, not passed on. */
const WITHHELD = /redact|mask|sensitiv|secret|hide|hidden|strip|remove|drop|delete|exclu|omit|skip|ignor|internal|den(?:y|ied)|block|log/i;
/** Headers of one hop: who lists them says what is not passed on. */
const ONE_HOP: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host', 'upgrade']);

/**
 * The standard headers that a list of headers lacks, when a proxy passes on what it names: it holds the session header beside one that only
 * requests have. `undefined` for other lists.
 * @param headers names in the list
 * @param holder the name under which the list is kept, and how it is used
 */
export function missingInForwarded(headers: readonly string[], holder: string): string | undefined {
  const names = new Set(headers.map((header) => header.toLowerCase()));
  if (![...names].some((name) => REQUEST_ONLY.has(name)) || [...names].some((name) => ONE_HOP.has(name)) || WITHHELD.test(holder)) return undefined;
  const missing = MODERN_REQUEST_HEADERS.filter((header) => !names.has(header.toLowerCase()));
  return missing.length === 0 ? undefined : missing.map((header) => `\`${header}\``).join(', ');
}
