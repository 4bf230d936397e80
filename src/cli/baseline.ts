import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { ScanResult } from '../core/index.js';
import { UsageProblem } from './errors.js';

const Baseline = z.object({ schemaVersion: z.literal('1'), findings: z.array(z.object({ fingerprint: z.string() })) });

/**
 * Fingerprints of an earlier `scan --format json`.
 * @throws UsageProblem when the file is not one
 */
export function readBaseline(path: string): ReadonlySet<string> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new UsageProblem(`${path} cannot be read as JSON; --baseline takes the output of "unsession scan --format json"`);
  }
  const parsed = Baseline.safeParse(value);
  if (!parsed.success) throw new UsageProblem(`${path} is not the output of "unsession scan --format json" of this version`);
  return new Set(parsed.data.findings.map((finding) => finding.fingerprint));
}

/** A result without the findings that were known, and how many of the known ones are gone. Counted by content, not by number. */
export function againstBaseline(result: ScanResult, known: ReadonlySet<string>): { readonly result: ScanResult; readonly old: number; readonly gone: number } {
  const findings = result.findings.filter((finding) => !known.has(finding.fingerprint));
  const left = new Set(findings.map((finding) => finding.fingerprint));
  const now = new Set(result.findings.map((finding) => finding.fingerprint));
  const items = result.plan.items.filter((item) => item.findings.some((fingerprint) => left.has(fingerprint)));
  return {
    result: { ...result, findings, plan: { ...result.plan, items, effort: items.reduce((sum, item) => sum + item.effort, 0) } },
    old: result.findings.length - findings.length,
    gone: [...known].filter((fingerprint) => !now.has(fingerprint)).length,
  };
}
