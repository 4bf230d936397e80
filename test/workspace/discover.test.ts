import { mkdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { discover, manifestAbove, MissingPathError, packageOf, resolveTarget, UnknownPackageError, type Discovery } from '../../src/workspace/index.js';
import { add, git, repository, tree } from './tree.js';

const paths = (found: Discovery): readonly string[] => found.files.map((file) => file.path);
const left = (found: Discovery): Record<string, string> => Object.fromEntries(found.skipped.map((notice) => [notice.file, notice.why]));

describe('discover', () => {
  it('lists tracked and untracked files of a git work tree, not the ignored ones', async () => {
    const root = repository({ '.gitignore': 'secret.ts\n', 'src/server.ts': 'a', 'deleted.ts': 'b' });
    add(root, { 'src/new.ts': 'c', 'secret.ts': 'd' });
    unlinkSync(join(root, 'deleted.ts'));
    expect(paths(await discover(root))).toEqual(['src/new.ts', 'src/server.ts']);
  });

  it('reads ignore files outside of git, nested ones and exceptions included', async () => {
    const root = tree({
      '.gitignore': '*.log.ts\ntmp/\n',
      'a.log.ts': '',
      'tmp/x.ts': '',
      'packages/api/.gitignore': '!a.log.ts\nlocal.ts\n',
      'packages/api/a.log.ts': '',
      'packages/api/local.ts': '',
      'packages/api/server.ts': '',
    });
    expect(paths(await discover(root))).toEqual(['packages/api/a.log.ts', 'packages/api/server.ts']);
  });

  it('honours .unsessionignore in git too', async () => {
    const root = repository({ '.unsessionignore': 'legacy/\n', 'legacy/server.ts': '', 'server.ts': '' });
    expect(paths(await discover(root))).toEqual(['server.ts']);
  });

  it('leaves out vendored, generated and minified files, and counts them', async () => {
    const root = tree({
      'server.ts': '',
      'node_modules/express/index.js': '',
      'dist/server.js': '',
      'package-lock.json': '{}',
      'public/app.min.js': '',
      'package.json': '{}',
    });
    const found = await discover(root);
    expect(paths(found)).toEqual(['package.json', 'server.ts']);
    expect(left(found)).toEqual({ node_modules: 'vendored', dist: 'generated', 'package-lock.json': 'generated', 'public/app.min.js': 'minified' });
  });

  it('counts the tracked files of a left-out folder in git', async () => {
    const root = repository({ 'server.ts': '', 'vendor/a.go': '', 'vendor/deep/b.go': '' });
    expect((await discover(root)).skipped).toMatchObject([{ file: 'vendor', why: 'vendored', reason: expect.stringContaining('2 files') as string }]);
  });

  it('takes a build folder as source when the user names it, by path or by glob', async () => {
    const root = tree({ 'src/server.ts': '', 'dist/server.js': '', 'dist/node_modules/x/index.js': '', 'package.json': '{}' });
    expect(paths(await discover(join(root, 'dist')))).toEqual(['server.js']);
    expect(paths(await discover(root, { include: ['dist/**/*.js'] }))).toContain('dist/server.js');
    expect(paths(await discover(root, { include: ['**/*.js'] }))).toEqual([]);
  });

  it('takes a git-ignored folder as source when the user names it', async () => {
    const root = repository({ '.gitignore': 'dist/\n', 'server.ts': '' });
    add(root, { 'dist/server.js': '' });
    expect(paths(await discover(join(root, 'dist')))).toEqual(['server.js']);
  });

  it('takes the build of a published package as its source in git too, unless git ignores it or the sources are there', async () => {
    const published = { 'package.json': '{"name":"weather-mcp","main":"dist/index.js"}', 'dist/index.js': '', 'README.md': '' };
    expect(paths(await discover(repository(published)))).toEqual(['README.md', 'dist/index.js', 'package.json']);
    const ignored = repository({ ...published, '.gitignore': 'dist/\n' });
    expect(paths(await discover(ignored))).toEqual(['README.md', 'package.json']);
    expect(paths(await discover(repository({ ...published, 'src/index.ts': '' })))).toEqual(['README.md', 'package.json', 'src/index.ts']);
  });

  it('takes the build of a published package as its source', async () => {
    const published = { 'package.json': '{"name":"weather-mcp","main":"dist/index.js"}', 'dist/index.js': '', 'dist/tools/forecast.js': '', 'README.md': '' };
    expect(paths(await discover(tree(published)))).toEqual(['README.md', 'dist/index.js', 'dist/tools/forecast.js', 'package.json']);
    const installed = tree(
      Object.fromEntries(Object.entries({ ...published, 'src/index.ts': '' }).map(([path, text]) => [`node_modules/weather-mcp/${path}`, text])),
    );
    expect(paths(await discover(join(installed, 'node_modules/weather-mcp')))).toContain('dist/index.js');
  });

  it('follows no symbolic link, neither out of the folder nor into a loop', async () => {
    const outside = tree({ 'secret.ts': 'x' });
    const root = tree({ 'src/server.ts': '' });
    symlinkSync(outside, join(root, 'out'));
    symlinkSync(root, join(root, 'src/loop'));
    symlinkSync(join(outside, 'secret.ts'), join(root, 'link.ts'));
    symlinkSync(join(root, 'src/server.ts'), join(root, 'alias.ts'));
    const found = await discover(root);
    expect(paths(found)).toEqual(['src/server.ts']);
    expect(left(found)).toEqual({ 'link.ts': 'unsupported' });
  });

  it('reports submodules and nested repositories', async () => {
    const other = repository({ 'lib.ts': '' });
    const root = repository({ 'server.ts': '' });
    git(root, 'submodule', '--quiet', 'add', other, 'shared');
    git(root, 'commit', '-q', '-m', 'submodule');
    mkdirSync(join(root, 'checkout'));
    git(join(root, 'checkout'), 'clone', '-q', other, 'inner');
    expect(left(await discover(root))).toMatchObject({ shared: 'submodule', 'checkout/inner': 'submodule' });
    const plain = tree({ 'server.ts': '' });
    git(plain, 'clone', '-q', other, 'inner');
    expect(left(await discover(plain))).toEqual({ inner: 'submodule' });
  });

  it('narrows by include, exclude and package', async () => {
    const root = tree({
      'package.json': '{"name":"fleet"}',
      'packages/api/package.json': '{"name":"@fleet/api","type":"module"}',
      'packages/api/src/server.ts': '',
      'packages/web/package.json': '{"name":"@fleet/web"}',
      'packages/web/src/client.ts': '',
    });
    expect(paths(await discover(root, { include: ['packages/api'] }))).toEqual(['packages/api/package.json', 'packages/api/src/server.ts']);
    expect(paths(await discover(root, { exclude: ['*.json', 'packages/web/'] }))).toEqual(['packages/api/src/server.ts']);
    const api = await discover(root, { package: '@fleet/api' });
    expect(paths(api)).toEqual(['packages/api/package.json', 'packages/api/src/server.ts']);
    expect(packageOf(api.packages, 'packages/api/src/server.ts')).toMatchObject({ folder: 'packages/api', name: '@fleet/api', moduleType: 'module' });
    expect(packageOf(api.packages, 'README.md')).toMatchObject({ folder: '.', name: 'fleet', moduleType: 'commonjs' });
    await expect(discover(root, { package: 'mobile' })).rejects.toThrow(UnknownPackageError);
  });

  it('names packages of other ecosystems and survives a broken manifest', async () => {
    const root = tree({
      'pyproject.toml': '[build-system]\nrequires = []\n\n[project]\nversion = "1"\nname = "bench-driver"\n',
      'web/package.json': '{ broken',
      'go/go.mod': 'module example.org/fleet/agent\n',
    });
    const { packages } = await discover(root);
    expect(packages.map(({ folder, name, manifest }) => [folder, name, manifest])).toEqual([
      ['.', 'bench-driver', 'pyproject.toml'],
      ['go', 'example.org/fleet/agent', 'go/go.mod'],
      ['web', undefined, 'web/package.json'],
    ]);
  });

  it('says which manifest above the folder owns it', () => {
    const root = tree({ 'package.json': '{}', 'src/server.ts': '', 'python/pyproject.toml': '' });
    expect(manifestAbove(join(root, 'src'), root)).toBe(join(root, 'package.json'));
    expect(manifestAbove(join(root, 'python'), root)).toBeUndefined();
    expect(manifestAbove(root, root)).toBeUndefined();
  });

  it('does not run what the repository configures in git', async () => {
    const root = repository({ 'server.ts': '' });
    git(root, 'config', 'core.fsmonitor', `touch ${join(root, 'ran')}`);
    expect(paths(await discover(root))).toEqual(['server.ts']);
    expect(git(root, '-c', 'core.fsmonitor=false', 'status', '--porcelain')).toBe('');
  });
});

describe('resolveTarget', () => {
  it('takes a folder as root, a file from the working directory, and refuses what does not exist', () => {
    const root = tree({ 'src/server.ts': '' });
    expect(resolveTarget('src', root)).toEqual({ root: join(root, 'src') });
    expect(resolveTarget('src/server.ts', root)).toEqual({ root, only: 'src/server.ts' });
    expect(resolveTarget(join(root, 'src/server.ts'), '/')).toMatchObject({ only: expect.stringContaining('server.ts') as string });
    expect(() => resolveTarget('nowhere', root)).toThrow(MissingPathError);
  });

  it('analyses exactly the named file, whatever its folder', async () => {
    const root = tree({ 'package.json': '{"type":"module"}', 'dist/server.min.js': '', 'other.ts': '' });
    const found = await discover(root, { only: 'dist/server.min.js' });
    expect(paths(found)).toEqual(['dist/server.min.js']);
    expect(packageOf(found.packages, 'dist/server.min.js').moduleType).toBe('module');
  });
});
