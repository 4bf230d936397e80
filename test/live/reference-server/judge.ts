import type { Check, ToolRole, VerifyReport } from '../../../src/core/index.js';
import { runChecks, selectChecks, type AllowedTool, type Target, type VerifyOptions } from '../../../src/verify/index.js';
import { checks } from '../../../transforms/_checks/index.js';
import { compiledEntry } from './compile.js';
import type { FaultRow } from './faults.js';
import { startReference, type Running } from './http.js';
import type { ReferenceOptions } from './options.js';

/** Clock of the reference server and of the judge, against real time. */
export const PACE = 0.2;

/** Every tool of the shop with its role. */
const shopTools: readonly (AllowedTool & { readonly does: readonly ToolRole[] })[] = [
  { name: 'price', args: {}, does: ['plain'] },
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

/** The tools that the selected checks use: trial calls of the others would only take time. */
function toolsFor(selected: readonly Check[]): readonly AllowedTool[] {
  const text = JSON.stringify(selected);
  const named = (role: ToolRole): boolean =>
    text.includes(`{${role === 'plain' ? 'tool' : role}.`) ||
    text.includes(`"${role}-tool"`) ||
    text.includes(`"${role === 'plain' ? 'subject' : role}"`) ||
    text.includes('rounds');
  return shopTools.filter((tool) => tool.does.some(named));
}

const common: VerifyOptions = { classes: ['quick', 'slow', 'needs-control'], pace: PACE };

const selection = (options: VerifyOptions, transports: readonly string[]): readonly AllowedTool[] => toolsFor(selectChecks(checks, transports, options));

/** Judges the reference server over HTTP. */
export async function judgeHttp(reference: ReferenceOptions, options: VerifyOptions = {}): Promise<VerifyReport> {
  const setup = { pace: PACE, ...reference };
  let running: Running = await startReference(setup);
  const first = running;
  const replica = await startReference(setup);
  const port = Number(new URL(running.url).port);
  const control = {
    stop: () => running.stop(),
    restart: async () => {
      await running.kill().catch(() => undefined);
      running = await startReference(setup, port);
    },
  };
  const more = reference.sse === true ? { sseUrl: running.sseUrl } : {};
  try {
    return await runChecks({ transport: 'http', url: running.url }, checks, {
      ...common,
      timeout: 8000,
      allowTools: selection(options, ['http', 'sse']),
      origin: new URL(running.url).origin,
      replica: replica.url,
      healthUrl: new URL('/healthz', running.url).href,
      control,
      ...more,
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

/** Judges the reference server over stdio. */
export const judgeStdio = (reference: ReferenceOptions, options: VerifyOptions = {}): Promise<VerifyReport> =>
  runChecks(stdioTarget(reference), checks, { ...common, timeout: 6000, allowTools: selection(options, ['stdio']), ...options });

/** Judges the reference server with one fault. */
export function judgeFault(row: FaultRow, options: VerifyOptions = {}): Promise<VerifyReport> {
  const judge = row.over === 'http' ? judgeHttp : judgeStdio;
  return judge({ ...row.with, faults: [row.id] }, { ...row.options, ...options });
}

/** Ids of the results with a verdict. */
export const idsOf = (report: VerifyReport, verdict: 'fail' | 'warn'): readonly string[] =>
  report.results.filter((result) => result.verdict === verdict).map((result) => result.id);

/** What the reference server shows without any fault: the stateless lane serves bare requests, by ruling a warning. */
export const baseline = (row: Pick<FaultRow, 'with'>): readonly string[] => (row.with?.legacy === 'stateless' ? ['CK-L07'] : []);
