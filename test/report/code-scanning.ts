import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

/** The schema of OASIS for SARIF 2.1.0, as a package of Microsoft's SARIF SDK ships it. It is of draft 4: ajv takes it without its `id`. */
function schema(): ValidateFunction {
  const require = createRequire(import.meta.url);
  const file = require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
  const { id: _id, $schema: _draft, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as AnySchemaObject;
  const ajv = new Ajv({ strict: false, unicodeRegExp: false });
  addFormats.default(ajv);
  return ajv.compile(rest);
}
let validate: ValidateFunction | undefined;

interface Place {
  readonly physicalLocation?: {
    readonly artifactLocation?: { readonly uri?: string; readonly uriBaseId?: string };
    readonly region?: { readonly startLine?: number; readonly startColumn?: number; readonly endLine?: number; readonly endColumn?: number };
  };
}
export interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations?: readonly Place[];
  readonly relatedLocations?: readonly Place[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly properties: { readonly severity: string };
}
interface Notification {
  readonly descriptor: { readonly id: string };
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations?: readonly Place[];
}
export interface SarifRun {
  readonly tool: {
    readonly driver: {
      readonly rules: readonly {
        readonly id: string;
        readonly name: string;
        readonly shortDescription: { readonly text: string };
        readonly fullDescription: { readonly text: string };
        readonly help: { readonly text: string; readonly markdown: string };
        readonly helpUri?: string;
        readonly properties: { readonly tags: readonly string[] };
      }[];
    };
  };
  readonly automationDetails: { readonly id: string };
  readonly invocations: readonly { readonly executionSuccessful: boolean; readonly toolExecutionNotifications: readonly Notification[] }[];
  readonly results: readonly SarifResult[];
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The one run of a log. */
export const runOf = (text: string): SarifRun => {
  const [run] = (JSON.parse(text) as { readonly runs: readonly SarifRun[] }).runs;
  if (!run) throw new Error('the log has no run');
  return run;
};

/**
 * What code scanning would refuse, drop or show badly: faults against the schema, and against what GitHub documents beyond it ("SARIF support for code
 * scanning", "SARIF results exceed one or more limits").
 */
export function codeScanningProblems(text: string): readonly string[] {
  const problems: string[] = [];
  const log: unknown = JSON.parse(text);
  validate ??= schema();
  if (!validate(log)) problems.push(...(validate.errors ?? []).map((error) => `schema: ${error.instancePath} ${error.message ?? ''}`));
  if (gzipSync(text).length > 10_000_000) problems.push('more than 10 MB, gzipped');
  const run = runOf(text);
  const { rules } = run.tool.driver;
  if (run.results.length > 5_000) problems.push('more than 5,000 results');
  if (!/^[^/]+\/(?:.+\/)?$/.test(run.automationDetails.id)) problems.push(`automationDetails.id ${run.automationDetails.id} has no category`);
  for (const rule of rules) {
    const long = rule.shortDescription.text.length > 1_024 || rule.fullDescription.text.length > 1_024 || rule.name.length > 255;
    if (long) problems.push(`${rule.id}: a text is too long`);
    if (rule.help.text === '' || rule.help.markdown === '' || !/^https:\/\/\S+$/.test(rule.helpUri ?? '')) problems.push(`${rule.id}: no help`);
    if (rule.properties.tags.length > 10) problems.push(`${rule.id}: more than 10 tags`);
  }
  const fingerprints = new Set<string>();
  for (const result of run.results) {
    const where = `${result.ruleId} at ${result.locations?.[0]?.physicalLocation?.artifactLocation?.uri ?? '?'}`;
    if (rules[result.ruleIndex]?.id !== result.ruleId) problems.push(`${where}: ruleIndex names another rule`);
    if (!['error', 'warning', 'note'].includes(result.level)) problems.push(`${where}: level ${result.level}`);
    if (result.properties.severity === 'info' && result.level !== 'note') problems.push(`${where}: info as ${result.level}`);
    if (result.message.text === '') problems.push(`${where}: no message`);
    if ((result.locations ?? []).length === 0) problems.push(`${where}: no place, the whole file is refused`);
    if ((result.relatedLocations ?? []).length > 100) problems.push(`${where}: more than 100 places`);
    if (!/^[\w.]+:\d+$/.test(result.partialFingerprints.primaryLocationLineHash ?? '')) problems.push(`${where}: no primaryLocationLineHash`);
    const own = result.partialFingerprints['unsessionFingerprint/v1'] ?? '';
    if (own === '' || fingerprints.has(own)) problems.push(`${where}: fingerprint ${own} is missing or not its own`);
    fingerprints.add(own);
    for (const place of [...(result.locations ?? []), ...(result.relatedLocations ?? [])])
      problems.push(...placeProblems(place).map((problem) => `${where}: ${problem}`));
  }
  for (const notification of run.invocations.flatMap((entry) => entry.toolExecutionNotifications))
    for (const place of notification.locations ?? [])
      problems.push(...placeProblems(place, false).map((problem) => `${notification.descriptor.id}: ${problem}`));
  return problems;
}

function placeProblems({ physicalLocation }: Place, needsRegion = true): readonly string[] {
  const { uri = '', uriBaseId } = physicalLocation?.artifactLocation ?? {};
  const region = physicalLocation?.region;
  const problems: string[] = [];
  if (!/^[\w.~!$&'()*+,;=@%-]+(?:\/[\w.~!$&'()*+,;=@%-]+)*$/.test(uri)) problems.push(`"${uri}" is no relative path`);
  if (uri.split('/').some((part) => part === '' || part === '..')) problems.push(`"${uri}" leaves the repository`);
  if (uriBaseId !== '%SRCROOT%') problems.push('no uriBaseId');
  if (!region) return needsRegion ? [...problems, 'no region'] : problems;
  const { startLine = 0, startColumn = 1, endLine = startLine, endColumn = startColumn } = region;
  if (startLine < 1 || startColumn < 1 || endColumn < 1) problems.push('a line or column below 1');
  if (endLine < startLine || (endLine === startLine && endColumn < startColumn)) problems.push('ends before it begins');
  return problems;
}
