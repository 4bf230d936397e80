import { Argument, Command, Option } from 'commander';
import type { RulesCommandOptions } from './commands/explain.js';
import type { InitCommandOptions } from './commands/init.js';
import type { MigrateCommandOptions } from './commands/migrate.js';
import type { ReportCommandOptions } from './commands/report.js';
import type { RunbookCommandOptions } from './commands/runbook.js';
import type { ScanCommandOptions } from './commands/scan.js';
import type { SuggestCommandOptions } from './commands/suggest.js';
import type { VerifyCommandOptions } from './commands/verify-options.js';
import type { ExitCode } from './errors.js';
import {
  addCommon,
  addOutput,
  addRepository,
  day,
  each,
  failOn,
  list,
  milestone,
  positive,
  READY_FILES,
  reportFile,
  SCAN_FORMATS,
  shard,
  type CommonOptions,
} from './options.js';
import { version } from './version.js';
import type { World } from './world.js';

const format = (choices: readonly string[]): Option => new Option('--format <name>', 'form of the result; default pretty').choices(choices);
const path = (): Argument => new Argument('[path]', 'folder or file').default('.', 'the working directory');

/**
 * All commands. Each loads its parts when it runs, so that `--help` loads none of them.
 * @param finish receives the exit code of the command that ran
 */
