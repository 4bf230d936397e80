import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand, tail, unsession } from '../command.js';
import { ensureVenv, type Venv } from './venvs.js';

/** The release whose examples are taken: its source distribution carries them. */
const RELEASE = '1.28.1';

/** What became of the examples of the SDK. */
export interface SnippetProof {
  readonly release: string;
  readonly snippets: number;
  /** Those that import on SDK 1.x as they are. */
  readonly before: number;
  /** Those of them that import on SDK 2.x after the SDK step. */
  readonly after: number;
  /** Error of SDK 1.x itself, by file: these were never to be imported. */
  readonly failing: Readonly<Record<string, string>>;
  /** Error of SDK 2.x after the migration, by file. */
  readonly lost: Readonly<Record<string, string>>;
  /** The migrated files that Python itself does not parse. */
  readonly unparsed: readonly string[];
  /** A second run changes nothing. */
  readonly idempotent: boolean;
}

/** Runs every example as a module that is imported, and answers with its error, or with nothing. */
const IMPORTS = `
import ast, importlib, json, pathlib, sys
root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root))
found = {}
for path in sorted(root.rglob("*.py")):
    name = path.relative_to(root).as_posix()
    try:
        ast.parse(path.read_text(encoding="utf-8"))
    except SyntaxError as error:
        found[name] = f"SyntaxError: {error}"
        continue
    try:
        importlib.import_module(path.relative_to(root).with_suffix("").as_posix().replace("/", "."))
        found[name] = ""
    except BaseException as error:
        found[name] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
print("RESULT" + json.dumps(found))
`;

/**
 * The SDK's own examples, from the source distribution of SDK 1.x: what imports on 1.x imports on 2.x after the SDK step.
 * `undefined` where there is no Python of 3.10 or later.
 * @throws Error when the distribution cannot be had, or does not hold the examples
 */
export async function proveSnippets(): Promise<SnippetProof | undefined> {
  const [one, two] = [await ensureVenv(1), await ensureVenv(2)];
  if (!one || !two) return undefined;
  const home = mkdtempSync(join(tmpdir(), 'unsession-snippets-'));
  try {
    const got = await runCommand(one.python, ['-m', 'pip', 'download', '-q', '--no-deps', '--no-binary', ':all:', `mcp==${RELEASE}`, '-d', home], home);
    const archive = join(home, `mcp-${RELEASE}.tar.gz`);
    const opened = await runCommand('tar', ['-xzf', archive, '-C', home], home);
    if (got.code !== 0 || opened.code !== 0) throw new Error(`the source distribution of mcp ${RELEASE} could not be had:\n${tail(got)}\n${tail(opened)}`);
    const folder = join(home, 'project');
    cpSync(join(home, `mcp-${RELEASE}`, 'examples', 'snippets'), join(folder, 'snippets'), { recursive: true });
    writeFileSync(join(folder, 'pyproject.toml'), `[project]\nname = "examples"\nversion = "1"\ndependencies = ["mcp>=1.28,<2"]\n`);
    const before = await imports(one, join(folder, 'snippets'));
    const moved = await unsession(['migrate', '--milestone', 'sdk', '--write', '--allow-dirty', '--format', 'json', '.'], folder);
    if (moved.code !== 0) throw new Error(`migrate ended with ${String(moved.code)}:\n${tail(moved)}`);
    const after = await imports(two, join(folder, 'snippets'));
    const again = await unsession(['migrate', '--milestone', 'sdk', '--format', 'json', '.'], folder);
    // Its exit code also tells of what the rules refuse in the migrated servers, which is another question.
    const { patches } = JSON.parse(again.stdout) as { readonly patches: readonly unknown[] };
    const names = Object.keys(before);
    const good = names.filter((name) => before[name] === '');
    return {
      release: RELEASE,
      snippets: names.length,
      before: good.length,
      after: good.filter((name) => after[name] === '').length,
      failing: picked(before, names),
      lost: picked(after, good),
      unparsed: names.filter((name) => after[name]?.startsWith('SyntaxError') === true),
      idempotent: patches.length === 0,
    };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const picked = (errors: Readonly<Record<string, string>>, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.flatMap((name) => (errors[name] ? [[name, errors[name]]] : [])));

async function imports(venv: Venv, folder: string): Promise<Readonly<Record<string, string>>> {
  const outcome = await runCommand(venv.python, ['-c', IMPORTS, folder], folder);
  const line = outcome.stdout.split('\n').find((each) => each.startsWith('RESULT'));
  if (line === undefined) throw new Error(`the examples could not be imported on SDK ${String(venv.line)}.x:\n${tail(outcome)}`);
  return JSON.parse(line.slice('RESULT'.length)) as Record<string, string>;
}
