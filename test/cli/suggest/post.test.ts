import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { add, git, repository } from '../../workspace/tree.js';
import { unsession, type Ran } from '../run.js';
import { Forge } from './forge.js';

/** The gauges of the engine's tests: `readGauge()` has a rewrite, `sealGauge()` has none. */
const TIDE = 'export const tide = () => readGauge();\n';
const SEAL = 'export const seal = () => sealGauge();\n';
const START = { 'package.json': '{"name":"harbour","type":"module"}\n', 'quay.ts': 'export const quay = () => readGauge();\n' };

describe('suggest --post', () => {
  let root: string;
  let base: string;
  let forge: Forge;

  const open = async (): Promise<void> => {
    forge = await new Forge({ root, base, head: git(root, 'rev-parse', 'HEAD').trim() }).open();
  };
  const commit = (files: Readonly<Record<string, string>>): void => {
    add(root, files);
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '-m', 'more');
  };
  const post = (...args: readonly string[]): Promise<Ran> => unsession(['suggest', '--base', base, '--post', ...args], { cwd: root, env: forge.env });

  beforeEach(async () => {
    root = repository(START);
    base = git(root, 'rev-parse', 'HEAD').trim();
    commit({ 'src/tide.ts': TIDE, 'src/seal.ts': SEAL });
    await open();
  });
  afterEach(() => forge.close());

  it('posts one review and one summary', async () => {
    expect(await post()).toMatchObject({ code: 0, stdout: '2 comments posted; summary created\n', stderr: '' });
    expect(forge.writes).toEqual(['POST /repos/alpine/cableway/pulls/7/reviews 200', 'POST /repos/alpine/cableway/issues/7/comments 201']);
    expect(forge.reviewComments.map(({ path, line, side }) => `${path}:${String(line)} ${side}`)).toEqual(['src/tide.ts:1 RIGHT', 'src/seal.ts:1 RIGHT']);
    expect(forge.issueComments[0]?.body).toContain('`quay.ts:1`');
  });

  it('posts one by one when one place refuses the review, and says which', async () => {
    forge.cursed.add('src/tide.ts:1');
    const ran = await post();
    expect(ran).toMatchObject({ code: 1, stderr: '' });
    expect(ran.stdout).toContain('1 comment posted; summary created');
    expect(ran.stdout).toContain('not posted: src/tide.ts:1: HTTP 422: Validation Failed: Pull request review thread line must be part of the diff');
    expect(forge.reviewComments.map((comment) => comment.path)).toEqual(['src/seal.ts']);
    expect(forge.issueComments[0]?.body).toContain('**Not posted**');
    forge.cursed.clear();
    expect((await post()).stdout).toBe('1 comment posted; 1 were there already; summary updated\n');
  });

  it('updates the summary, adds what is new, and settles it when nothing is left', async () => {
    await post();
    const before = forge.issueComments.map((comment) => comment.body);
    await forge.close();
    commit({ 'src/ebb.ts': `\n${TIDE}` });
    const earlier = forge;
    await open();
    forge.reviewComments.push(...earlier.reviewComments);
    forge.issueComments.push(...earlier.issueComments);
    expect((await post()).stdout).toBe('1 comment posted; 2 were there already; summary updated\n');
    expect(forge.issueComments).toHaveLength(1);
    expect(forge.issueComments.map((comment) => comment.body)).not.toEqual(before);

    commit({ 'src/ebb.ts': '', 'src/tide.ts': '', 'src/seal.ts': '' });
    await forge.close();
    const last = forge;
    await open();
    forge.issueComments.push(...last.issueComments);
    expect((await post()).stdout).toBe('0 comments posted; summary updated\n');
    expect(forge.issueComments[0]?.body).toContain('Nothing in this pull request');
  });

  it('says nothing on a pull request that touches no finding', async () => {
    git(root, 'reset', '-q', '--hard', base);
    commit({ 'notes.md': '# Notes\n' });
    await forge.close();
    await open();
    expect(await post()).toMatchObject({ code: 0, stdout: '0 comments posted; summary none\n' });
    expect(forge.writes).toEqual([]);
  });

  it('reads all pages of what is there', async () => {
    await post();
    const [mine, ...rest] = forge.reviewComments.splice(0);
    const chatter = Array.from({ length: 7 }, (_, index) => ({ ...mine, id: 100 + index, body: `Looks good ${String(index)}` })) as Forge['reviewComments'];
    forge.reviewComments.push(...chatter, ...rest, ...(mine ? [mine] : []));
    forge.pageSize = 3;
    expect((await post()).stdout).toBe('0 comments posted; 2 were there already; summary unchanged\n');
  });

  it('takes no mark that somebody else has copied', async () => {
    await post();
    const copies = forge.reviewComments.map((comment) => ({ ...comment, user: { login: 'mallory', type: 'User' } }));
    const [summary] = forge.issueComments.splice(0);
    forge.reviewComments.splice(0, Infinity, ...copies);
    forge.issueComments.push({ id: 999, body: summary?.body ?? '', user: { login: 'mallory', type: 'User' } });
    expect((await post()).stdout).toBe('2 comments posted; summary created\n');
    expect(forge.issueComments.map((comment) => comment.user.login)).toEqual(['mallory', 'github-actions[bot]']);
  });

  it('knows its comments when the token is that of a person', async () => {
    forge.me = { login: 'ada', type: 'User' };
    await post();
    expect((await post()).stdout).toBe('0 comments posted; 2 were there already; summary unchanged\n');
  });

  it.each([
    ['429 with retry-after', 429, { 'retry-after': '2' }],
    ['403 with retry-after', 403, { 'retry-after': '1' }],
    ['403 with a used up limit', 403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 5) }],
  ])('waits for a rate limit: %s', async (_name, status, headers) => {
    const once = (): { readonly status: number; readonly headers: Record<string, string> } => ({ status, headers });
    forge.obstacles.push((request) => (request.method === 'GET' ? undefined : once()), once, once);
    expect(await post()).toMatchObject({ code: 0, stdout: '2 comments posted; summary created\n' });
  });

  it('gives up on a long rate limit, and reports every comment that is missing', async () => {
    const refuse = (): { readonly status: number; readonly headers: Record<string, string> } => ({ status: 429, headers: { 'retry-after': '3600' } });
    const untilPosts = (request: { readonly method?: string | undefined }): ReturnType<typeof refuse> | undefined =>
      request.method === 'POST' ? refuse() : undefined;
    for (let i = 0; i < 2; i++) forge.obstacles.push(untilPosts);
    const ran = await post();
    expect(ran.code).toBe(1);
    expect(ran.stdout.match(/^not posted: .*asks to wait 3600 s/gm)).toHaveLength(2);
    expect(forge.reviewComments).toEqual([]);
  });

  it('posts nothing when it cannot tell what is there', async () => {
    forge.obstacles.push(
      () => undefined,
      () => undefined,
    );
    forge.obstacles.splice(0, 2, (request) => (request.url?.includes('/comments') === true ? { status: 500 } : undefined));
    const ran = await post();
    expect(ran.code).toBe(1);
    expect(forge.writes).toEqual([]);
  });

  it('explains a token that may not write', async () => {
    const forbid = (request: { readonly method?: string | undefined }): { readonly status: number; readonly body: { readonly message: string } } | undefined =>
      request.method === 'POST' ? { status: 403, body: { message: 'Resource not accessible by integration' } } : undefined;
    forge.obstacles.push(forbid, forbid);
    const ran = await post();
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('which pull requests from forks do not get');
  });

  it('refuses a checkout that is not the head, and takes a merge of it', async () => {
    const head = forge.pull.head;
    git(root, 'checkout', '-q', '-b', 'target', base);
    commit({ 'other.ts': 'export {};\n' });
    git(root, 'branch', 'onto');
    git(root, 'merge', '-q', '--no-edit', head);
    const merged = ['suggest', '--base', 'onto', '--post'];
    expect(await unsession(merged, { cwd: root, env: forge.env })).toMatchObject({ code: 0, stdout: '2 comments posted; summary created\n' });
    commit({ 'src/tide.ts': `// moved\n${TIDE}` });
    const ran = await unsession(merged, { cwd: root, env: forge.env });
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('check out the head');
    add(root, { 'src/tide.ts': TIDE.replace('tide', 'ebb') });
    expect((await post()).stderr).toContain('uncommitted changes (src/tide.ts)');
  });

  it('obeys the limits, and tells the rest in the summary', async () => {
    commit(Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`src/tide${String(index)}.ts`, TIDE])));
    await forge.close();
    await open();
    expect((await post()).stdout).toBe('6 comments posted; summary created\n');
    expect(forge.issueComments[0]?.body.match(/no: enough comments/g)).toHaveLength(5);
    expect((await post('--max-per-rule', '2')).stdout).toBe('0 comments posted; 3 were there already; summary updated\n');
  });

  it.each([
    [{ GITHUB_TOKEN: '' }, 'GITHUB_TOKEN'],
    [{ GITHUB_REPOSITORY: 'cableway' }, 'GITHUB_REPOSITORY'],
    [{ GITHUB_REF: 'refs/heads/main' }, '--pull N'],
    [{ GITHUB_API_URL: 'http://forge.example' }, 'without TLS'],
    [{ GITHUB_API_URL: 'forge' }, 'not an http or https URL'],
  ])('needs its variables: %j', async (env, part) => {
    const ran = await unsession(['suggest', '--base', base, '--post'], { cwd: root, env: { ...forge.env, ...env } });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(part);
    expect(ran.stderr).not.toContain('a-token');
  });

  it('takes the number from --pull, and reports a forge that is away without the token', async () => {
    expect((await unsession(['suggest', '--base', base, '--post', '--pull', '7'], { cwd: root, env: { ...forge.env, GITHUB_REF: '' } })).code).toBe(0);
    const ran = await unsession(['suggest', '--base', base, '--post'], { cwd: root, env: { ...forge.env, GITHUB_API_URL: 'http://127.0.0.1:9' } });
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('did not answer');
    expect(ran.stderr).not.toContain('a-token');
  });
});
