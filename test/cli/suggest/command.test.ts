import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SuggestResult } from '../../../src/core/index.js';
import { knowledge } from '../../../transforms/index.js';
import { add, git, repository, tree } from '../../workspace/tree.js';
import { unsession, type Ran } from '../run.js';
import { applySuggestions } from './accept.js';

interface Payload {
  readonly review: {
    readonly body: string;
    readonly comments: readonly { readonly path: string; readonly line: number; readonly start_line?: number; readonly body: string }[];
  };
  readonly summary: { readonly body: string } | null;
  readonly elsewhere: readonly { readonly item: string; readonly why: string; readonly places: readonly string[] }[];
}

const SDK2 = '{ "name": "weir", "type": "module", "dependencies": { "@modelcontextprotocol/server": "^2.4.0" } }\n';
const SDK1 = SDK2.replace('server": "^2.4.0', 'sdk": "^1.29.0');
const WIND = "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\n\nexport const wind = new McpServer({ name: 'wind', version: '1.0.0' });\n";
const LEVELS = `import { Server } from '@modelcontextprotocol/server';

export const levels = new Server({ name: 'levels', version: '1.0.0' }, { capabilities: { prompts: {} } });

levels.setRequestHandler('prompts/get', async ({ params }) => {
  throw new Error(\`Prompt \${params.name} not found\`);
});
`;

/** A repository in which `head` has come on top of `base`. */
function pull(base: Readonly<Record<string, string>>, head: Readonly<Record<string, string>>): string {
  const root = repository(base);
  git(root, 'branch', 'trunk');
  add(root, head);
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'second', '--allow-empty');
  return root;
}

const run = (root: string, ...args: readonly string[]): Promise<Ran> => unsession(['suggest', '--base', 'trunk', ...args], { cwd: root, knowledge });
const payload = async (root: string, ...args: readonly string[]): Promise<Payload> =>
  JSON.parse((await run(root, '--format', 'github', ...args)).stdout) as Payload;

