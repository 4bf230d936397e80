import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { VerifyReport, type CheckClass, type LaneMode } from '../../core/index.js';
import { json, junitVerify, markdownVerify, prettyVerify } from '../../report/index.js';
import type { AllowedTool, Target, VerifyOptions } from '../../verify/index.js';
import { UsageProblem, type ExitCode } from '../errors.js';
import type { CommonOptions } from '../options.js';
import { deliver } from '../output.js';
import { progressLine } from '../progress.js';
import { prettyOptions } from '../repository.js';
import { version } from '../version.js';
import type { World } from '../world.js';

export interface VerifyCommandOptions extends CommonOptions {
  readonly stdio?: boolean;
  readonly client?: boolean;
  readonly format?: 'pretty' | 'json' | 'junit' | 'markdown';
  readonly output?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly class?: readonly string[];
  readonly lane?: LaneMode | 'auto';
  readonly legacyUrl?: string;
  readonly sseUrl?: string;
  readonly replica?: string;
  readonly origin?: string;
  readonly tokenEnv?: string;
  readonly header?: readonly string[];
  readonly allowTool?: readonly string[];
  readonly acceptReadOnly?: boolean;
  readonly retired?: boolean;
  readonly timeout?: number;
  readonly concurrency?: number;
  readonly baseline?: string;
}

/** `unsession verify <url>`, `unsession verify --stdio -- command…` and `unsession verify --client -- command…` */
export async function verify(words: readonly string[], options: VerifyCommandOptions, world: World): Promise<ExitCode> {
  const target = targetOf(words, options, world);
  const line = progressLine(world, options.quiet === true);
  const settings = verifyOptions(options, world);
  const [{ exitCodeOf, runChecks }, checks] = await Promise.all([import('../../verify/index.js'), world.checks()]);
  let report: VerifyReport;
  try {
    report = await runChecks(target, checks, {
      ...settings,
      toolVersion: version,
      progress: (event) => {
        if (event.kind === 'result') line.show(event.result.id, event.done, event.of);
        else line.show('verify', 0, 1);
      },
    });
  } finally {
    line.end();
  }
  await deliver(rendered(report, options, world), options.output, world);
  return exitCodeOf(report);
}

function rendered(report: VerifyReport, options: VerifyCommandOptions, world: World): string {
  switch (options.format ?? 'pretty') {
    case 'json':
      return json(report);
    case 'junit':
      return junitVerify(report);
    case 'markdown':
      return markdownVerify(report);
    case 'pretty':
      return prettyVerify(report, prettyOptions(world, options, '.', options.output !== undefined));
  }
}

/** @throws UsageProblem when it is neither one http address nor a command */
function targetOf(words: readonly string[], options: VerifyCommandOptions, world: World): Target {
  const [first, ...rest] = words;
  if (options.stdio && options.client) throw new UsageProblem('--stdio judges a server and --client a client; give one of them');
  if (options.stdio || options.client) {
    const flag = options.stdio ? '--stdio' : '--client';
    if (first === undefined)
      throw new UsageProblem(`${flag} needs a command: unsession verify ${flag} -- node ${options.stdio ? 'server.js' : 'client.js {url}'}`);
    return { transport: options.stdio ? 'stdio' : 'client', command: first, args: rest, cwd: world.cwd };
  }
  if (first === undefined) throw new UsageProblem('nothing to verify: give the URL of the endpoint, or --stdio or --client, -- and a command');
  if (rest.length > 0) throw new UsageProblem(`one URL at a time; "${rest[0] ?? ''}" is one too many (a command needs --stdio --)`);
  return { transport: 'http', url: address(first) };
}

function address(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  throw new UsageProblem(`"${text}" is not an http or https URL; give the whole address of the endpoint, e.g. http://127.0.0.1:3000/mcp`);
}

const CLASSES: readonly CheckClass[] = ['quick', 'slow', 'needs-control', 'attest'];

function verifyOptions(options: VerifyCommandOptions, world: World): VerifyOptions {
  const unknown = (options.class ?? []).filter((name) => !CLASSES.includes(name as CheckClass));
  if (unknown.length > 0) throw new UsageProblem(`there is no class "${unknown.join(', ')}" of checks; there is ${CLASSES.join(', ')}`);
  const token = options.tokenEnv === undefined ? undefined : world.env[options.tokenEnv];
  if (options.tokenEnv !== undefined && (token ?? '') === '') throw new UsageProblem(`the variable ${options.tokenEnv} of --token-env is empty`);
  const settings = {
    only: options.only,
    skip: options.skip,
    classes: options.class as readonly CheckClass[] | undefined,
    lane: options.lane,
    legacyUrl: options.legacyUrl === undefined ? undefined : address(options.legacyUrl),
    sseUrl: options.sseUrl === undefined ? undefined : address(options.sseUrl),
    replica: options.replica === undefined ? undefined : address(options.replica),
    origin: options.origin,
    token,
    headers: options.header === undefined ? undefined : Object.fromEntries(options.header.map(header)),
    allowTools: options.allowTool?.map(allowedTool),
    acceptReadOnly: options.acceptReadOnly,
    retired: options.retired,
    timeout: options.timeout,
    concurrency: options.concurrency,
    baseline: options.baseline === undefined ? undefined : earlier(resolve(world.cwd, options.baseline)),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** `Name: value` */
function header(text: string): readonly [string, string] {
  const colon = text.indexOf(':');
  if (colon < 1) throw new UsageProblem(`"${text}" is not a header; write "Name: value"`);
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
}

/** `name` or `name={"argument":"value"}` */
function allowedTool(text: string): AllowedTool {
  const equals = text.indexOf('=');
  if (equals < 0) return { name: text, args: {} };
  const name = text.slice(0, equals);
  try {
    const args: unknown = JSON.parse(text.slice(equals + 1));
    if (typeof args === 'object' && args !== null && !Array.isArray(args)) return { name, args: args as Record<string, unknown> };
  } catch {
    // The message below says what is expected.
  }
  throw new UsageProblem(`the arguments of tool "${name}" are not a JSON object`);
}

function earlier(file: string): VerifyReport {
  try {
    return VerifyReport.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new UsageProblem(`${file} is not the output of "unsession verify --format json" of this version`);
  }
}
