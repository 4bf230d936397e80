/**
 * Pages of the specification, revision 2026-07-28, and the section anchors that this project cites. A spec reference of a concern
 * or a check is `page` or `page#anchor`; `contracts.test.ts` resolves each against this list, so that a misspelt one cannot ship.
 * A new reference is added here after its section has been read.
 */
export const SPEC_PAGES: Readonly<Record<string, readonly string[]>> = {
  basic: [
    'error-codes',
    'error-responses',
    'meta',
    'notifications',
    'ref-resolution',
    'requests',
    'result-responses',
    'resulttype',
    'schema-dialect',
    'statelessness',
  ],
  'basic/authorization': [
    'authorization-response-validation',
    'error-handling',
    'refresh-tokens',
    'resource-parameter-implementation',
    'scope-selection-strategy',
    'step-up-authorization-flow',
    'token-handling',
    'token-requirements',
  ],
  'basic/authorization/authorization-server-discovery': [
    'authorization-server-location',
    'authorization-server-metadata-discovery',
    'protected-resource-metadata-discovery-requirements',
  ],
  'basic/authorization/client-registration': ['application-type-and-redirect-uri-constraints', 'authorization-server-binding', 'implementation-requirements'],
  'basic/authorization/security-considerations': ['access-token-privilege-restriction', 'authorization-code-protection'],
  'basic/patterns': [],
  'basic/patterns/cancellation': ['error-handling', 'timeouts', 'timing-considerations', 'transport-specific-cancellation'],
  'basic/patterns/mrtr': [
    'basic-workflow',
    'client-requirements-basic-workflow',
    'error-handling',
    'inputrequiredresult',
    'server-requirements-basic-workflow',
    'supported-requests',
  ],
  'basic/patterns/progress': ['behavior-requirements', 'progress-flow'],
  'basic/patterns/subscriptions': [
    'acknowledgment',
    'cancellation',
    'graceful-closure',
    'multiple-concurrent-subscriptions',
    'notification-filter',
    'opening-a-stream',
    'receiving-notifications',
  ],
  'basic/transports': ['messages'],
  'basic/transports/stdio': [
    'backward-compatibility',
    'cancellation',
    'receiving-messages',
    'request-metadata',
    'sending-messages',
    'shutdown',
    'unexpected-termination',
  ],
  'basic/transports/streamable-http': [
    'backward-compatibility',
    'cancellation',
    'case-sensitivity',
    'client-behavior',
    'custom-headers-from-tool-parameters',
    'earlier-streamable-http-revisions',
    'httpsse-transport-2024-11-05',
    'protocol-version-header',
    'receiving-messages',
    'schema-extension',
    'security--endpoint',
    'sending-messages',
    'server-behavior-for-custom-headers',
    'server-validation',
    'standard-request-headers',
    'value-encoding',
  ],
  'basic/versioning': [
    'backward-compatibility-with-initialization-based-versions',
    'compatibility-matrix',
    'extension-negotiation',
    'protocol-version-negotiation',
    'terminology',
  ],
  changelog: [],
  'client/elicitation': ['capabilities', 'response-actions', 'url-mode-elicitation-requests'],
  'client/roots': ['error-handling'],
  'client/sampling': ['capabilities', 'error-handling', 'tools-in-sampling'],
  deprecated: [],
  schema: [],
  'server/discover': ['discoverresult', 'request', 'response'],
  'server/prompts': ['capabilities', 'list-changed-notification'],
  'server/resources': ['capabilities', 'error-handling'],
  'server/tools': ['capabilities', 'error-handling', 'list-changed-notification', 'stateful-tools', 'structured-content', 'tool', 'x-mcp-header'],
  'server/utilities/caching': [
    'cache-key',
    'cache-scope-field',
    'cacheable-results',
    'freshness-calculation',
    'interaction-with-notifications',
    'interaction-with-pagination',
    'security-considerations',
    'time-to-live-ttl-field',
  ],
  'server/utilities/logging': ['capabilities', 'error-handling', 'per-request-log-level'],
  'server/utilities/pagination': ['implementation-guidelines'],
};

/** True when a reference names a known page, and a known section of it when it has an anchor. */
export function isKnownReference(reference: string): boolean {
  const [page = '', anchor] = reference.split('#');
  const anchors = SPEC_PAGES[page.replace(/\/$/, '')];
  return anchors !== undefined && (anchor === undefined || anchors.includes(anchor));
}

/** Where the specification is published; links of the READMEs begin with it. */
export const SPEC_ROOT = 'https://modelcontextprotocol.io/specification/2026-07-28/';
