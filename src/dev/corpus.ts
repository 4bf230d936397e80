/**
 * `npm run corpus -- LABELS TREES [OWNER/NAME …]`: scans the checkouts `OWNER__NAME` of a folder against a file of labels and writes
 * `test/results/corpus.json`, or `corpus-python.json` for labels of Python. Labels: `[{ repo, commit, language, shapes: [{ shape, file, line, role }], traps: [{ file, line }], zero_findings_expected }]`.
 * A label counts as seen when a finding lies within two lines of it; a finding of more than ten lines counts for its first one.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Finding } from '../core/index.js';
import { scanRepository } from '../engine/index.js';
import { knowledge } from '../../transforms/index.js';

const Labels = z.array(
  z.object({
    repo: z.string(),
    commit: z.string().optional(),
    language: z.string().optional(),
    zero_findings_expected: z.boolean().optional(),
    shapes: z.array(z.object({ shape: z.string(), file: z.string(), line: z.int(), role: z.string() })),
    traps: z.array(z.object({ file: z.string(), line: z.int() })).default([]),
  }),
);
type Repository = z.infer<typeof Labels>[number];
type Shape = Repository['shapes'][number];

/** Labels that give context only. */
const CONTEXT = /^(?:info\.|docs\.|version\.|stateless\.|S58$|S66$|S07$|S13$|S41$|S7[0-5]$|S84$|S86$|S9[0-2]$)/;
/** In lines. */
const NEAR = 2;
const WIDEST = 10;

const endOf = ({ site }: Finding): number => (site.endLine - site.line >= WIDEST ? site.line : site.endLine);
const covers = (finding: Finding, file: string, line: number, near: number): boolean =>
  finding.site.file === file && line >= finding.site.line - near && line <= endOf(finding) + near;
const roleOf = (shape: Shape): 'test' | 'source' => (shape.role === 'test' || /(?:^|\/)(?:tests?|__tests__|e2e|spec)\//.test(shape.file) ? 'test' : 'source');
const percent = (part: number, whole: number): number => (whole === 0 ? 100 : Math.round((1000 * part) / whole) / 10);

interface Row {
  readonly repo: string;
  readonly commit: string | undefined;
  readonly labelled: { readonly source: number; readonly test: number };
  readonly seen: { readonly source: number; readonly test: number };
  readonly findings: number;
  readonly trapsHit: readonly string[];
  readonly missed: readonly string[];
  readonly entryFindingsInZeroRepository: number;
  readonly parsed: number;
  readonly cpuSeconds: number;
}

async function measure(entry: Repository, folder: string): Promise<Row> {
  const started = process.cpuUsage();
  const { findings, stats } = await scanRepository(folder, knowledge, { includeTests: true });
  const { user, system } = process.cpuUsage(started);
  const scored = entry.shapes.filter((shape) => !CONTEXT.test(shape.shape) && shape.role !== 'docs' && shape.role !== 'deploy');
  const byFile = groupByFile(findings);
  const seen = scored.filter((shape) => (byFile.get(shape.file) ?? []).some((finding) => covers(finding, shape.file, shape.line, NEAR)));
  const count = (shapes: readonly Shape[]) => ({
    source: shapes.filter((shape) => roleOf(shape) === 'source').length,
    test: shapes.filter((shape) => roleOf(shape) === 'test').length,
  });
  return {
    repo: entry.repo,
    commit: entry.commit,
    labelled: count(scored),
    seen: count(seen),
    findings: findings.length,
    trapsHit: entry.traps
      .filter(({ file, line }) => findings.some((finding) => covers(finding, file, line, 0)))
      .map(({ file, line }) => `${file}:${String(line)}`),
    missed: scored.filter((shape) => !seen.includes(shape)).map((shape) => `${shape.file}:${String(shape.line)} ${shape.shape}`),
    entryFindingsInZeroRepository:
      entry.zero_findings_expected === true ? findings.filter((finding) => finding.milestone === 'entry' && !finding.id.startsWith('stdio-entry/')).length : 0,
    parsed: stats.parsed,
    cpuSeconds: Math.round((user + system) / 1e5) / 10,
  };
}

function groupByFile(findings: readonly Finding[]): ReadonlyMap<string, readonly Finding[]> {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const group = groups.get(finding.site.file) ?? [];
    group.push(finding);
    groups.set(finding.site.file, group);
  }
  return groups;
}

const [labelsFile, trees, ...only] = process.argv.slice(2);
if (labelsFile === undefined || trees === undefined) {
  console.error('usage: npm run corpus -- LABELS.json FOLDER [OWNER/NAME …]');
  process.exit(2);
}
const rows: Row[] = [];
const labels = Labels.parse(JSON.parse(readFileSync(labelsFile, 'utf8')));
for (const entry of labels) {
  const folder = join(trees, entry.repo.replace('/', '__'));
  if ((only.length > 0 && !only.includes(entry.repo)) || !existsSync(folder)) continue;
  const row = await measure(entry, folder);
  rows.push(row);
  const missed = row.labelled.source + row.labelled.test - row.seen.source - row.seen.test;
  console.log(
    `${row.repo}: ${String(row.findings)} findings, ${String(missed)} labels missed, ${String(row.trapsHit.length)} traps hit, ${String(row.cpuSeconds)} CPU s`,
  );
}
const sum = (of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0);
const means = rows
  .filter(({ labelled }) => labelled.source + labelled.test > 0)
  .map(({ labelled, seen }) => (seen.source + seen.test) / (labelled.source + labelled.test));
const summary = {
  repositories: rows.length,
  recallInSource: percent(
    sum((row) => row.seen.source),
    sum((row) => row.labelled.source),
  ),
  recallInTests: percent(
    sum((row) => row.seen.test),
    sum((row) => row.labelled.test),
  ),
  recallPerRepository: percent(
    means.reduce((total, value) => total + value, 0),
    means.length,
  ),
  trapsHit: sum((row) => row.trapsHit.length),
  entryFindingsInZeroRepositories: sum((row) => row.entryFindingsInZeroRepository),
  cpuSeconds: Math.round(sum((row) => row.cpuSeconds)),
};
console.table(summary);
const name = labels.every(({ language }) => language === 'Python') ? 'corpus-python.json' : 'corpus.json';
const target = fileURLToPath(new URL(`../../test/results/${name}`, import.meta.url));
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, `${JSON.stringify({ summary, rows }, undefined, 2)}\n`);
