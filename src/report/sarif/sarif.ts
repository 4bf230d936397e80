import {
  isFault,
  riskOf,
  safeJson,
  sawNothing,
  severityOf,
  visible,
  type Finding,
  type NotAnalysed,
  type ScanResult,
  type Site,
  type Suppression,
} from '../../core/index.js';
import { messagesOf } from '../pretty/items.js';
import { count } from '../text/layout.js';
import { bySeverity, limited, LIMITS } from './limits.js';
import { levelOf, sarifRule, type RuleGuide } from './rules.js';

export interface SarifOptions {
  /** Path of the scanned folder below the top of its repository, `''` for the top, else with a slash at its end: code scanning wants paths from the top. */
  readonly prefix: string;
  /** What tells this upload from others of the same commit: a package, a folder. `''` for the whole repository. */
  readonly part: string;
  readonly guide?: (rule: string) => RuleGuide | undefined;
  /** Hash of a line of a scanned file as GitHub computes it; without one, our own fingerprint takes its place. */
  readonly lineHash?: (file: string, line: number) => string | undefined;
}

const ROOT = '%SRCROOT%';
const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/**
 * SARIF 2.1.0 with one run, as GitHub code scanning accepts it. Holds no absolute path. Findings that a comment silences are not results, because
 * code scanning opens an alert for every result and knows no `suppressions`; the comments are notifications. Ends with a newline.
 */
export function sarif(result: ScanResult, options: SarifOptions): string {
  const kept = fitting(result, options);
  const left = result.findings.length - kept.length;
  const ids = new Set(kept.map(({ finding }) => finding.id as string));
  const rules = result.rules.filter((rule) => ids.has(rule.id));
  const index = new Map(rules.map((rule, position) => [rule.id, position]));
  const note =
    left === 0
      ? undefined
      : `${count(left, 'finding')} of ${String(result.findings.length)} left out, the least severe ones: code scanning keeps ${String(LIMITS.results)} results. "unsession scan --format json" has all.`;
  return `${safeJson({
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'unsession',
            semanticVersion: result.tool.version,
            rules: rules.map((rule) => sarifRule(rule, result.findings, options.guide?.(rule.id))),
          },
        },
        automationDetails: { id: `unsession/${options.part === '' ? '' : `${uriOf(options.part.replace(/\/$/, ''))}/`}` },
        originalUriBaseIds: { [ROOT]: { description: { text: 'Top folder of the repository.' } } },
        columnKind: 'utf16CodeUnits',
        newlineSequences: ['\r\n', '\n', '\r'],
        invocations: [{ executionSuccessful: !sawNothing(result), toolExecutionNotifications: notifications(result, options, note) }],
        results: kept.map(({ finding, json }) => ({ ...json, ruleIndex: index.get(finding.id) })),
        properties: {
          ...(result.target.commit === undefined ? {} : { commit: result.target.commit }),
          milestone: result.milestone,
          findings: result.findings.length,
          ...(note === undefined ? {} : { truncated: { kept: kept.length, left, note } }),
        },
      },
    ],
  })}\n`;
}

/** The findings that the limits let through, the worst when not all, in the order in which the scan lists them. */
function fitting(result: ScanResult, options: SarifOptions): readonly { readonly finding: Finding; readonly json: object }[] {
  const kept = new Map<Finding, object>();
  let size = 0;
  for (const finding of bySeverity(result.findings).slice(0, LIMITS.results)) {
    const json = resultOf(finding, result, options);
    size += JSON.stringify(json).length;
    if (size > LIMITS.size) break;
    kept.set(finding, json);
  }
  return result.findings.flatMap((finding) => {
    const json = kept.get(finding);
    return json === undefined ? [] : [{ finding, json }];
  });
}