export function createProgram(world: World, finish: (code: ExitCode) => void): Command {
  const program = new Command('unsession');
  program
    .description('Takes a repository of session-bound MCP code to the stateless revision 2026-07-28, without stranding legacy clients.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing at or above the threshold, 1 findings or refusals,\n2 wrong usage, 3 nothing could be analysed. The network is used by verify and\nsuggest --post only.',
    )
    .showHelpAfterError('Run "unsession --help" for the options.')
    .configureOutput({
      writeOut: (text) => void world.stdout.write(text),
      writeErr: (text) => void world.stderr.write(text),
      getOutHelpWidth: () => (world.stdout.isTTY ? (world.stdout.columns ?? 80) : 80),
      getErrHelpWidth: () => 80,
    })
    .exitOverride();
  const add = (name: string, description: string): Command =>
    addCommon(
      program
        .command(name)
        .description(description)
        .showHelpAfterError(`Run "unsession ${name.split(' ', 1)[0] ?? ''} --help" for the options.`),
    );

  addOutput(addRepository(add('scan', 'find what depends on a session, grouped into work items').addArgument(path())))
    .addOption(format(SCAN_FORMATS))
    .option('--report <form=file>', 'write the result in another form too: sarif=unsession.sarif', reportFile)
    .addOption(failOn())
    .option('--include-tests', 'list findings in tests too')
    .option('--baseline <file>', 'leave out what a file of --write-baseline or an earlier "scan --format json" holds')
    .option('--write-baseline <file>', 'accept everything that is found now; never over a file that exists')
    .option('--prune-baseline', 'take out of the baseline what is gone; adds nothing')
    .option('--changed-since <ref>', 'only files that differ from where the branch left this commit')
    .option('--repos <file>', 'many repositories: a list of checkouts, one a line')
    .option('--results <folder>', 'with --repos: where the result of each repository goes; what is there already is kept')
    .option('--shard <i/n>', 'with --repos: the part of this machine', shard)
    .option('--fresh', 'with --repos: scan again what is there already')
    .action(async (target: string, options: ScanCommandOptions) =>
      finish(
        options.repos === undefined
          ? await (await import('./commands/scan.js')).scan(target, options, world)
          : await (await import('./commands/scan-fleet.js')).scanFleet(target, options, world),
      ),
    );

  addOutput(addRepository(add('migrate', 'show the rewrite as a diff; --write applies it').addArgument(path())))
    .addOption(format(['pretty', 'json', 'diff']))
    .option('--write', 'apply the changes; "undo" takes them back')
    .option('--check', 'exit with 1 if something would change')
    .option('--allow-dirty', 'write although tracked files have uncommitted changes')
    .option('--typecheck', 'compare the type errors before and after; needs the new packages installed, and holds back --write when there are new ones')
    .option('--item <id>', 'only this work item of "scan"', list)
    .option('--interactive', 'ask about each work item')
    .option('--retire', 'remove the legacy lanes that this tool wrote, and end what the entry of the SDK answers of them')
    .addOption(milestone())
    .addOption(new Option('--safety <level>', 'safe: complete rewrites only; review: scaffolds too; default review').choices(['safe', 'review']))
    .option('--patch-dir <folder>', 'write one patch for each milestone')
    .option('--templates <folder>', 'templates of your own, laid over ours by name')
    .action(async (target: string, options: MigrateCommandOptions) => finish(await (await import('./commands/migrate.js')).migrate(target, options, world)));

  addOutput(
    add('report', 'merge the results of many repositories into one report and one runbook')
      .addArgument(new Argument('<what>', 'merge').choices(['merge']))
      .argument('<paths...>', 'files of "scan --results" or "scan --format json", or folders with them'),
  )
    .addOption(format(['pretty', 'json', 'markdown']))
    .option('--repos <file>', 'the list of checkouts: who has no result is missing, not clean')
    .option('--runbook <file>', 'write the runbook of all of them (.html: as a page); needs --sunset and --owner')
    .option('--sunset <date>', 'day on which the legacy lanes go, YYYY-MM-DD; your decision', day)
    .option('--owner <name>', 'who decides that day')
    .addOption(failOn())
    .option('--templates <folder>', 'templates of your own, laid over ours by name')
    .action(async (what: string, paths: readonly string[], options: ReportCommandOptions) =>
      finish(await (await import('./commands/report.js')).report(what, paths, options, world)),
    );

  add('init', 'write configuration, baseline and workflow; never over a file that exists')
    .addArgument(path())
    .option('--dry-run', 'show the files instead of writing them')
    .option('--no-baseline', 'without a baseline: every finding counts from the first day')
    .option('--no-workflow', 'without a workflow for GitHub Actions')
    .addOption(new Option('--print <name>', 'print one ready file instead').choices(READY_FILES))
    .action(async (target: string, options: InitCommandOptions) => finish(await (await import('./commands/init.js')).init(target, options, world)));

  addOutput(addRepository(add('suggest', 'what a pull request could take over, as suggestions and few comments').addArgument(path())))
    .option('--base <ref>', 'the branch that the pull request goes to, e.g. origin/main')
    .option('--diff <file>', 'a unified diff instead; "-" for standard input')
    .addOption(format(['pretty', 'github', 'rdjsonl', 'patch', 'json']))
    .option('--post', 'post it, with the token in GITHUB_TOKEN; without it nothing leaves this machine')
    .option('--pull <number>', 'number of the pull request; default: from GITHUB_REF', positive)
    .option('--max-comments <number>', 'comments in the diff; default 25', positive)
    .option('--max-per-rule <number>', 'comments of one rule; default 5', positive)
    .addOption(
      new Option('--fail-on <severity>', 'exit with 1 for findings of this severity in the lines of the pull request; default never').choices([
        'error',
        'warning',
        'note',
        'never',
      ]),
    )
    .option('--templates <folder>', 'templates of your own, laid over ours by name')
    .action(async (target: string, options: SuggestCommandOptions) => finish(await (await import('./commands/suggest.js')).suggest(target, options, world)));

  add('undo', 'take back the last "migrate --write", byte for byte')
    .addArgument(path())
    .action(async (target: string, options: CommonOptions) => finish(await (await import('./commands/undo.js')).undo(target, options, world)));

  addOutput(addRepository(add('runbook', 'write the migration runbook; needs --sunset and --owner').addArgument(path())))
    .option('--html', 'as one HTML page that fetches nothing and can be printed')
    .option('--adr', 'the decision record instead')
    .option('--issue', 'the tracking issue instead')
    .option('--summary', 'one page instead')
    .addOption(new Option('--pr-body <milestone>', 'the text of the pull request of a milestone instead').choices(['sdk', 'entry']))
    .option('--evidence <file>', 'output of "verify --format json", for the checklist')
    .option('--address <url>', 'address of the server without its path, for the commands')
    .option('--command <command>', 'how the stdio server is started, for the commands')
    .option('--templates <folder>', 'templates of your own, laid over ours by name')
    .action(async (target: string, options: RunbookCommandOptions) => finish(await (await import('./commands/runbook.js')).runbook(target, options, world)));

  addOutput(
    add('verify', 'send the conformance checks to a running server or client, both eras').argument(
      '[url...]',
      'address of the endpoint; with --stdio or --client, after --, the command',
    ),
  )
    .addOption(format(['pretty', 'json', 'junit', 'markdown']))
    .option('--stdio', 'start a server and speak to it over stdio: --stdio -- node server.js')
    .option('--client', 'start a client against a referee; {url} or {server} in its words: --client -- node client.js {url}')
    .option('--only <checks>', 'only these checks, by id or prefix, separated by commas', list)
    .option('--skip <checks>', 'not these', list)
    .option('--class <names>', 'quick, slow, needs-control, attest; default quick', list)
    .addOption(
      new Option('--lane <mode>', 'how legacy clients should be served; default: as found').choices(['auto', 'stateless', 'sessionful', 'separate', 'none']),
    )
    .option('--legacy-url <url>', 'legacy Streamable HTTP endpoint, when it has its own address')
    .option('--sse-url <url>', 'legacy HTTP+SSE endpoint')
    .option('--replica <url>', 'a second instance of the same server')
    .option('--origin <origin>', 'an origin that the server allows')
    .option('--token-env <variable>', 'environment variable that holds the bearer token')
    .option('--token-file <file>', 'file that holds the bearer token')
    .option('--token <token>', 'the bearer token itself; other users of the machine can see it')
    .option('--ca <file>', 'certificate of the authority that signed the server, PEM')
    .option('--insecure', 'accept any certificate')
    .option('--header <header>', 'a header for every request, "Name: value"', each)
    .option('--allow-tool <tool>', 'a tool that may be called: name or name={"argument":"value"}', each)
    .option(
      '--tool <role=tool>',
      'the same with what the tool does, which checks need to know: slow=pack or slow=pack={"boxes":9}; also observer, change, …',
      each,
    )
    .option('--accept-read-only', 'also call tools that say readOnlyHint and need no arguments')
    .option(
      '--control <what=command>',
      'a command that does it to the server and comes back: restart, stop or change (of the tool list); adds class needs-control',
      each,
    )
    .option('--official', 'also run the official suite; the only network use besides the server: npm fetches it on first use')
    .option('--health-url <url>', 'what balancers ask for health')
    .option('--retired', 'the legacy routes are past their date')
    .option('--timeout <ms>', 'for one answer; default 10000', positive)
    .option('--concurrency <number>', 'checks at once; default 4', positive)
    .option('--baseline <file>', 'an earlier "verify --format json": only regressions fail')
    .action(async (words: readonly string[], options: VerifyCommandOptions) =>
      finish(await (await import('./commands/verify.js')).verify(words, options, world)),
    );

  add('explain', 'what a rule means, why it matters, before and after')
    .argument('<rule>', 'concern/kind, or a concern')
    .action(async (rule: string, options: CommonOptions) => finish(await (await import('./commands/explain.js')).explain(rule, options, world)));

  add('rules', 'list all rules')
    .addOption(format(['pretty', 'json']))
    .action(async (options: RulesCommandOptions) => finish(await (await import('./commands/explain.js')).rules(options, world)));
  return program;
}
