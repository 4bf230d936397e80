import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import type { Served } from '../served.js';
import { besideBranch } from './branch.js';
import { besideMethod } from './method.js';
import { type Beside, type NoBeside } from './model.js';
import type { Rename } from './path.js';
import { besideFile } from './route-file.js';
import { besideRoute } from './route.js';

export type { Beside, NewRoute, NoBeside } from './model.js';
export { localToFile } from './route-file.js';

/**
 * The place of a new endpoint beside the routes of an old one. `served` are the registrations of the old path in one file, all of one host;
 * `rename` turns the old path into the new one.
 */
export function besideOf(host: string, served: readonly Served[], file: TypeScriptFile, rename: Rename, has: (path: string) => boolean): Beside | NoBeside {
  const [first] = served;
  if (host === 'nextjs') return besideFile(served, file, rename, has);
  if (host === 'nestjs') return besideMethod(served, file, rename);
  return first?.pathNode === undefined && first !== undefined ? besideBranch(first, file, rename) : besideRoute(served, file, rename);
}
