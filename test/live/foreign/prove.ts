import { spawn, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { VerifyReport, type Verdict } from '../../../src/core/index.js';
import { runCommand } from '../command.js';
import { freePort, ROOT } from '../server-process.js';
import { ARGUED } from './argued.js';
import { FOREIGN, type ForeignServer } from './servers.js';

/** Seconds that the quick set may take on a quiet machine; three times as much is a failure on any. */
export const BUDGET = { http: 10, stdio: 15 } as const;
/** Megabytes that the judge may hold at its peak, Node and the loaded tool included. */
export const MEMORY = 250;

/** How one foreign server was judged over one transport. */
export interface ForeignProof {
  readonly server: string;
  readonly sdk: string;
  readonly over: 'http' | 'stdio';
  readonly seconds: number;
  /** Peak of the resident memory of the judge. */
  readonly megabytes: number;
  /** What a line of three megabytes did to a stdio server (CK-S18). */
  readonly oversizedLine?: Verdict;
  readonly summary: Readonly<Record<string, number>>;
  /** Failures that the specification justifies. */
  readonly argued: readonly string[];
  /** What is not as expected, one line each; empty when all is. */
  readonly problems: readonly string[];
}

/** Judges every foreign server over every transport that it has. */
export async function proveForeign(progress: (proof: ForeignProof) => void): Promise<readonly ForeignProof[]> {
  const proofs: ForeignProof[] = [];
  for (const server of FOREIGN) {
    const commands = await server.prepare().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    for (const over of ['http', 'stdio'] as const) {
      const command = typeof commands === 'string' ? [] : commands[over];
      if (command === undefined) continue;
      const proof = typeof commands === 'string' ? broken(server, over, commands) : await judge(server, over, command);
      proofs.push(proof);
      progress(proof);
    }
  }
  return proofs;
}

const broken = (server: ForeignServer, over: 'http' | 'stdio', problem: string): ForeignProof => ({
  server: server.name,
  sdk: server.sdk,
  over,
  seconds: 0,
  megabytes: 0,
  summary: {},
  argued: [],
  problems: [problem],
});

async function judge(server: ForeignServer, over: 'http' | 'stdio', command: readonly string[]): Promise<ForeignProof> {
  try {
    const measured = await (over === 'http' ? overHttp(command, server.options) : measure([...server.options, '--stdio', '--', ...command]));
    return proofOf(server, over, measured);
  } catch (error) {
    return broken(server, over, error instanceof Error ? error.message : String(error));
  }
}

function proofOf(server: ForeignServer, over: 'http' | 'stdio', { report, megabytes }: Measured): ForeignProof {
  const argued = ARGUED[`${server.name} ${over}`] ?? {};
  const failed = report.results.filter((result) => result.verdict === 'fail');
  const seconds = Math.round(report.milliseconds / 100) / 10;
  const oversizedLine = report.results.find((result) => result.id === 'CK-S18')?.verdict;
  return {
    server: server.name,
    sdk: sdkOf(server),
    over,
    seconds,
    megabytes,
    ...(oversizedLine === undefined ? {} : { oversizedLine }),
    summary: report.summary,
    argued: failed.map((result) => result.id).filter((id) => id in argued),
    problems: [
      ...(report.inconclusive === undefined ? [] : [report.inconclusive]),
      ...failed.filter((result) => !(result.id in argued)).map((result) => `${result.id}: ${result.reason}`),
      ...Object.keys(argued)
        .filter((id) => !failed.some((result) => result.id === id))
        .map((id) => `${id} is argued and does not fail: the sentence is out of date`),
      ...(megabytes > MEMORY ? [`took ${String(megabytes)} MB; ${String(MEMORY)} MB are allowed`] : []),
      ...(seconds > 3 * BUDGET[over] ? [`took ${String(seconds)} s; ${String(BUDGET[over])} s are allowed on a quiet machine`] : []),
    ],
  };
}

function sdkOf(server: ForeignServer): string {
  if (!server.sdk.startsWith('@')) return server.sdk;
  const manifest = createRequire(import.meta.url)(`${ROOT}node_modules/${server.sdk}/package.json`) as { version: string };
  return `${server.sdk} ${manifest.version}`;
}

/** Starts an HTTP server, waits for its port, has it judged, ends it. */
export async function withServer<T>(command: readonly string[], use: (url: string) => Promise<T>): Promise<T> {
  const port = await freePort();
  const [file = '', ...args] = command.map((word) => word.replace('{port}', String(port)));
  const child: ChildProcess = spawn(file, args, { stdio: 'ignore' });
  const gone = new Promise<void>((resolve) => child.on('close', () => resolve()).on('error', () => resolve()));
  try {
    for (let look = 0; !(await listens(port)); look++) {
      if (child.exitCode !== null || look > 300) throw new Error(`${command.join(' ')} does not listen`);
      await wait(100);
    }
    return await use(`http://127.0.0.1:${String(port)}/mcp`);
  } finally {
    child.kill('SIGKILL');
    await gone;
  }
}

const overHttp = (command: readonly string[], options: readonly string[]): Promise<Measured> => withServer(command, (url) => measure([url, ...options]));

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

/** A run of `verify` with the memory that it took. */
interface Measured {
  readonly report: VerifyReport;
  readonly megabytes: number;
}

/** Has the process say at its end what it held at its peak, in kilobytes. */
const TELL_PEAK = 'data:text/javascript,process.on("exit",()=>process.stderr.write("peak "+process.resourceUsage().maxRSS+"\\n"))';

/** Runs `verify` as its users do, reads its evidence and measures its memory. */
async function measure(args: readonly string[]): Promise<Measured> {
  const at = args.indexOf('--');
  const words = at < 0 ? [...args, '--format', 'json'] : [...args.slice(0, at), '--format', 'json', ...args.slice(at)];
  const outcome = await runCommand(process.execPath, ['--import', TELL_PEAK, `${ROOT}bin/unsession.js`, 'verify', ...words], ROOT);
  if (outcome.stdout === '') throw new Error(`verify said nothing: ${outcome.stderr}`);
  const peak = /^peak (\d+)$/m.exec(outcome.stderr)?.[1];
  return { report: VerifyReport.parse(JSON.parse(outcome.stdout)), megabytes: Math.round(Number(peak) / 1024) };
}

/** The evidence of one run. */
export const reportOf = async (args: readonly string[]): Promise<VerifyReport> => (await measure(args)).report;
