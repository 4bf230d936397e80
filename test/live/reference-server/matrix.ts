import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checks } from '../../../transforms/_checks/index.js';
import { faults, type FaultRow } from './faults.js';
import { baseline, idsOf, judgeFault } from './judge.js';

/** Outcome of one fault against all checks. */
export interface MatrixRow {
  readonly fault: string;
  readonly over: FaultRow['over'];
  readonly level: FaultRow['level'];
  readonly what: string;
  readonly fails: readonly string[];
  readonly warns: readonly string[];
  /** Red without being expected, or expected without being red. */
  readonly unexpected: readonly string[];
  readonly missing: readonly string[];
  /** Set when nothing could be judged: the right outcome for a server that never runs. */
  readonly inconclusive?: string;
}

/** Faults that are run side by side. */
const LANES = 3;

/** Runs each fault against every check. */
export async function runMatrix(chosen: readonly FaultRow[], progress: (row: MatrixRow) => void): Promise<readonly MatrixRow[]> {
  const rows = new Map<FaultRow, MatrixRow>();
  const waiting = [...chosen];
  const lane = async (): Promise<void> => {
    for (let fault = waiting.shift(); fault; fault = waiting.shift()) {
      const row = await rowOf(fault);
      progress(row);
      rows.set(fault, row);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return chosen.map((fault) => rows.get(fault)).filter((row) => row !== undefined);
}

async function rowOf(fault: FaultRow): Promise<MatrixRow> {
  const report = await judgeFault(fault);
  const known = baseline(fault);
  const fails = idsOf(report, 'fail');
  const warns = idsOf(report, 'warn').filter((id) => !known.includes(id) || (fault.warns ?? []).includes(id));
  const [expectFails, expectWarns] = [fault.fails, fault.warns ?? []];
  return {
    fault: fault.id,
    over: fault.over,
    level: fault.level,
    what: fault.what,
    fails,
    warns,
    ...(report.inconclusive === undefined ? {} : { inconclusive: report.inconclusive }),
    unexpected: [...fails.filter((id) => !expectFails.includes(id)), ...warns.filter((id) => !expectWarns.includes(id))],
    missing: [...expectFails.filter((id) => !fails.includes(id)), ...expectWarns.filter((id) => !warns.includes(id))],
  };
}

/** Checks that a probe decides and no fault turned red. */
export function survivors(rows: readonly Pick<MatrixRow, 'fails' | 'warns'>[]): readonly string[] {
  const killed = new Set(rows.flatMap((row) => [...row.fails, ...row.warns]));
  return checks.filter((check) => check.class !== 'attest' && check.transport !== 'client' && !killed.has(check.id)).map((check) => check.id);
}

const FILE = fileURLToPath(new URL('../../results/verify-mutations.json', import.meta.url));

/** Rows of the stored proof, so that single faults can be run again: `tsx matrix.ts [fault …]`. */
function storedRows(): readonly MatrixRow[] {
  try {
    return (JSON.parse(readFileSync(FILE, 'utf8')) as { rows: readonly MatrixRow[] }).rows;
  } catch {
    return [];
  }
}

/** Runs the faults, keeps the record, and resolves to the number of rows that are not as they must be. With names, only these run and the rest is kept. */
export async function proveFaults(asked: readonly string[]): Promise<number> {
  const fresh = await runMatrix(
    faults.filter((fault) => asked.length === 0 || asked.includes(fault.id)),
    (row) => {
      const differs = [...row.unexpected, ...row.missing];
      if (differs.length > 0 || asked.length > 0) console.log(`${differs.length === 0 ? 'ok  ' : 'DIFF'} ${row.over} ${row.fault} ${differs.join(' ')}`);
    },
  );
  const key = (row: { readonly over: string; readonly fault: string }): string => `${row.over} ${row.fault}`;
  const byKey = new Map([...(asked.length === 0 ? [] : storedRows()), ...fresh].map((row) => [key(row), row]));
  const rows = faults.map((fault) => byKey.get(key({ over: fault.over, fault: fault.id }))).filter((row) => row !== undefined);
  const summary = {
    faults: rows.length,
    must: rows.filter((row) => row.level === 'must').length,
    killed: rows.filter((row) => row.missing.length === 0 && (row.fails.length + row.warns.length > 0 || row.inconclusive !== undefined)).length,
    unexpected: rows.filter((row) => row.unexpected.length > 0).length,
    survivors: survivors(rows),
  };
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, `${JSON.stringify({ node: process.version, summary, rows }, null, 2)}\n`);
  console.log(summary);
  return summary.unexpected + (rows.length - summary.killed) + summary.survivors.length;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = (await proveFaults(process.argv.slice(2))) > 0 ? 1 : 0;
