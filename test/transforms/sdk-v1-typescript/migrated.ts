import { applyEdits, siteOf, type Fact, type RewriteContext } from '../../../src/core/index.js';
import { parse, type TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { zodKinNamed } from '../../../transforms/sdk-v1-typescript/detect/zod.js';
import { migratePackages } from '../../../transforms/sdk-v1-typescript/rewrite/package.js';

/** What the rewriter makes of a package that is given as texts. */
export interface Migrated {
  readonly outcome: 'rewrite' | 'scaffold' | 'refuse';
  /** Texts by path, changed or not. */
  readonly texts: Readonly<Record<string, string>>;
  readonly needs: readonly { readonly name?: string; readonly range?: string; readonly remove?: boolean }[];
  readonly todo: readonly string[];
  readonly notes: readonly string[];
  /** Why it is refused. */
  readonly why: string;
}

const required = (file: string, name: string, range: string): Fact => ({ type: 'requirement', site: siteOf(file, [0], { start: 0, end: 0 }), name, range });

/** What the detector says of a manifest. */
const declared = (manifest = '{}'): readonly Fact[] =>
  Object.values(JSON.parse(manifest) as Record<string, unknown>).flatMap((entries) =>
    typeof entries === 'object' && entries !== null
      ? Object.entries(entries).flatMap(([name, range]) => (name.includes('zod') ? [required('package.json', name, String(range))] : []))
      : [],
  );

const imported = (file: TypeScriptFile): readonly Fact[] => zodKinNamed(file).map(({ name }) => required(file.path, name, '*'));

/** Runs the rewriter alone, without the engine: one package at the root. */
export function migrated(texts: Readonly<Record<string, string>>): Migrated {
  const files = new Map<string, TypeScriptFile>();
  for (const [path, text] of Object.entries(texts)) {
    if (!/\.[cm]?[jt]sx?$/.test(path)) continue;
    const { file, problem } = parse(path, text);
    if (!file) throw new Error(`${path}: ${problem.reason}`);
    files.set(path, file);
  }
  const context: RewriteContext = {
    options: { legacy: 'auto', sunset: undefined, owner: undefined },
    inventory: { packages: [], endpoints: [], servers: [], clients: [], stores: [], legacyLane: [] },
    facts: [...declared(texts['package.json']), ...[...files.values()].flatMap(imported)],
    findings: [],
    endpoint: () => undefined,
    lane: () => undefined,
    text: (path) => texts[path],
    importersOf: () => [],
    filesOf: () => [...files.keys()],
    file: (_language, path) => files.get(path) as never,
    manifest: (path) => (texts[path] === undefined ? undefined : (JSON.parse(texts[path]) as Record<string, unknown>)),
    exists: (path) => path in texts,
  };
  const rewrite = migratePackages(context, ['.']);
  if (rewrite.outcome === 'refuse') return { outcome: 'refuse', texts, needs: [], todo: [], notes: [], why: rewrite.reason.why };
  const result: Record<string, string> = { ...texts };
  for (const change of rewrite.changes) if (change.kind === 'edit') result[change.file] = applyEdits(texts[change.file] ?? '', change.edits);
  return { outcome: rewrite.outcome, texts: result, needs: rewrite.needs as Migrated['needs'], todo: rewrite.todo, notes: rewrite.notes, why: '' };
}

/** The only file of a package, migrated. */
export const migratedText = (text: string, path = 'server.ts'): string => migrated({ [path]: text }).texts[path] ?? '';
