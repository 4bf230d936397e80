import type { RewriteContext } from '../../../../src/core/index.js';

/** RFC 9745 states the day of deprecation in seconds: the day of the revision that replaced sessions. */
export const DEPRECATION = `@${String(Date.UTC(2026, 6, 28) / 1000)}`;

/** `Sunset` (RFC 8594) of the day on which the legacy lane goes; absent until the team has named it. */
export function sunsetOf({ options: { sunset } }: RewriteContext): string | undefined {
  return sunset === undefined ? undefined : new Date(`${sunset}T00:00:00Z`).toUTCString();
}
