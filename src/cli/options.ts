import { InvalidArgumentError, Option, type Command } from 'commander';
import { dayOf } from '../runbook/dates.js';

/** Values of one option given several times, or separated by commas. */
export const list = (value: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  ...value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
];

/** Values of one option given several times; commas are part of a value. */
export const each = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value];

/** A whole number from 1. */
export function positive(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('It must be a whole number from 1.');
  return number;
}

/** A part of many: `2/8`. */
export function shard(value: string): { readonly index: number; readonly count: number } {
  const match = /^(\d+)\/(\d+)$/.exec(value);
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || index < 1 || count < 1 || index > count) throw new InvalidArgumentError('It must be I/N, with I from 1 to N.');
  return { index, count };
}

/** A day of the calendar. */
export function day(value: string): string {
  if (dayOf(value) === undefined) throw new InvalidArgumentError('It must be a day, YYYY-MM-DD.');
  return value;
}

/** Forms of the result of `scan`. */
export const SCAN_FORMATS = ['pretty', 'json', 'sarif', 'github', 'markdown', 'junit'] as const;
export type ScanFormat = (typeof SCAN_FORMATS)[number];

/** Names that `init --print` takes. */
export const READY_FILES = ['workflow', 'suggest', 'pre-commit', 'renovate', 'dependabot', 'matrix', 'kubernetes', 'multi-gitter', 'sourcegraph'] as const;
export type ReadyFile = (typeof READY_FILES)[number];

/** A form and a file for it: `sarif=unsession.sarif`. */
export interface ReportFile {
  readonly format: ScanFormat;
  readonly file: string;
}

/** Values of `--report`. */
export function reportFile(value: string, before: readonly ReportFile[] | undefined): readonly ReportFile[] {
  const at = value.indexOf('=');
  const format = SCAN_FORMATS.find((name) => name === value.slice(0, Math.max(0, at)));
  const file = value.slice(at + 1);
  if (!format || file === '') throw new InvalidArgumentError(`It must be FORM=FILE; forms are ${SCAN_FORMATS.join(', ')}.`);
  return [...(before ?? []), { format, file }];
}

/** Options that every command has. */
export interface CommonOptions {
  readonly color?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** Options of the commands that read a repository. */
export interface RepositoryOptions extends CommonOptions {
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly package?: string;
  readonly legacy?: 'auto' | 'stateless' | 'sessionful' | 'separate' | 'none';
  readonly acceptRisk?: readonly string[];
  readonly reason?: readonly string[];
  readonly sunset?: string;
  readonly owner?: string;
  readonly config?: string;
  readonly output?: string;
}

export const addCommon = (command: Command): Command =>
  command
    .option('--no-color', 'no colours')
    .option('--quiet', 'the result only: no progress, no notes')
    .option('--verbose', 'everything instead of the first screen');

export const addOutput = (command: Command): Command => command.option('--output <file>', 'write the result to a file');

/** The options that decide what is looked at and how its legacy lane is served. */
export const addRepository = (command: Command): Command =>
  command
    .option('--only <rules>', 'only these concerns or rules (concern or concern/kind), separated by commas', list)
    .option('--skip <rules>', 'not these', list)
    .option('--include <glob>', 'only these files, in .gitignore syntax; what is named counts as source, also dist/', each)
    .option('--exclude <glob>', 'not these files; .unsessionignore holds the same for good', each)
    .option('--package <name>', 'one package of a monorepo, by name or folder')
    .addOption(new Option('--legacy <lane>', 'how clients of 2025 are served').choices(['auto', 'stateless', 'sessionful', 'separate', 'none']))
    .option('--sunset <date>', 'day on which the legacy lane goes, YYYY-MM-DD; your decision', day)
    .option('--owner <name>', 'who decides that day')
    .option('--accept-risk <id>', 'accept a refusal of a rule, or rule:endpoint-or-file for one alone; needs --reason', each)
    .option('--reason <text>', 'why, for the --accept-risk before it', each)
    .option('--config <file>', 'configuration, JSON; default: unsession.config.json, .unsessionrc or "unsession" in package.json');

export const failOn = (): Option =>
  new Option('--fail-on <severity>', 'least severity for exit code 1; default warning').choices(['error', 'warning', 'note', 'never']);

export const milestone = (): Option => new Option('--milestone <name>', 'one milestone; default all').choices(['sdk', 'entry', 'all']);
