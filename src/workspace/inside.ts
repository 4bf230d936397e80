import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, sep } from 'node:path';

/** A path stays inside when it is relative and no folder on the way, nor the file itself, is a link. */
export function staysInside(root: string, file: string): boolean {
  if (isAbsolute(file) || file.split(/[\\/]/).includes('..')) return false;
  if (lstatSync(join(root, file), { throwIfNoEntry: false })?.isSymbolicLink()) return false;
  let folder = dirname(join(root, file));
  while (!existsSync(folder)) folder = dirname(folder);
  const real = realpathSync(folder);
  const top = realpathSync(root);
  return real === top || real.startsWith(top.endsWith(sep) ? top : top + sep);
}
