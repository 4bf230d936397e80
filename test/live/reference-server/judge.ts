import type { VerifyReport } from '../../../src/core/index.js';
import { runChecks, type AllowedTool, type Target, type VerifyOptions } from '../../../src/verify/index.js';
import { checks } from '../../../transforms/_checks/index.js';
import { compiledEntry } from './compile.js';
import type { FaultRow } from './faults.js';
import { startReference, type Running } from './http.js';
import type { ReferenceOptions } from './options.js';

/** Clock of the reference server and of the judge, against real time. */
export const PACE = 0.2;

/** Every tool of the shop with its role. */
export const allowTools: readonly AllowedTool[] = [
  { name: 'price', args: {} },
  { name: 'ship', args: { region: 'us-west1' }, does: ['header'] },
  { name: 'count', args: {}, does: ['progress'] },
  { name: 'audit', args: {}, does: ['log'] },
  { name: 'book', args: {}, does: ['eliciting'] },
  { name: 'cancel-order', args: {}, does: ['state'] },
  { name: 'summarise', args: {}, does: ['capability'] },
  { name: 'pack', args: {}, does: ['slow'] },
  { name: 'jobs', args: {}, does: ['observer'] },
  { name: 'restock', args: {}, does: ['change'] },
];

const common: VerifyOptions = { allowTools, classes: ['quick', 'slow', 'needs-control'], pace: PACE, timeout: 2000 };

/** Judges the reference server over HTTP. */
export async function judgeHttp(reference: ReferenceOptions, options: VerifyOptions = {}): Promise<VerifyReport> {
  const setup = { pace: PACE, ...reference };
  let running: Running = await startReference(setup);
  const first = running;
  const replica = await startReference(setup);
  const control = { stop: () => running.stop(), restart: async () => void (running = await startReference(setup)) };
  try {
    return await runChecks({ transport: 'http', url: running.url }, checks, {
      ...common,
      origin: new URL(running.url).origin,
      replica: replica.url,
      control,
      ...(reference.sse === true ? { sseUrl: running.sseUrl } : {}),
      ...options,
    });
  } finally {
    await Promise.all([running.kill(), first.kill(), replica.kill()].map((ending) => ending.catch(() => undefined)));
  }
}

/** How the reference server is started over stdio. */
export const stdioTarget = (reference: ReferenceOptions): Target => ({
  transport: 'stdio',
  command: process.execPath,
  args: [compiledEntry(), JSON.stringify({ pace: PACE, ...reference })],
});

export const judgeStdio = (reference: ReferenceOptions, options: VerifyOptions = {}): Promise<VerifyReport> =>
  runChecks(stdioTarget(reference), checks, { ...common, ...options, timeout: 4000 });

/** Judges the reference server with one fault. */
export function judgeFault(row: FaultRow, options: VerifyOptions = {}): Promise<VerifyReport> {
  const reference: ReferenceOptions = { ...row.with, faults: [row.id] };
  return row.over === 'http' ? judgeHttp(reference, { ...row.options, ...options }) : judgeStdio(reference, { ...row.options, ...options });
}

/** The same set-up without the fault. */
export function judgeControl(row: FaultRow, options: VerifyOptions = {}): Promise<VerifyReport> {
  return row.over === 'http' ? judgeHttp(row.with ?? {}, { ...row.options, ...options }) : judgeStdio(row.with ?? {}, { ...row.options, ...options });
}

export const idsOf = (report: VerifyReport, verdict: 'fail' | 'warn'): string[] =>
  report.results.filter((result) => result.verdict === verdict).map((result) => result.id);