describe('suggest', () => {
  it('comments what the diff shows, and lists the rest in the summary', async () => {
    const root = pull({ 'package.json': SDK1, 'serve.ts': `// port\n${WIND}`, 'tool.ts': WIND }, { 'serve.ts': `// quay\n${WIND}` });
    const { review, summary } = await payload(root);
    expect(review.comments.map(({ path, line }) => `${path}:${String(line)}`)).toEqual(['serve.ts:2']);
    expect(review.comments[0]?.body).not.toContain('```suggestion');
    const all = SuggestResult.parse(JSON.parse((await run(root, '--format', 'json')).stdout)).before.findings;
    const told = `${review.comments.map((comment) => comment.body).join('\n')}${summary?.body ?? ''}`;
    for (const finding of all.filter((entry) => entry.site.file !== 'serve.ts')) expect(told).toContain(`${finding.site.file}:${String(finding.site.line)}`);
  });

  it('names the item and the command when accepting a part would leave half of it', async () => {
    const root = pull({ 'package.json': SDK1, 'wind.ts': WIND }, { 'package.json': SDK1.replace('^1.29.0', '^2.0.0') });
    const { review } = await payload(root);
    expect(review.comments.map(({ path, line }) => `${path}:${String(line)}`)).toEqual(['package.json:1']);
    const [comment] = review.comments;
    expect(comment?.body).not.toContain('```suggestion');
    expect(comment?.body).toContain('`wind.ts:1`');
    expect(comment?.body).toMatch(/migrate --item sdk-v1-typescript-[0-9a-f]{6}/);
    expect((await run(root, '--format', 'patch')).stdout).toBe('');
  });

  it('says what it could not read, and fails', async () => {
    const root = pull({ 'package.json': SDK2 }, { 'levels.ts': LEVELS, 'broken.ts': LEVELS.replace('});\n', '') });
    const ran = await run(root, '--format', 'github');
    expect(ran.code).toBe(1);
    const { review, summary } = JSON.parse(ran.stdout) as Payload;
    expect(review.comments.map((comment) => comment.path)).toEqual(['levels.ts']);
    expect(summary?.body).toMatch(/\*\*Not analysed\*\*[^]*`broken\.ts:\d+`/);
  });

  it('does not call a pull request fine that it could not read', async () => {
    const { summary } = await payload(pull({ 'package.json': SDK2 }, { 'broken.ts': LEVELS.replace('});\n', '') }));
    expect(summary?.body).toContain('that could be read');
    expect(summary?.body).not.toContain('fine');
  });

  it('reads a diff from standard input, a file, and with or without prefixes', async () => {
    const root = pull({ 'package.json': SDK2 }, { 'levels.ts': LEVELS });
    const expected = (await run(root, '--format', 'patch')).stdout;
    expect(expected).toContain('ProtocolError');
    for (const flags of [[], ['--no-prefix'], ['-U20'], ['--src-prefix=i/', '--dst-prefix=w/'], ['--color=always'], ['windows']]) {
      const text = git(root, 'diff', ...flags.filter((flag) => flag !== 'windows'), 'trunk', 'HEAD');
      const stdin = flags[0] === 'windows' ? text.replaceAll('\n', '\r\n') : text;
      const ran = await unsession(['suggest', '--diff', '-', '--format', 'patch'], { cwd: root, knowledge, stdin });
      expect(ran).toMatchObject({ code: 0, stdout: expected, stderr: '' });
    }
    add(root, { '.git/change.patch': git(root, 'format-patch', '--stdout', 'trunk') });
    expect((await unsession(['suggest', '--diff', '.git/change.patch', '--format', 'patch'], { cwd: root, knowledge })).stdout).toBe(expected);
    expect((await unsession(['suggest', '--diff', '-'], { cwd: root, knowledge, stdin: '' })).stdout).toContain('Nothing to say');
  });

  it('tells a folder from a prefix, and reads what a shell of Windows redirects', async () => {
    const root = pull({ 'package.json': SDK2 }, { 'b/levels.ts': LEVELS });
    const expected = (await run(root, '--format', 'patch')).stdout;
    expect(expected).toContain('+++ b/b/levels.ts');
    for (const flags of [[], ['--no-prefix']]) {
      const stdin = git(root, 'diff', ...flags, 'trunk', 'HEAD');
      expect((await unsession(['suggest', '--diff', '-', '--format', 'patch'], { cwd: root, knowledge, stdin })).stdout).toBe(expected);
    }
    add(root, { '.git/change.patch': Buffer.from(`\uFEFF${git(root, 'diff', 'trunk', 'HEAD').replaceAll('\n', '\r\n')}`, 'utf16le') });
    expect((await unsession(['suggest', '--diff', '.git/change.patch', '--format', 'patch'], { cwd: root, knowledge })).stdout).toBe(expected);
  });

  it('places nothing where the diff is not that of the checkout', async () => {
    const root = pull({ 'package.json': SDK2 }, { 'levels.ts': LEVELS });
    const stdin = git(root, 'diff', 'trunk', 'HEAD');
    add(root, { 'levels.ts': `// one line more\n${LEVELS}` });
    const ran = await unsession(['suggest', '--diff', '-', '--format', 'github'], { cwd: root, knowledge, stdin });
    const { review, summary } = JSON.parse(ran.stdout) as Payload;
    expect(review.comments).toEqual([]);
    expect(summary?.body).toContain('The diff does not fit the checkout for `levels.ts`');
  });

  it('writes suggestions with the line ends of the repository when the checkout converts them', async () => {
    const root = pull({ 'package.json': SDK2 }, { 'levels.ts': LEVELS });
    const stdin = git(root, 'diff', 'trunk', 'HEAD');
    add(root, { 'levels.ts': LEVELS.replaceAll('\n', '\r\n') });
    const ran = await unsession(['suggest', '--diff', '-', '--format', 'github'], { cwd: root, knowledge, stdin });
    const { review } = JSON.parse(ran.stdout) as Payload;
    expect(review.comments).toHaveLength(1);
    expect(review.comments[0]?.body).not.toContain('\r');
    expect(applySuggestions(LEVELS, review.comments)).toContain('ProtocolErrorCode.InvalidParams');
  });

  it('gives paths from the top of the repository for a folder below it', async () => {
    const root = pull({ 'apps/weir/package.json': SDK2, 'other.ts': '' }, { 'apps/weir/levels.ts': LEVELS, 'other.ts': '//\n' });
    const options = { cwd: root, knowledge };
    const ran = await unsession(['suggest', 'apps/weir', '--base', 'trunk', '--format', 'github'], options);
    expect((JSON.parse(ran.stdout) as Payload).review.comments.map((comment) => comment.path)).toEqual(['apps/weir/levels.ts']);
    add(root, { '.git/x.patch': (await unsession(['suggest', 'apps/weir', '--base', 'trunk', '--format', 'patch'], options)).stdout });
    git(root, 'apply', '.git/x.patch');
    expect(readFileSync(join(root, 'apps/weir/levels.ts'), 'utf8')).toContain('ProtocolError');
  });

  it('prints rdjsonl whose ranges give the same text', async () => {
    const root = pull({ 'package.json': SDK2 }, { 'levels.ts': LEVELS.replaceAll('\n', '\r\n') });
    const lines = (await run(root, '--format', 'rdjsonl')).stdout.trimEnd().split('\n');
    const [diagnostic] = lines.map(
      (line) =>
        JSON.parse(line) as {
          severity: string;
          location: { path: string };
          suggestions: { range: { start: { line: number }; end: { line: number } }; text: string }[];
        },
    );
    expect(diagnostic).toMatchObject({ severity: 'WARNING', location: { path: 'levels.ts' } });
    const text = LEVELS.replaceAll('\n', '\r\n').split('\r\n');
    const [suggestion] = diagnostic?.suggestions ?? [];
    text.splice((suggestion?.range.start.line ?? 1) - 1, (suggestion?.range.end.line ?? 0) - (suggestion?.range.start.line ?? 1) + 1, suggestion?.text ?? '');
    const { review } = await payload(root);
    expect(text.join('\r\n')).toBe(applySuggestions(LEVELS.replaceAll('\n', '\r\n'), review.comments));
  });

  it('counts uncommitted changes, says so, and exits by severity when asked', async () => {
    const root = pull({ 'package.json': SDK2, 'levels.ts': '\n' }, {});
    add(root, { 'levels.ts': LEVELS });
    const ran = await run(root);
    expect(ran).toMatchObject({ code: 0, stderr: 'Uncommitted changes of tracked files count as part of the pull request.\n' });
    expect(ran.stdout).toContain('```suggestion');
    expect((await run(root, '--fail-on', 'warning')).code).toBe(1);
    expect((await run(root, '--fail-on', 'error')).code).toBe(0);
  });

  it('is the same whatever the user has told git about diffs', async () => {
    const root = pull({ 'package.json': SDK2 }, { 'levels.ts': LEVELS });
    const expected = (await run(root, '--format', 'github')).stdout;
    for (const [name, value] of Object.entries({
      'diff.noprefix': 'true',
      'diff.context': '0',
      'diff.external': 'false',
      'diff.suppressBlankEmpty': 'true',
      'color.ui': 'always',
      'diff.relative': 'true',
    }))
      git(root, 'config', name, value);
    expect((await run(root, '--format', 'github')).stdout).toBe(expected);
  });

  it.each([
    [['suggest'], '--base REF'],
    [['suggest', '--base', 'trunk', '--diff', '-'], '--base REF'],
    [['suggest', '--base', 'nowhere'], 'no revision "nowhere"'],
    [['suggest', '--base', '--output=x'], '--output=x'],
    [['suggest', '--diff', 'missing.patch'], 'missing.patch cannot be read'],
    [['suggest', '--diff', 'package.json'], 'names no file'],
    [['suggest', '--diff', 'merge.patch'], 'combined diff of a merge'],
    [['suggest', '--diff', 'series.patch'], 'changes levels.ts twice'],
    [['suggest', '--base', 'trunk', '--post', '--format', 'patch'], 'give one'],
    [['suggest', '--base', 'trunk', '--max-comments', '0'], 'whole number'],
  ])('%j is wrong usage', async (args, part) => {
    const cwd = pull({ 'package.json': SDK2 }, { 'levels.ts': LEVELS });
    const change = git(cwd, 'diff', 'trunk', 'HEAD');
    add(cwd, {
      'merge.patch': 'diff --cc levels.ts\nindex 1,2..3\n--- a/levels.ts\n+++ b/levels.ts\n@@@ -1,1 -1,1 +1,1 @@@\n++// both\n',
      'series.patch': change + change.replace('new file mode 100644\n', ''),
    });
    const ran = await unsession(args, { cwd, knowledge });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(part);
  });

  it('asks for history in a shallow clone, and for a repository at all', async () => {
    const root = pull({ 'package.json': SDK2 }, { 'levels.ts': LEVELS });
    const clone = tree();
    execFileSync('git', ['clone', '-q', '--depth', '1', `file://${root}`, clone], { stdio: 'ignore' });
    expect((await unsession(['suggest', '--base', 'origin/trunk'], { cwd: clone, knowledge })).stderr).toContain('fetch-depth: 0');
    expect((await unsession(['suggest', '--base', 'trunk'], { cwd: tree({ 'a.ts': '' }), knowledge })).stderr).toContain('--base needs a git repository');
  });
});
