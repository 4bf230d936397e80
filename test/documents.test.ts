import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../src/cli/errors.js';
import { createProgram } from '../src/cli/program.js';
import { processWorld } from '../src/cli/world.js';

/** What the documents promise must exist: commands, options, exit codes, scripts, files. */

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'src/README.md', 'transforms/README.md'];

const program = createProgram(processWorld(), () => undefined);
const commands = new Set(program.commands.map((command) => command.name()));
const options = new Set(program.commands.flatMap((command) => command.options.map((option) => option.long)));
const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts;

describe.each(DOCUMENTS)('%s', (path) => {
  const text = read(path);

  it('links to files that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target = '']) => target).filter((target) => !target.startsWith('https:'));
    expect(links.filter((target) => !existsSync(join(root, dirname(path), target)))).toEqual([]);
  });

  it('names scripts that exist', () => {
    const named = [...text.matchAll(/`(?:npm run |npm )([a-z:]+)/g)].map(([, name = '']) => name).filter((name) => name !== 'run' && name !== 'install');
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('names no path or name of one machine', () => {
    expect(text).not.toMatch(/\/(?:home|root|work|tmp)\//);
  });
});

describe('README.md', () => {
  const text = read('README.md');

  it('names commands that exist, and all of them', () => {
    const named = new Set([...text.matchAll(/(?:npx unsession |\n\| `)([a-z]+)/g)].map(([, name = '']) => name));
    expect([...commands].filter((name) => !named.has(name))).toEqual([]);
    const run = [...text.matchAll(/npx unsession ([a-z]+)/g)].map(([, name = '']) => name);
    expect(run.filter((name) => !commands.has(name))).toEqual([]);
  });

  it('names options that exist', () => {
    const named = [...text.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([name]) => name).filter((name) => name !== '--help');
    expect(named.filter((name) => !options.has(name))).toEqual([]);
  });

  it('names the exit codes', () => {
    const rows = [...text.matchAll(/^\| (\d) +\|/gm)].map(([, code]) => Number(code));
    expect(rows).toEqual([...new Set(Object.values(EXIT))].sort());
  });

  it('opens with the two commands', () => {
    expect(text).toMatch(/^# unsession\n\nIn a clone of this project:\n\n```sh\nnpm start .*\nnpm test .*\n```\n/);
  });
});
