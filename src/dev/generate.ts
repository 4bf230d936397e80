/**
 * Renders everything in the repository that follows from something else, so that nothing is written twice by hand.
 *
 *   npm run generate              writes what is stale
 *   npm run generate -- --check   writes nothing; exit code 1 and the list of stale files
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { renderCatalogue } from './generate/catalogue.js';
import { renderCommandTable } from './generate/command-table.js';
import { renderConcernTable } from './generate/concern-table.js';
import { renderDependencyPicture } from './generate/dependency-picture.js';
import { renderJourney } from './generate/journey.js';
import { replaceBlock } from './generate/block.js';
import { renderSchemas } from './generate/schemas.js';
import { renderSdkTable } from './generate-sdk-table.js';

/** A generated file: its path in the repository and its text, from what is there now (`''` when it is missing). */
interface Artefact {
  readonly path: string;
  readonly render: (current: string) => string | Promise<string>;
  /** The text is final: it has a layout of its own. */
  readonly verbatim?: true;
}

const ARTEFACTS: readonly Artefact[] = [
  { path: 'README.md', render: (text) => replaceBlock(text, 'commands', renderCommandTable()) },
  {
    path: 'src/README.md',
    render: async (text) => replaceBlock(replaceBlock(text, 'journey', renderJourney()), 'dependencies', await renderDependencyPicture()),
  },
  { path: 'transforms/README.md', render: (text) => replaceBlock(text, 'concerns', renderConcernTable()) },
  { path: 'src/cli/catalogue.json', render: renderCatalogue },
  ...renderSchemas().map(({ path, text }) => ({ path, render: () => text })),
  { path: 'transforms/_mcp/v1-to-v2.json', render: renderSdkTable, verbatim: true },
];

const root = fileURLToPath(new URL('../../', import.meta.url));
const check = process.argv.includes('--check');
const stale: string[] = [];

/** Renders one file; a fault of its sources is printed, counts as a failure, and leaves the other files alone. */
async function attempt(path: string, render: Artefact['render'], current: string): Promise<string | undefined> {
  try {
    return await render(current);
  } catch (error) {
    console.log(`failed ${path}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
    return undefined;
  }
}

for (const { path, render, verbatim } of ARTEFACTS) {
  const file = join(root, path);
  const current = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const rendered = await attempt(path, render, current);
  if (rendered === undefined) continue;
  const text = rendered === current || verbatim ? rendered : await format(rendered, { ...(await resolveConfig(file)), filepath: file });
  if (text === current) continue;
  stale.push(path);
  if (check) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

for (const path of stale) console.log(`${check ? 'stale' : 'wrote'}  ${path}`);
if (check && stale.length > 0) {
  console.log('Run `npm run generate` and commit the result.');
  process.exitCode = 1;
}
