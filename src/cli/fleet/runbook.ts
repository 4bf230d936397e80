import { resolve } from 'node:path';
import { isFault, sawNothing, type FleetReport } from '../../core/index.js';
import { isClean, visible } from '../../report/index.js';
import { UsageProblem } from '../errors.js';
import { readIfThere, writeText } from '../output.js';
import { runbookPort } from '../templates.js';
import type { World } from '../world.js';

/** What the runbook of a fleet needs from the command line. */
export interface FleetRunbookOptions {
  readonly runbook: string;
  readonly sunset?: string;
  readonly owner?: string;
  readonly templates?: string;
}

/**
 * Writes the runbook of a fleet.
 * @throws UsageProblem without a date and an owner, for a date that breaks a promise of one of the repositories, and over a file of somebody else
 */
export async function fleetRunbook(report: FleetReport, options: FleetRunbookOptions, world: World): Promise<void> {
  const { buildRunbook, checkDates, checkDatesAgainst, refusesOverwrite, renderFleetRunbook, renderPage } = await import('../../runbook/index.js');
  const faults = checkDates({ sunset: options.sunset, owner: options.owner, now: world.today }).filter(({ level }) => level === 'fault');
  const { sunset = '', owner = '' } = options;
  const promises = report.repositories.flatMap(({ repository, result }) =>
    result && faults.length === 0
      ? checkDatesAgainst(result, sunset)
          .filter(({ level }) => level === 'fault')
          .map((fault) => `${fault.option}: ${visible(repository)}: ${fault.message}`)
      : [],
  );
  const all = [...faults.map((fault) => `${fault.option}: ${fault.message}`), ...promises];
  if (all.length > 0) throw new UsageProblem(all.join('\n'));
  const target = resolve(world.cwd, options.runbook);
  const refusal = refusesOverwrite(readIfThere(target), options.runbook);
  if (refusal !== undefined) throw new UsageProblem(refusal);
  const checks = await world.checks();
  const members = report.repositories.flatMap(({ repository, result, install }) =>
    result && !sawNothing(result) && (!isClean(result) || result.notAnalysed.some(isFault))
      ? [
          {
            name: repository,
            scan: result,
            model: buildRunbook(result, checks, { sunset, owner, now: world.today, ...(install === undefined ? {} : { install }) }),
          },
        ]
      : [],
  );
  const named = new Set(members.map(({ name }) => name));
  const clean = report.repositories.filter(({ repository, result }) => result && !named.has(repository)).map(({ repository }) => repository);
  const port = runbookPort(options.templates === undefined ? undefined : resolve(world.cwd, options.templates), '');
  const text = renderFleetRunbook({ report, members, clean, now: world.today, owner, sunset }, port);
  writeText(target, /\.html?$/i.test(options.runbook) ? renderPage(text, port.messages) : text, options.runbook);
}
