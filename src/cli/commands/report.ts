import { resolve } from 'node:path';
import type { FleetReport } from '../../core/index.js';
import { count, fleetReport, json, markdownFleet, prettyFleet, shellWord, visible } from '../../report/index.js';
import { EXIT, UsageProblem, type ExitCode } from '../errors.js';
import { scanExit, type Threshold } from '../exit-code.js';
import { readRepositories } from '../fleet/entries.js';
import { readCheckouts } from '../fleet/list.js';
import { fleetRunbook } from '../fleet/runbook.js';
import type { CommonOptions } from '../options.js';
import { deliver } from '../output.js';
import { version } from '../version.js';
import { print, widthOf, type World } from '../world.js';

export interface ReportCommandOptions extends CommonOptions {
  readonly format?: 'pretty' | 'json' | 'markdown';
  readonly output?: string;
  readonly repos?: string;
  readonly runbook?: string;
  readonly sunset?: string;
  readonly owner?: string;
  readonly failOn?: Threshold;
  readonly templates?: string;
}

/** `unsession report merge <paths…>`: one report, and one runbook, of many results. */
export async function report(what: string, paths: readonly string[], options: ReportCommandOptions, world: World): Promise<ExitCode> {
  if (what !== 'merge') throw new UsageProblem(`report knows "merge" and not "${what}"`);
  const found = readRepositories(paths.map((path) => ({ full: resolve(world.cwd, path), shown: path })));
  const names = new Set(found.map(({ repository }) => repository));
  // A shard that never ran is not a clean one: the list says who is missing.
  const listed = options.repos === undefined ? [] : readCheckouts(resolve(world.cwd, options.repos), options.repos);
  const missing = listed.filter(({ name }) => !names.has(name)).map(({ name }) => ({ repository: name, failure: 'it is on the list and has no result' }));
  const foreign = found.filter(({ result }) => result && result.tool.version !== version);
  if (foreign.length > 0 && options.quiet !== true)
    await print(
      world.stderr,
      `${count(foreign.length, 'result')} of another version than this ${version} (${visible(foreign[0]?.repository ?? '')}: ${visible(foreign[0]?.result?.tool.version ?? '')}); "scan --repos" with this version makes them comparable.\n`,
    );
  const merged = fleetReport([...found, ...missing], version);
  if (merged.repositories.length === 0) throw new UsageProblem('there is no result in these files');
  if (options.runbook !== undefined) {
    await fleetRunbook(merged, { ...options, runbook: options.runbook }, world);
    if (options.quiet !== true) await print(world.stderr, `wrote ${shellWord(options.runbook)}\n`);
  }
  await deliver(rendered(merged, options, world), options.output, world);
  return exitOf(merged, options.failOn ?? 'warning');
}

function rendered(merged: FleetReport, options: ReportCommandOptions, world: World): string {
  if (options.format === 'json') return json(merged);
  if (options.format === 'markdown') return markdownFleet(merged);
  return prettyFleet(merged, { verbose: options.verbose === true, width: widthOf(world) });
}

function exitOf({ repositories }: FleetReport, threshold: Threshold): ExitCode {
  const codes = repositories.map(({ result }) => (result ? scanExit(result, threshold) : EXIT.fault));
  if (codes.every((code) => code === EXIT.fault)) return EXIT.fault;
  return codes.some((code) => code !== EXIT.ok) ? EXIT.found : EXIT.ok;
}
