import type { CommanderError } from 'commander';
import { visible } from '../report/index.js';

/** Exit codes of every command. */
export const EXIT = { ok: 0, found: 1, usage: 2, fault: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command line or the configuration is wrong: exit code 2. */
export class UsageProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageProblem';
  }
}

/** The command did what it could and that was not enough (a dirty tree, a touched file): exit code 1. */
export class Refused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Refused';
  }
}

/** Errors of other parts that mean wrong usage, and those that mean a refusal. By name, so that no part is loaded for its error class. */
const USAGE = new Set(['UsageProblem', 'UsageError', 'MissingPathError', 'UnknownPackageError', 'DiffError', 'BaseError']);
const REFUSED = new Set(['Refused', 'WriteRefusedError', 'UndoRefusedError', 'JournalError', 'BusyError']);
/** Errors that name a file of the user which is at fault: a template of their own. */
const TEMPLATE = new Set(['TemplateError', 'CatalogueError', 'HardRejectError']);

/** What is said about an error, and the exit code. */
export function explainError(error: unknown, command: string, version: string): { readonly code: ExitCode; readonly message: string } {
  if (!(error instanceof Error)) return fault(String(error), command, version);
  if (isCommanderError(error)) return { code: error.exitCode === 0 ? EXIT.ok : EXIT.usage, message: '' };
  if (error.name === 'UnknownPackageError') return { code: EXIT.usage, message: `${visible(error.message)}${knownPackages(error)}` };
  if (USAGE.has(error.name)) return { code: EXIT.usage, message: visible(error.message) };
  if (REFUSED.has(error.name)) return { code: EXIT.found, message: visible(error.message) };
  if (TEMPLATE.has(error.name)) return { code: EXIT.usage, message: visible(error.message) };
  return fault(error.stack ?? error.message, command, version);
}

const isCommanderError = (error: Error): error is CommanderError => error.name === 'CommanderError' || error.name === 'InvalidArgumentError';

function knownPackages(error: Error): string {
  const { known } = error as Error & { readonly known?: readonly string[] };
  return known && known.length > 0 ? `; there is ${known.slice(0, 20).map(visible).join(', ')}` : '';
}

/** The text asks for what is needed to mend it, and says that nothing of it is sent anywhere. */
function fault(detail: string, command: string, version: string): { readonly code: ExitCode; readonly message: string } {
  const lines = detail.split('\n').map(visible).join('\n  ');
  return {
    code: EXIT.fault,
    message: `This is a fault of unsession, not of your code; the command stopped.\n  ${lines}\nPlease report these lines with: unsession ${version}, node ${process.version}, ${process.platform}, "unsession ${visible(command)}", and the smallest file that shows it. Nothing was sent.`,
  };
}
