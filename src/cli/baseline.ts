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
  /** From the top of the repository, whatever folder was scanned. */
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
  target: z.object({ prefix: z.string().optional() }),
  findings: z.array(z.object({ fingerprint: z.string(), id: z.string(), site: z.object({ file: z.string() }), role: z.string() })),
  refusals: z.array(z.object({ id: z.string(), subject: z.string().optional(), reason: z.object({ sites: z.array(z.object({ file: z.string() })) }) })),
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
  const { findings, refusals, target } = scan.data;
  return { findings: entriesOf(findings, target), refusals: refusals.map((refusal) => refusalEntry(refusal, target)), written: false };
}

/** The baseline of a result. Lines are not in it, so that moved code changes nothing in the file. */
export const baselineOf = ({ findings, refusals, target }: ScanResult): Baseline => ({
  findings: entriesOf(findings, target),
  refusals: refusals.filter(({ accepted }) => accepted === undefined).map((refusal) => refusalEntry(refusal, target)),
  written: true,
});

interface Printed {
  readonly fingerprint: string;
  readonly id: string;
  readonly site: { readonly file: string };
  readonly role: string;
}

const entriesOf = (findings: readonly Printed[], { prefix = '' }: ScannedFolder): readonly BaselineEntry[] =>
  findings.map(({ fingerprint, id, site, role }) => ({ fingerprint, id, file: prefix + site.file, ...(role === 'test' ? { test: true } : {}) }));

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

/** What a comparison knows beside the two lists. */
export interface Comparing {
  /** The scan looked at everything below its root, so that what it did not find there is gone. */
  readonly whole: boolean;
  /** Is there a file at this path from the top of the repository? */
  readonly exists: (file: string) => boolean;
}

/**
 * A result without what was known. One that goes while another comes is seen, even when the counts stay the same: what is gone is in the result.
 * A finding whose file got another name is known; one that went to another file while its own is still there is new.
 */
export function againstBaseline(result: ScanResult, known: Baseline, comparing: Comparing): ScanResult {
  const { before, moves, gone } = comparison(result, known, comparing);
  const refused = new Set(known.refusals.map((entry) => entry.fingerprint));
  const rest = narrowed(result, {
    finding: ({ fingerprint }) => !before.has(fingerprint) && !moves.has(fingerprint),
    refusal: (refusal) => !refused.has(refusalEntry(refusal, result.target).fingerprint),
  });
  const moved = entriesOf(result.findings, result.target).flatMap(({ id, file, fingerprint }) => {
    const from = moves.get(fingerprint)?.file;
    return from === undefined ? [] : [{ id, from, to: file }];
  });
  return { ...rest, baseline: { known: result.findings.length - rest.findings.length, moved, gone } };
}

/** A baseline without what is gone, and with the new names of files. Nothing is added: what is new stays visible. */
export function pruned(known: Baseline, full: ScanResult, comparing: Comparing): Baseline {
  const { moves, gone } = comparison(full, known, comparing);
  const out = new Set([...gone, ...moves.values()].map((entry) => entry.fingerprint));
  const renamed = entriesOf(full.findings, full.target).filter((entry) => moves.has(entry.fingerprint));
  return { ...known, findings: [...known.findings.filter((entry) => !out.has(entry.fingerprint)), ...renamed] };
}

interface Comparison {
  /** Fingerprints of the baseline. */
  readonly before: ReadonlySet<string>;
  /** By new fingerprint, the known entry of the same text in a file that is no more. */
  readonly moves: ReadonlyMap<string, BaselineEntry>;
  readonly gone: readonly BaselineEntry[];
}

function comparison({ findings, target, inTests }: ScanResult, known: Baseline, { whole, exists }: Comparing): Comparison {
  const before = new Set(known.findings.map((entry) => entry.fingerprint));
  const now = new Set(findings.map((finding) => finding.fingerprint));
  const missing = known.findings.filter((entry) => !now.has(entry.fingerprint));
  const moves = movesOf(
    missing.filter((entry) => !exists(entry.file)),
    entriesOf(findings, target).filter((entry) => !before.has(entry.fingerprint)),
  );
  const elsewhere = new Set([...moves.values()].map((entry) => entry.fingerprint));
  const below = target.prefix ?? '';
  const isGone = ({ fingerprint, file, test }: BaselineEntry): boolean =>
    file.startsWith(below) && !elsewhere.has(fingerprint) && (test !== true || inTests === 0);
  return { before, moves, gone: whole ? missing.filter(isGone) : [] };
}

/** What a fingerprint says about the text alone: its first eight digits are the file. */
const contentOf = ({ id, fingerprint }: BaselineEntry): string => `${id} ${fingerprint.slice(8)}`;

/** The known entry behind each new fingerprint: the same text, in a file of another name. One for one, in order. */
function movesOf(missing: readonly BaselineEntry[], fresh: readonly BaselineEntry[]): ReadonlyMap<string, BaselineEntry> {
  const waiting = new Map<string, BaselineEntry[]>();
  for (const entry of missing) waiting.set(contentOf(entry), [...(waiting.get(contentOf(entry)) ?? []), entry]);
  const moves = new Map<string, BaselineEntry>();
  for (const entry of fresh) {
    const from = waiting.get(contentOf(entry))?.shift();
    if (from) moves.set(entry.fingerprint, from);
  }
  return moves;
}

interface ScannedFolder {
  readonly prefix?: string | undefined;
}
interface PrintedRefusal {
  readonly id: string;
  readonly subject?: string | undefined;
  readonly reason: { readonly sites: readonly Pick<Refusal['reason']['sites'][number], 'file'>[] };
}

/** A refusal by its content: what is refused, and in which files. */
const refusalEntry = ({ id, subject, reason }: PrintedRefusal, { prefix = '' }: ScannedFolder): { readonly id: string; readonly fingerprint: string } => ({
  id,
  fingerprint: createHash('sha256')
    .update(
      [
        id,
        // A file is named from the top of the repository, an endpoint by its path.
        ...(subject === undefined ? [] : [reason.sites.some(({ file }) => file === subject) ? prefix + subject : subject]),
        ...[...new Set(reason.sites.map((site) => prefix + site.file))].sort(),
      ].join('\n'),
    )
    .digest('hex')
    .slice(0, 16),
});
