import { readFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { sawNothing, VerifyReport, type Milestone } from '../../core/index.js';
import { shellWord, visible } from '../../report/index.js';
import { installCommand } from '../../workspace/index.js';
import { EXIT, UsageProblem, type ExitCode } from '../errors.js';
import type { RepositoryOptions } from '../options.js';
import { deliver, readIfThere } from '../output.js';
import { openRepository } from '../repository.js';
import { runbookPort } from '../templates.js';
import type { World } from '../world.js';
import { scanRoot } from './scan.js';

export interface RunbookCommandOptions extends RepositoryOptions {
  readonly html?: boolean;
  readonly adr?: boolean;
  readonly issue?: boolean;
  readonly summary?: boolean;
  readonly prBody?: Milestone;
  readonly evidence?: string;
  readonly address?: string;
  readonly command?: string;
  readonly templates?: string;
}

/** `unsession runbook [path]` */
export async function runbook(path: string, options: RunbookCommandOptions, world: World): Promise<ExitCode> {
  const document = chosen(options);
  if (options.html === true && document === 'pr') throw new UsageProblem('--html and --pr-body do not go together: a forge takes Markdown');
  const { buildRunbook, checkDates, checkDatesAgainst, refusesOverwrite, renderPage, renderPullRequest, renderRunbook } =
    await import('../../runbook/index.js');
  const repository = await openRepository(path, options, world);
  const { sunset, owner } = repository.options;
  complain(checkDates({ sunset, owner, now: world.today }));
  const target = options.output === undefined ? undefined : resolve(world.cwd, options.output);
  const refusal = target === undefined ? undefined : refusesOverwrite(readIfThere(target), options.output ?? '');
  if (refusal !== undefined) throw new UsageProblem(refusal);
  const evidence = options.evidence === undefined ? undefined : readEvidence(resolve(world.cwd, options.evidence));

  const result = await scanRoot(repository, true, world);
  if (sawNothing(result)) throw new UsageProblem(`nothing in ${visible(path)} could be read, so there is nothing to write a runbook about`);
  const warnings = checkDatesAgainst(result, sunset ?? '');
  complain(warnings);
  for (const warning of warnings) await repository.note(`${warning.option}: ${visible(warning.message)}`);
  const install = await installCommand(
    repository.root,
    result.inventory.packages.filter((entry) => entry.candidate).map((entry) => entry.folder),
  );
  const model = buildRunbook(result, await world.checks(), {
    sunset: sunset ?? '',
    owner: owner ?? '',
    now: world.today,
    acceptedRisks: repository.options.acceptRisk ?? {},
    ...(install === undefined ? {} : { install }),
    ...(evidence ? { evidence } : {}),
    ...(options.address === undefined ? {} : { address: options.address }),
    ...(options.command === undefined ? {} : { command: options.command }),
  });
  const port = runbookPort(repository.templates, linkRoot(repository.root, target));
  const text = document === 'pr' ? renderPullRequest(options.prBody ?? 'entry', model, result, port) : renderRunbook(document, model, port);
  await deliver(options.html === true ? renderPage(text, port.messages) : text, options.output, world);
  if (target !== undefined) await repository.note(`wrote ${shellWord(options.output ?? '')}`);
  return result.refusals.some((entry) => entry.accepted === undefined) ? EXIT.found : EXIT.ok;
}

/** The one document that the flags ask for. */
function chosen(options: RunbookCommandOptions): 'runbook' | 'adr' | 'issue' | 'summary' | 'pr' {
  const asked = [
    options.adr ? 'adr' : undefined,
    options.issue ? 'issue' : undefined,
    options.summary ? 'summary' : undefined,
    options.prBody === undefined ? undefined : 'pr',
  ] as const;
  const given = asked.filter((name) => name !== undefined);
  if (given.length > 1) throw new UsageProblem('--adr, --issue, --summary and --pr-body each print another document; give one of them');
  return given[0] ?? 'runbook';
}

/** Faults of the dates are wrong usage: all of them at once. */
function complain(problems: readonly { readonly option: string; readonly level: string; readonly message: string }[]): void {
  const faults = problems.filter((problem) => problem.level === 'fault');
  if (faults.length > 0) throw new UsageProblem(faults.map((problem) => `${problem.option}: ${problem.message}`).join('; '));
}

function readEvidence(file: string): VerifyReport {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new UsageProblem(`${file} cannot be read as JSON; --evidence takes the output of "unsession verify --format json"`);
  }
  const parsed = VerifyReport.safeParse(value);
  if (!parsed.success) throw new UsageProblem(`${file} is not the output of "unsession verify --format json" of this version`);
  return parsed.data;
}

/** Way from the document to the root, for its links. A document outside of the repository cannot link into it, and is read beside it. */
function linkRoot(root: string, target: string | undefined): string {
  if (target === undefined) return '';
  const below = relative(root, dirname(target));
  return below === '' || below.startsWith('..') ? '' : '../'.repeat(below.split(sep).length);
}
