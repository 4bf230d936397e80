/** Fields of SDK 1.x models that SDK 2.x spells in snake case: all of them. Source: the models of 1.28.1 and 2.3.0, field by field. */
const FIELDS = [
  'clientInfo',
  'costPriority',
  'createMessage',
  'createdAt',
  'destructiveHint',
  'elicitationId',
  'hasMore',
  'idempotentHint',
  'includeContext',
  'inputSchema',
  'intelligencePriority',
  'isError',
  'lastUpdatedAt',
  'listChanged',
  'maxTokens',
  'mimeType',
  'modelPreferences',
  'nextCursor',
  'openWorldHint',
  'outputSchema',
  'pollInterval',
  'progressToken',
  'protocolVersion',
  'readOnlyHint',
  'requestId',
  'requestedSchema',
  'resourceTemplates',
  'serverInfo',
  'speedPriority',
  'statusMessage',
  'stopReason',
  'stopSequences',
  'structuredContent',
  'systemPrompt',
  'taskId',
  'taskSupport',
  'toolChoice',
  'toolUseId',
  'uriTemplate',
  'websiteUrl',
] as const;

/** Spelling in SDK 2.x of a field of SDK 1.x; `undefined` for other names. */
const BY_CAMEL: ReadonlyMap<string, string> = new Map(FIELDS.map((name) => [name, name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]));
export const snakeField = (name: string): string | undefined => BY_CAMEL.get(name);

/** Fields whose names other libraries and other protocols use too: without a type or an SDK import they prove nothing. */
const COMMON: ReadonlySet<string> = new Set([
  'createdAt',
  'hasMore',
  'maxTokens',
  'mimeType',
  'protocolVersion',
  'requestId',
  'statusMessage',
  'stopReason',
  'stopSequences',
  'systemPrompt',
  'taskId',
  'toolChoice',
  'toolUseId',
  'websiteUrl',
  'lastUpdatedAt',
  'clientInfo',
  'serverInfo',
]);
export const isCommonField = (name: string): boolean => COMMON.has(name);

/** Fields that others have too, and that still say something in a package that uses the SDK. */
const TELLING: ReadonlySet<string> = new Set(['mimeType', 'serverInfo', 'clientInfo', 'protocolVersion']);
export const isTellingField = (name: string): boolean => TELLING.has(name);

/** Literals for the prefilter: a read of such a field, in any file of a package that uses the SDK. */
export const FIELD_LITERALS: readonly string[] = FIELDS.filter((name) => !COMMON.has(name) || name === 'mimeType' || name === 'serverInfo');
