import { posix, join } from 'node:path';
import type { Proof, TypeReport } from '../core/index.js';
import { loadTypeCheck } from '../languages/index.js';
import { notInstalled } from '../workspace/index.js';
import type { Migrated, Start } from './migrate.js';

/** Comments with it mark a place for a person. */
const MARKER = 'TODO(unsession)';

/** The last proof, on request: no changed file brings a type error that the repository had not before. */
export async function proveTypes(start: Start, migrated: Migrated): Promise<Migrated> {
  const changed = new Map(migrated.total.paths().map((path) => [path, migrated.total.text(path)]));
  if (start.options.typecheck !== true || changed.size === 0) return migrated;
  const { compareTypes, hasTypes } = await loadTypeCheck();
  const missing = missingPackages(start, changed);
  const waits = (path: string): boolean => missing.some(({ folder }) => folder === '.' || path.startsWith(`${folder}/`));
  const ready = new Map([...changed].filter(([path]) => !waits(path)));
  const { checked, errors, left } = compareTypes(start.discovery.root, ready, MARKER);
  const waiting = [...changed.keys()].filter((path) => hasTypes(path) && waits(path));
  const names = [...new Set(missing.flatMap((entry) => entry.packages))].sort();
  const types: TypeReport = {
    errors,
    left: [...left, ...waiting.map((file) => ({ file, why: `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} not installed`, missing: names }))],
  };
  const proofs = migrated.proofs.map((proof): Proof =>
    checked.includes(proof.file) ? { ...proof, types: !errors.some((error) => error.file === proof.file) } : proof,
  );
  return { ...migrated, proofs, types };
}

/** What the changed manifests ask for and is not installed, by the folder of the manifest. */
function missingPackages({ discovery, disk }: Start, changed: ReadonlyMap<string, string | undefined>) {
  return [...changed].flatMap(([path, text]) => {
    if (text === undefined || posix.basename(path) !== 'package.json') return [];
    const folder = posix.dirname(path);
    const packages = notInstalled(join(discovery.root, folder), disk.text(path), text);
    return packages.length === 0 ? [] : [{ folder, packages }];
  });
}
