import type { Need, RewriteContext } from '../../../src/core/index.js';
import { type PythonFile, importedNames } from '../../../src/languages/python/index.js';
import { requirementsOf } from '../../../src/languages/python/packaging/index.js';

/** The SDK in the releases that carry the security fixes of October 2026, below the next major. */
export const SDK_RANGE = '>=2.2,<3';

/** Packages that the migrated code imports, and the releases that SDK 2.3.0 asks for itself. */
const ADDED: Readonly<Record<string, string>> = { httpx2: '>=2.10', jsonschema: '>=4.20' };

/** What SDK 1.x brought along and SDK 2.x does not: code that imports it without saying so worked as long as the SDK was installed. */
const BROUGHT_ALONG: Readonly<Record<string, readonly [string, string]>> = {
  httpx: ['httpx', '>=0.27'],
  httpx_sse: ['httpx-sse', '>=0.4'],
  pydantic_settings: ['pydantic-settings', '>=2.5'],
  websockets: ['websockets', '>=15'],
};

const STANDARD = [
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'Pipfile',
  'requirements.txt',
  'requirements-dev.txt',
  'dev-requirements.txt',
  'requirements/base.txt',
  'requirements/dev.txt',
];

/** Files in which the package of an item says that it needs `mcp`. */
function manifests(context: RewriteContext, folder: string, known: readonly string[]): readonly string[] {
  const standard = STANDARD.map((name) => (folder === '.' ? name : `${folder}/${name}`));
  return [...new Set([...standard, ...known])].sort().filter((path) => {
    const text = context.text(path);
    if (text === undefined) return false;
    try {
      return requirementsOf(path, text).some(({ name }) => name === 'mcp');
    } catch {
      return false;
    }
  });
}

/**
 * Needs of the packaging files once the code has moved: the SDK itself, what the new code imports, what SDK 1.x brought along, Python 3.10.
 * @param imports modules that the migrated code imports and did not import before
 */
export function packagingNeeds(
  context: RewriteContext,
  folder: string,
  known: readonly string[],
  files: readonly PythonFile[],
  imports: ReadonlySet<string>,
): readonly Need[] {
  const needs: Need[] = [];
  const named = new Set(files.flatMap((file) => importedNames(file).map(({ module }) => module.split('.')[0] ?? module)));
  for (const manifest of manifests(context, folder, known)) {
    const stated = new Set(requirementsOf(manifest, context.text(manifest) ?? '').map(({ name }) => name));
    needs.push({ kind: 'dependency', manifest, name: 'mcp', range: SDK_RANGE }, { kind: 'engine', manifest, name: 'python', range: '>=3.10' });
    const script = /\.pyw?$/.test(manifest) && !/(?:^|\/)setup\.py$/.test(manifest);
    const own = script
      ? new Set(files.filter(({ path }) => path === manifest).flatMap((file) => importedNames(file).map(({ module }) => module.split('.')[0] ?? module)))
      : named;
    for (const [name, range] of Object.entries(ADDED))
      if (imports.has(name) && !stated.has(name) && !script) needs.push({ kind: 'dependency', manifest, name, range });
    for (const [module, [name, range]] of Object.entries(BROUGHT_ALONG))
      if (own.has(module) && !stated.has(name)) needs.push({ kind: 'dependency', manifest, name, range });
  }
  return needs;
}
