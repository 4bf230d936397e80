/** A deprecated feature of the protocol's registry. It still exists in the revision: deprecated is not removed. */
export interface Deprecation {
  readonly id: string;
  readonly title: string;
  /** Revision that deprecated it. */
  readonly since: string;
  /** Earliest day on which a new revision may drop it, ISO. Being eligible is not being removed. */
  readonly earliest: string;
  /** How the registry words the day. */
  readonly wording: string;
  readonly replacement: string;
  readonly source: string;
}

/** The registry page of the revision. */
export const REGISTRY = 'https://modelcontextprotocol.io/specification/2026-07-28/deprecated';

const YEAR = 'first revision on or after 2027-07-28';

/**
 * The registry of revision 2026-07-28. Sessions, `initialize`, the GET stream, DELETE, resumption, `ping`, `logging/setLevel` and
 * `resources/subscribe` are not in it: they are absent from the revision, and no day is set on which a server must stop to serve
 * the revisions that have them.
 */
export const DEPRECATIONS: readonly Deprecation[] = [
  {
    id: 'roots',
    title: 'Roots',
    since: '2026-07-28',
    earliest: '2027-07-28',
    wording: YEAR,
    replacement: 'tool parameters, resource URIs or server configuration',
    source: `${REGISTRY} (SEP-2577)`,
  },
  {
    id: 'sampling',
    title: 'Sampling',
    since: '2026-07-28',
    earliest: '2027-07-28',
    wording: YEAR,
    replacement: 'the API of a model provider',
    source: `${REGISTRY} (SEP-2577)`,
  },
  {
    id: 'logging',
    title: 'Logging',
    since: '2026-07-28',
    earliest: '2027-07-28',
    wording: YEAR,
    replacement: 'stderr on stdio, OpenTelemetry elsewhere',
    source: `${REGISTRY} (SEP-2577)`,
  },
  {
    id: 'dcr',
    title: 'Dynamic Client Registration',
    since: '2026-07-28',
    earliest: '2027-07-28',
    wording: YEAR,
    replacement: 'Client ID Metadata Documents',
    source: REGISTRY,
  },
  {
    id: 'http-sse',
    title: 'HTTP+SSE transport',
    since: '2025-03-26',
    earliest: '2026-09-03',
    wording: 'three months after SEP-2596 is Final (Final since 2026-06-03)',
    replacement: 'Streamable HTTP',
    source: `${REGISTRY} (SEP-2596)`,
  },
];

/** The entry of a feature, `undefined` for one that the registry does not list. */
export const deprecationOf = (id: string): Deprecation | undefined => DEPRECATIONS.find((entry) => entry.id === id);
