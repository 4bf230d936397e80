import type { VerifyReport } from '../../core/index.js';
import { json, junitVerify, markdownVerify, prettyVerify } from '../../report/index.js';
import type { Target } from '../../verify/index.js';
import { officialSuite } from '../conformance-suite.js';
import { UsageProblem, type ExitCode } from '../errors.js';
import { deliver } from '../output.js';
import { progressLine } from '../progress.js';
import { prettyOptions } from '../repository.js';
import { version } from '../version.js';
import type { World } from '../world.js';
import { address, verifyOptions, type VerifyCommandOptions } from './verify-options.js';

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
      ...(options.official ? { official: officialSuite(world) } : {}),
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
  return exitCodeOf(report, settings.baseline);
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
