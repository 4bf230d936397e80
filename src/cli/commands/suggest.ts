import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { SuggestResult } from '../../core/index.js';
import { githubPayload, json, LIMITS, prettyPost, prettySuggest, rdjsonl, reviewOf, safeJson, type ReviewLimits } from '../../report/index.js';
import { diffSince, readDiff, sameInHead, type DiffFile } from '../../workspace/index.js';
import { Refused, UsageProblem, type ExitCode } from '../errors.js';
import { suggestExit, type Threshold } from '../exit-code.js';
import { ForgeError, createClient, type ForgeClient, type Wait } from '../forge/client.js';
import { pullRequestOf, type PullRequest } from '../forge/environment.js';
import { postReview } from '../forge/post.js';
import type { RepositoryOptions } from '../options.js';
import { deliver } from '../output.js';
import { openRepository, type Repository } from '../repository.js';
import { shimRenderer } from '../templates.js';
import { readStdin, type World } from '../world.js';

export interface SuggestCommandOptions extends RepositoryOptions {
  readonly base?: string;
  readonly diff?: string;
  readonly format?: 'pretty' | 'json' | 'github' | 'rdjsonl' | 'patch';
  readonly post?: boolean;
  readonly pull?: number;
  readonly maxComments?: number;
  readonly maxPerRule?: number;
  readonly failOn?: Threshold;
  readonly templates?: string;
}

/** `unsession suggest [path] --base REF`, or `--diff FILE` */
export async function suggest(path: string, options: SuggestCommandOptions, world: World): Promise<ExitCode> {
  if ((options.base === undefined) === (options.diff === undefined))
    throw new UsageProblem('what has changed? Give --base REF (the branch that the pull request goes to), or --diff FILE ("-" for standard input)');
  if (options.post && options.format !== undefined && options.format !== 'pretty')
    throw new UsageProblem('--post posts, and --format prints what would be posted; give one of them');
  const pull = options.post ? pullRequestOf(world.env, options.pull) : undefined;
  const repository = await openRepository(path, options, world);
  const { diff, base } = await changes(options, repository, world);
  const client = pull && createClient(pull, waitIn(world));
  const commit = pull && client ? await headOf(pull, client, repository, diff) : undefined;
  const result = await suggestions(repository, diff, base, world);
  const limits: ReviewLimits = { perRule: options.maxPerRule ?? LIMITS.perRule, total: options.maxComments ?? LIMITS.total };

  if (!pull || !client) {
    await deliver(rendered(result, options, limits, repository), options.output, world);
    return suggestExit(result, options.failOn ?? 'never');
  }
  const report = await postReview(pull, client, waitIn(world), { review: reviewOf(result, limits), result, commit: commit ?? result.target.commit });
  await deliver(prettyPost(report, repository.pretty), options.output, world);
  return suggestExit(result, options.failOn ?? 'never', report);
}

const waitIn = (world: World): Wait => world.wait ?? ((milliseconds) => new Promise((done) => setTimeout(done, milliseconds)));

async function changes(
  options: SuggestCommandOptions,
  repository: Repository,
  world: World,
): Promise<{ readonly diff: readonly DiffFile[]; readonly base: string | undefined }> {
  const { git } = repository;
  if (options.base !== undefined) {
    if (!git) throw new UsageProblem('--base needs a git repository; hand in a diff with --diff FILE instead');
    if (git.dirty) await repository.note('Uncommitted changes of tracked files count as part of the pull request.');
    const comparison = await diffSince(repository.root, options.base, git.dirty);
    return { diff: readDiff(comparison.diff), base: comparison.base };
  }
  const name = options.diff ?? '-';
  if (name !== '-') return { diff: readDiff(diffFile(resolve(world.cwd, name), name)), base: undefined };
  if (world.stdin.isTTY) throw new UsageProblem('--diff - reads the diff from standard input: git diff main... | unsession suggest --diff -');
  return { diff: readDiff(await readStdin(world)), base: undefined };
}

function diffFile(path: string, shown: string): string {
  try {
    const bytes = readFileSync(path);
    // A shell of Windows redirects to UTF-16.
    return bytes[0] === 0xff && bytes[1] === 0xfe ? bytes.toString('utf16le') : bytes.toString('utf8');
  } catch (error) {
    throw new UsageProblem(`${shown} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}); --diff takes a unified diff, or "-"`);
  }
}

async function suggestions(repository: Repository, diff: readonly DiffFile[], base: string | undefined, world: World): Promise<SuggestResult> {
  const [{ suggestRepository }, knowledge, renderShim] = await Promise.all([
    import('../../engine/index.js'),
    world.knowledge(),
    shimRenderer(repository.templates),
  ]);
  try {
    return await suggestRepository(repository.root, knowledge, { ...repository.options, diff, ...(base === undefined ? {} : { base }), renderShim });
  } finally {
    repository.endProgress();
  }
}

function rendered(result: SuggestResult, options: SuggestCommandOptions, limits: ReviewLimits, repository: Repository): string {
  switch (options.format ?? 'pretty') {
    case 'json':
      return json(result);
    case 'github':
      return `${safeJson(githubPayload(result, limits))}\n`;
    case 'rdjsonl':
      return rdjsonl(result, limits);
    case 'patch':
      return result.patch;
    case 'pretty':
      return prettySuggest(result, repository.pretty, limits);
  }
}

const Head = z.looseObject({ head: z.looseObject({ sha: z.string().regex(/^[0-9a-f]{40,64}$/) }) });

/**
 * The commit that the comments are about: the head of the pull request, which must be what is checked out. A merge of it (what
 * `actions/checkout` takes by default) will do as long as the changed files are the same.
 * @returns `undefined` when the forge does not say
 * @throws Refused when the lines here are not those of the pull request
 */
async function headOf(pull: PullRequest, client: ForgeClient, repository: Repository, diff: readonly DiffFile[]): Promise<string | undefined> {
  const { git } = repository;
  if (git?.dirty)
    throw new Refused(
      `tracked files have uncommitted changes (${git.changed.slice(0, 3).join(', ')}); comments would point at lines that the pull request does not have`,
    );
  let answer: unknown;
  try {
    answer = await client.request('GET', `/repos/${pull.repository}/pulls/${String(pull.number)}`);
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    if (error.status === undefined || error.status === 401 || error.status === 403) throw new Refused(`nothing was posted: ${error.message}`);
    return undefined;
  }
  const head = Head.safeParse(answer).data?.head.sha;
  if (head === undefined || git?.commit === undefined || head === git.commit) return head;
  const files = diff.filter((file) => file.state !== 'removed').map((file) => file.path);
  if (await sameInHead(repository.root, head, files)) return head;
  throw new Refused(
    `the head of the pull request is ${head.slice(0, 9)}, and ${git.commit.slice(0, 9)} is checked out; check out the head (actions/checkout with "ref: \${{ github.event.pull_request.head.sha }}" and "fetch-depth: 0")`,
  );
}
