/**
 * The direction of dependencies, one rule for each line of the layout. A line may import only from those below it:
 *
 *   bin -> cli -> { engine, report, runbook, verify, workspace, transforms/index, templates as files }
 *   transforms/<concern> -> { transforms/_mcp, _hosts, _checks, core, languages }
 *   transforms/_* -> { core, languages }
 *   engine -> { core, languages, workspace }
 *   report, runbook, verify -> core
 *   languages, workspace -> core
 *   core -> zod
 *
 * `test/architecture.test.ts` breaks every rule once in a scratch tree and expects its name in the answer.
 * Each rule lists what is allowed, so a folder that is added later is forbidden until somebody decides.
 */

/** A rule: modules under `from` may import their own folder, packages and Node, and `allowed` (regular expressions); nothing else. */
const only = (name, comment, from, allowed, own = from) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^(?:bin|src|transforms|templates|test)/', pathNot: [own, ...allowed] },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    only('bin-starts-the-cli', 'The executable is a few lines: everything it does is in the command line, where tests reach it.', '^bin/', [
      '^(?:dist/)?src/cli/',
    ]),
    only(
      'cli-joins-all',
      'The command line is the composition root: it alone sees the machine, the list of concerns and the templates together.',
      '^src/cli/',
      ['^src/(?:core|workspace|languages|engine|report|runbook|verify)/', '^transforms/index\\.ts$', '^templates/'],
    ),
    only(
      'concern-imports-vocabulary-only',
      'A concern is readable alone: it knows the shared vocabulary and the languages, never another concern, the engine or a report.',
      '^transforms/([^_/][^/]*)/',
      ['^transforms/_(?:mcp|hosts|checks)/', '^src/(?:core|languages)/'],
      '^transforms/$1/',
    ),
    only(
      'vocabulary-imports-core-and-languages-only',
      'The shared vocabulary must stay below the concerns that use it. A vocabulary folder may use another one.',
      '^transforms/_[^/]+/',
      ['^transforms/_(?:mcp|hosts|checks|rules)/', '^src/(?:core|languages)/'],
      '^transforms/_(?:mcp|hosts|checks|rules|template)/',
    ),
    only('list-of-concerns-lists', 'transforms/index.ts is a list and nothing else.', '^transforms/[^/]+\\.ts$', ['^transforms/', '^src/core/']),
    only('engine-knows-no-transform', 'The engine receives concerns, hosts and rules as values, so that it knows no MCP session.', '^src/engine/', [
      '^src/(?:core|languages|workspace)/',
    ]),
    only('report-imports-core-only', 'A report is a pure function of a result.', '^src/report/', ['^src/core/']),
    only('runbook-imports-core-only', 'The runbook is a pure function of a plan: it never reads files, and never depends on a report.', '^src/runbook/', [
      '^src/core/',
    ]),
    only(
      'verify-imports-core-only',
      'The live checks know no code under migration and no engine: evidence must not depend on what is being proved.',
      '^src/verify/',
      ['^src/core/'],
    ),
    only('languages-import-core-only', 'A front end knows a syntax, not a repository and not a concern.', '^src/languages/', ['^src/core/']),
    only('workspace-imports-core-only', 'Files, git and manifests are read without knowing what they mean.', '^src/workspace/', ['^src/core/']),
    only('core-imports-nothing', 'The vocabulary is at the bottom: everything may import it because it imports nothing of ours.', '^src/core/', []),
    {
      name: 'core-imports-zod-only',
      comment: 'The vocabulary is pure: no file system, no package but zod.',
      severity: 'error',
      from: { path: '^src/core/' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer'], pathNot: ['node_modules/zod/'] },
    },
    {
      name: 'render-never-touches-files',
      comment: 'Reports and runbooks return text; the command line decides where it goes.',
      severity: 'error',
      from: { path: '^src/(?:report|runbook)/' },
      to: { path: '^(?:node:)?fs(?:/promises)?$', dependencyTypes: ['core'] },
    },
    {
      name: 'no-circular',
      comment: 'A cycle means that two files are one thing, or that a word is missing between them.',
      severity: 'error',
      from: { path: '^(?:src|transforms)/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-unresolvable',
      comment: 'An import that resolves nowhere cannot be checked.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['^(?:\\.\\./)+dist/'] },
    },
    {
      name: 'no-development-package-at-run-time',
      comment: 'What is published may import only what a user installs.',
      severity: 'error',
      from: { path: '^(?:bin|src|transforms)/', pathNot: '^src/dev/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^dist/'] },
    exclude: { path: ['/fixtures/', '^transforms/_template/', '^coverage/', '^\\.cache/'] },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.cjs', '.mjs', '.json', '.d.ts'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
    skipAnalysisNotInRules: false,
  },
};
