import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ToolRole, VerifyReport, type CheckClass, type LaneMode } from '../../core/index.js';
import { CONTROLS, commandControl, type AllowedTool, type ControlAction, type ServerControl, type VerifyOptions } from '../../verify/index.js';
import { UsageProblem } from '../errors.js';
import type { CommonOptions } from '../options.js';
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
  readonly tool?: readonly string[];
  readonly control?: readonly string[];
  readonly official?: boolean;
  readonly healthUrl?: string;
  readonly tokenFile?: string;
  readonly token?: string;
  readonly ca?: string;
  readonly insecure?: boolean;
  readonly acceptReadOnly?: boolean;
  readonly retired?: boolean;
  readonly timeout?: number;
  readonly concurrency?: number;
  readonly baseline?: string;
}

/**
 * The address of an endpoint as it was given.
 * @throws UsageProblem when it is no http address
 */
export function address(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  throw new UsageProblem(`"${text}" is not an http or https URL; give the whole address of the endpoint, e.g. http://127.0.0.1:3000/mcp`);
}

const CLASSES: readonly CheckClass[] = ['quick', 'slow', 'needs-control', 'attest'];

/**
 * The judge's options from those of the command line.
 * @throws UsageProblem when one cannot be read
 */
export function verifyOptions(options: VerifyCommandOptions, world: World): VerifyOptions {
  const control = options.control === undefined ? undefined : controlOf(options.control, world.cwd);
  const classes = options.class ?? (control ? ['quick', 'needs-control'] : undefined);
  const unknown = (options.class ?? []).filter((name) => !CLASSES.includes(name as CheckClass));
  if (unknown.length > 0) throw new UsageProblem(`there is no class "${unknown.join(', ')}" of checks; there is ${CLASSES.join(', ')}`);
  const settings = {
    only: options.only,
    skip: options.skip,
    classes: classes as readonly CheckClass[] | undefined,
    lane: options.lane,
    legacyUrl: options.legacyUrl === undefined ? undefined : address(options.legacyUrl),
    sseUrl: options.sseUrl === undefined ? undefined : address(options.sseUrl),
    replica: options.replica === undefined ? undefined : address(options.replica),
    origin: options.origin,
    token: tokenOf(options, world),
    tls: tlsOf(options, world),
    control,
    healthUrl: options.healthUrl === undefined ? undefined : address(options.healthUrl),
    headers: options.header === undefined ? undefined : Object.fromEntries(options.header.map(header)),
    allowTools: toolsOf(options),
    acceptReadOnly: options.acceptReadOnly,
    retired: options.retired,
    timeout: timeoutOf(options.timeout),
    concurrency: options.concurrency,
    baseline: options.baseline === undefined ? undefined : earlier(resolve(world.cwd, options.baseline)),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** Shorter than any answer takes: somebody meant seconds. */
const SHORTEST = 100;

/** @throws UsageProblem when no server could answer in that time */
function timeoutOf(milliseconds: number | undefined): number | undefined {
  if (milliseconds !== undefined && milliseconds < SHORTEST)
    throw new UsageProblem(`--timeout counts milliseconds and ${String(milliseconds)} are too few for an answer; ten seconds are --timeout 10000`);
  return milliseconds;
}

/** `Name: value` */
function header(text: string): readonly [string, string] {
  const colon = text.indexOf(':');
  if (colon < 1) throw new UsageProblem(`"${text}" is not a header; write "Name: value"`);
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
}

/** `what=command` */
function controlOf(words: readonly string[], cwd: string): ServerControl {
  const commands: Partial<Record<ControlAction, string>> = {};
  for (const text of words) {
    const [action, command] = halves(text);
    const known = CONTROLS.find((name) => name === action);
    if (known === undefined || command === undefined || command.trim() === '')
      throw new UsageProblem(`"${text}" is no control; write ${CONTROLS.map((name) => `${name}="command"`).join(', ')}`);
    commands[known] = command;
  }
  return commandControl(commands, cwd);
}

/** `--allow-tool` and `--tool`: one entry for each tool, with all of its roles. */
function toolsOf(options: VerifyCommandOptions): readonly AllowedTool[] | undefined {
  const tools = new Map<string, AllowedTool>();
  const add = (tool: AllowedTool): void => {
    const known = tools.get(tool.name);
    const args = Object.keys(tool.args).length > 0 ? tool.args : (known?.args ?? tool.args);
    const does = [...(known?.does ?? []), ...(tool.does ?? [])];
    tools.set(tool.name, { name: tool.name, args, ...(does.length > 0 ? { does } : {}) });
  };
  for (const text of options.allowTool ?? []) add(allowedTool(text));
  for (const text of options.tool ?? []) {
    const [word, rest] = halves(text);
    const role = ToolRole.options.find((name) => name === word);
    if (role === undefined || rest === undefined || rest === '')
      throw new UsageProblem(`"${text}" names no role of a tool; write role=name, with one of these roles: ${ToolRole.options.join(', ')}`);
    add({ ...allowedTool(rest), does: [role] });
  }
  return tools.size === 0 ? undefined : [...tools.values()];
}

const halves = (text: string): readonly [string, string | undefined] => {
  const equals = text.indexOf('=');
  return equals < 0 ? [text, undefined] : [text.slice(0, equals), text.slice(equals + 1)];
};

/** From the option, the environment or a file; at most one of them. */
function tokenOf(options: VerifyCommandOptions, world: World): string | undefined {
  const given = [options.token, options.tokenEnv, options.tokenFile].filter((source) => source !== undefined);
  if (given.length > 1) throw new UsageProblem('give the token once: --token, --token-env or --token-file');
  if (options.token !== undefined) return options.token;
  if (options.tokenEnv !== undefined) {
    const token = world.env[options.tokenEnv] ?? '';
    if (token === '') throw new UsageProblem(`the variable ${options.tokenEnv} of --token-env is empty`);
    return token;
  }
  if (options.tokenFile === undefined) return undefined;
  const token = readText(resolve(world.cwd, options.tokenFile), '--token-file').trim();
  if (token === '') throw new UsageProblem(`${options.tokenFile} of --token-file is empty`);
  return token;
}

function tlsOf(options: VerifyCommandOptions, world: World): VerifyOptions['tls'] {
  if (options.ca === undefined && !options.insecure) return undefined;
  return {
    ...(options.ca === undefined ? {} : { ca: readText(resolve(world.cwd, options.ca), '--ca') }),
    ...(options.insecure ? { rejectUnauthorized: false } : {}),
  };
}

function readText(file: string, option: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageProblem(`${file} of ${option} cannot be read`);
  }
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