function resultOf(finding: Finding, result: ScanResult, options: SarifOptions): object {
  const { what, next } = messagesOf(finding, result.rules);
  const { site } = finding;
  return {
    ruleId: finding.id,
    level: levelOf(severityOf(finding)),
    message: { text: messageText(next === '' ? what : `${what} ${next}`) },
    locations: [{ physicalLocation: physical(site, options) }],
    ...(finding.related.length === 0
      ? {}
      : {
          relatedLocations: finding.related
            .slice(0, LIMITS.related)
            .map((related, id) => ({ id, physicalLocation: physical(related, options), message: { text: messageText(related.label ?? 'related place') } })),
        }),
    partialFingerprints: {
      primaryLocationLineHash: options.lineHash?.(site.file, site.line) ?? `${finding.fingerprint}:1`,
      'unsessionFingerprint/v1': finding.fingerprint,
    },
    properties: {
      severity: severityOf(finding),
      certainty: finding.certainty,
      category: finding.category,
      lane: finding.lane,
      role: finding.role,
      milestone: finding.milestone,
      evidence: finding.evidence.slice(0, LIMITS.related).map((line) => limited(visible(line), LIMITS.message)),
    },
  };
}

/** Plain text of a message. Square brackets before a parenthesis would be read as a link. */
const messageText = (text: string): string => {
  const plain = limited(visible(text), LIMITS.message);
  return plain.includes('](') ? plain.replace(/[\\[\]]/g, (character) => `\\${character}`) : plain;
};

const physical = (site: Site, { prefix }: SarifOptions): object => ({
  artifactLocation: { uri: uriOf(prefix + site.file), uriBaseId: ROOT },
  region: { startLine: site.line, startColumn: site.column, endLine: site.endLine, endColumn: site.endColumn },
});

/** A relative path as a relative reference: nothing in a file name can become a scheme, a query or a line end. */
const uriOf = (path: string): string =>
  path
    .split('/')
    .map((part) => encodeURIComponent(part.replace(/\p{Cs}/gu, '\uFFFD')))
    .join('/');

const STALE: Readonly<Record<Suppression['state'], string>> = {
  used: 'silences',
  stale: 'silences nothing any longer: take the comment out. It names',
  unreasoned: 'gives no reason and has no effect: add " -- reason". It names',
  unknown: 'names a rule that does not exist:',
};

/** What is not a finding and must be known all the same: files that were not read, refusals, silencing comments, the note about what is left out. */
function notifications(result: ScanResult, options: SarifOptions, note: string | undefined): readonly object[] {
  const at = (file: string, line?: number): object => ({
    physicalLocation: {
      artifactLocation: { uri: uriOf(options.prefix + file), uriBaseId: ROOT },
      ...(line === undefined ? {} : { region: { startLine: line } }),
    },
  });
  const entry = (id: string, level: 'error' | 'warning' | 'note', text: string, locations: readonly object[]): object => ({
    descriptor: { id },
    level,
    message: { text: messageText(text) },
    ...(locations.length === 0 ? {} : { locations }),
  });
  const unread = (notice: NotAnalysed): object =>
    entry(`not-analysed/${notice.why}`, isFault(notice) ? 'error' : 'note', notice.reason, [at(notice.file, notice.line)]);
  const files = [...result.notAnalysed.filter(isFault), ...result.notAnalysed.filter((notice) => !isFault(notice))];
  const more = files.length - LIMITS.notices;
  return [
    ...(note === undefined ? [] : [entry('truncated', 'warning', note, [])]),
    ...result.refusals.map((refusal) =>
      entry(
        `refusal/${refusal.id}`,
        refusal.accepted === undefined ? 'error' : 'note',
        `${refusal.title} (${riskOf(refusal)}): ${refusal.reason.why} ${refusal.accepted === undefined ? refusal.reason.next : `Accepted: ${refusal.accepted}`}`,
        refusal.reason.sites.slice(0, LIMITS.related).map((site) => at(site.file, site.line)),
      ),
    ),
    ...(result.suppressions ?? [])
      .slice(0, LIMITS.notices)
      .map(({ site, rule, reason, state }) =>
        entry(
          `suppression/${state}`,
          state === 'used' ? 'note' : 'warning',
          `unsession-ignore ${STALE[state]} ${rule}${reason === undefined ? '' : ` (${reason})`}`,
          [at(site.file, site.line)],
        ),
      ),
    ...files.slice(0, LIMITS.notices).map(unread),
    ...(more > 0 ? [entry('not-analysed', 'note', `${count(more, 'more file')} left out; "unsession scan --format json" names them.`, [])] : []),
  ];
}
