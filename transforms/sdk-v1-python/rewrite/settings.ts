import { argumentsOf, dependencies, enclosingFunction, type PyNode, statementOf } from '../../../src/languages/python/index.js';
import type { Pass } from './pass.js';
import { type Serving, serverKey, TAKES, TRANSPORT } from './serving.js';
import { removeStatement } from './statements.js';
import { isVisible, oneLine } from './visible.js';

/** `server.settings.port = 1`: SDK 2.x refuses it, so the value goes to the one call that serves. */
export function moveSettings(pass: Pass, symbols: ReadonlySet<string>, servings: readonly Serving[]): void {
  for (const assignment of pass.all('assignment')) {
    const left = assignment.get('left');
    const value = assignment.get('right');
    const name = left?.kind === 'attribute' ? left.get('attribute') : undefined;
    const holder = left?.get('object');
    const object = holder?.kind === 'attribute' && pass.text(holder.get('attribute') ?? holder) === 'settings' ? holder.get('object') : undefined;
    if (!name || !value || !object) continue;
    const setting = pass.text(name);
    const symbol = serverKey(pass, object, symbols);
    if (symbol === undefined || (!TRANSPORT.has(setting) && setting !== 'mount_path')) continue;
    const statement = statementOf(assignment);
    const own = servings.filter((each) => each.symbol === symbol);
    const takers = own.filter(({ pass: other, way }) => way !== undefined && TAKES[way].has(setting) && (other === pass || imports(other, pass)));
    const [only] = takers;
    const movable =
      only !== undefined &&
      takers.length === 1 &&
      own.every(({ way }) => way !== undefined) &&
      isVisible(pass, value, only.pass, only.call) &&
      comesFirst(statement, only, pass) &&
      argumentsOf(only.call, only.pass.file).keyword(setting) === undefined;
    if (!movable) {
      pass.mark(
        'settings-access',
        statement,
        `The settings no longer carry \`${setting}\`: give \`${setting}=${oneLine(pass.text(value))}\` to the call that serves.`,
      );
      continue;
    }
    only.pass.append(only.call, `${setting}=${pass.edits.textAfter(value)}`);
    removeStatement(pass, statement);
  }
}

/** True when one file imports the other: what the other does to a shared object happens before. */
const imports = (from: Pass, to: Pass): boolean => dependencies(from.file, (path) => from.project.has(path)).includes(to.file.path);

/** True when the statement always runs before the call: a block of it, or the module for a call inside of a function. */
function comesFirst(statement: PyNode, { pass, call }: Serving, from: Pass): boolean {
  const block = statement.parent;
  if (from !== pass) return block?.kind === 'module';
  if (block?.kind === 'module' && enclosingFunction(call)) return true;
  let at: PyNode | undefined = call;
  while (at && at.parent !== block) at = at.parent;
  return at !== undefined && at.start > statement.start && enclosingFunction(at) === enclosingFunction(statement);
}
