import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { SCHEMA_VERSION, type Refusal, type ScanResult } from '../core/index.js';
import { safeJson } from '../report/index.js';
import { Refused, UsageProblem } from './errors.js';
import { narrowed } from './narrow.js';

const Entry = z.object({
  fingerprint: z.string(),
  id: z.string(),
  file: z.string(),
  /** The place is in a test: not gone when a scan does not list tests. */
  test: z.boolean().optional(),
});
export type BaselineEntry = Readonly<z.infer<typeof Entry>>;

const Written = z.object({
  schemaVersion: z.literal(SCHEMA_VERSION),
  kind: z.literal('baseline'),
  findings: z.array(Entry),
  refusals: z.array(z.object({ fingerprint: z.string(), id: z.string() })),
});
/** A scan as JSON is a baseline too. */
const Scanned = z.object({
  schemaVersion: z.literal(SCHEMA_VERSION),
  findings: z.array(z.object({ fingerprint: z.string(), id: z.string(), site: z.object({ file: z.string() }), role: z.string() })),
  refusals: z.array(z.object({ id: z.string(), reason: z.object({ sites: z.array(z.object({ file: z.string() })) }) })),
});

/** What was known on the day that it was written, by content. */
export interface Baseline {
  readonly findings: readonly BaselineEntry[];
  readonly refusals: readonly { readonly fingerprint: string; readonly id: string }[];
  /** False for a scan result: `--prune-baseline` does not cut somebody's report. */
  readonly written: boolean;
}

/**
 * Reads a file of `--write-baseline`, or an earlier `scan --format json`.
 * @throws UsageProblem when it is neither
 */
export function readBaseline(path: string): Baseline {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new UsageProblem(`${path} cannot be read as JSON; --baseline takes a file of --write-baseline, or the output of "unsession scan --format json"`);
  }
  const own = Written.safeParse(value);
  if (own.success) return { ...own.data, written: true };
  const scan = Scanned.safeParse(value);
  if (!scan.success) throw new UsageProblem(`${path} is neither a file of --write-baseline nor the output of "unsession scan --format json" of this version`);
  return {
    findings: scan.data.findings.map(({ fingerprint, id, site, role }) => ({ fingerprint, id, file: site.file, ...(role === 'test' ? { test: true } : {}) })),
    refusals: scan.data.refusals.map((refusal) => ({ id: refusal.id, fingerprint: refusalPrint(refusal) })),
    written: false,
  };
}

/** The baseline of a result. Lines are not in it, so that moved code changes nothing in the file. */
export const baselineOf = (result: ScanResult): Baseline => ({
  findings: result.findings.map(({ fingerprint, id, site, role }) => ({ fingerprint, id, file: site.file, ...(role === 'test' ? { test: true } : {}) })),
  refusals: result.refusals.filter(({ accepted }) => accepted === undefined).map((refusal) => ({ id: refusal.id, fingerprint: refusalPrint(refusal) })),
  written: true,
});

/** A baseline as text: sorted, one entry a line, so that two branches merge. */
export function baselineText({ findings, refusals }: Baseline): string {
  const lines = (entries: readonly object[]): string => {
    const texts = [...new Set(entries.map((entry) => safeJson(entry, 0)))].sort();
    return texts.length === 0 ? '[]' : `[\n${texts.map((text) => `    ${text}`).join(',\n')}\n  ]`;
  };
  const sorted = findings.map(({ file, id, fingerprint, test }) => ({ file, id, fingerprint, ...(test === undefined ? {} : { test }) }));
  return `{\n  "schemaVersion": "${SCHEMA_VERSION}",\n  "kind": "baseline",\n  "findings": ${lines(sorted)},\n  "refusals": ${lines(refusals.map(({ id, fingerprint }) => ({ id, fingerprint })))}\n}\n`;
}

/** Refuses to write over a baseline: what is new since then would be accepted unseen. */
export function requireNewBaseline(path: string, shown: string): void {
  if (existsSync(path))
    throw new Refused(
      `${shown} exists, and writing it anew would accept everything that is new. --prune-baseline takes out what is gone; delete the file to accept all anew.`,
    );
}

/**
 * A result without what was known. One that goes while another comes is seen, even when the counts stay the same: what is gone is in the result.
 * @param whole the scan looked at everything, so that what it did not find is gone
 */
export function againstBaseline(result: ScanResult, known: Baseline, whole: boolean): ScanResult {
  const before = new Set(known.findings.map((entry) => entry.fingerprint));
  const refused = new Set(known.refusals.map((entry) => entry.fingerprint));
  const now = new Set(result.findings.map((finding) => finding.fingerprint));
  const rest = narrowed(result, {
    finding: (finding) => !before.has(finding.fingerprint),
    refusal: (refusal) => !refused.has(refusalPrint(refusal)),
  });
  return {
    ...rest,
    baseline: {
      known: result.findings.length - rest.findings.length,
      gone: whole ? known.findings.filter((entry) => !now.has(entry.fingerprint) && (entry.test !== true || result.inTests === 0)) : [],
    },
  };
}

/** A baseline without what is gone. Nothing is added: what is new stays visible. */
export function pruned(known: Baseline, result: ScanResult): Baseline {
  const gone = new Set((result.baseline?.gone ?? []).map((entry) => entry.fingerprint));
  return { ...known, findings: known.findings.filter((entry) => !gone.has(entry.fingerprint)) };
}

/** Content of a refusal: what is refused, and in which files. */
const refusalPrint = ({
  id,
  reason,
}: {
  readonly id: string;
  readonly reason: { readonly sites: readonly Pick<Refusal['reason']['sites'][number], 'file'>[] };
}): string =>
  createHash('sha256')
    .update([id, ...[...new Set(reason.sites.map((site) => site.file))].sort()].join('\n'))
    .digest('hex')
    .slice(0, 16);
