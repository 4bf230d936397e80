import { ts } from 'ts-morph';
import type { FactOf } from '../../../src/core/index.js';
import { type TypeScriptFile, eachNode, symbolOf } from '../../../src/languages/typescript/index.js';
import { isFunctionNode, unwrap } from '../../_mcp/typescript/nodes.js';
import { type ExpressApp, appOf, assumedApp, positionRef } from './apps.js';
import { type Registration, fullPaths } from './registrations.js';

type KnownApp = Pick<FactOf<'app'>, 'site' | 'symbol' | 'root' | 'prefix'>;

/**
 * Names under which other files may meet an application: its own where it is built, the export that is built in place, and the
 * parameter of each function that it is handed to.
 */
export function knownApps(file: TypeScriptFile, all: readonly Registration[], has: (path: string) => boolean): readonly KnownApp[] {
  const found: KnownApp[] = [];
  const mentioned = /\bexpress\b|createMcpExpressApp/i.test(file.text);
  eachNode(file.tree, (node) => {
    if (ts.isVariableDeclaration(node) && mentioned && node.initializer !== undefined) {
      const app = appOf(node.name, file);
      if (app?.built === true) found.push(...places(app, file, node, all));
    } else if (ts.isExportAssignment(node) && mentioned) {
      const app = appOf(node.expression, file);
      if (app?.built === true && !ts.isIdentifier(unwrap(node.expression)))
        found.push({ site: file.site(node), symbol: { file: file.path, name: 'default' }, root: { file: file.path, name: 'default' } });
    } else if (ts.isCallExpression(node) || ts.isNewExpression(node)) found.push(...handedOn(node, file, has));
  });
  return found;
}

/** The application itself, or the places of a router that is mounted in this file. */
function places(app: ExpressApp, file: TypeScriptFile, node: ts.Node, all: readonly Registration[]): readonly KnownApp[] {
  const site = file.site(node);
  const mounts = all.filter(({ mounts: router }) => router?.symbol.name === app.symbol.name);
  if (mounts.length === 0) return [{ site, symbol: app.symbol, root: app.symbol }];
  return mounts.flatMap((mount) =>
    fullPaths(mount, all).map((prefix): KnownApp => ({ site, symbol: app.symbol, root: mount.app.symbol, ...(prefix === undefined ? {} : { prefix }) })),
  );
}

/** Of all that is handed on, only what is called like an application is followed without a proof in this file. */
const APP_NAME = /app|router|server|express|api|http/i;

/** `register(app)`, `new Controller(app)`, `controller.mount(app)`, `require('./routes')(app)`. */
function handedOn(call: ts.CallExpression | ts.NewExpression, file: TypeScriptFile, has: (path: string) => boolean): readonly KnownApp[] {
  return (call.arguments ?? []).flatMap((argument, index): readonly KnownApp[] => {
    const value = unwrap(argument);
    if (!ts.isIdentifier(value) && !ts.isPropertyAccessExpression(value)) return [];
    const app = appOf(value, file) ?? (ts.isIdentifier(value) && APP_NAME.test(value.text) ? assumedApp(value, file, has) : undefined);
    if (app === undefined) return [];
    const callee = unwrap(call.expression);
    const made = symbolOf(callee, file, has);
    const fn = made === undefined || !ts.isNewExpression(call) ? made : { file: made.file, name: `${made.name}.constructor` };
    return fn === undefined || isFunctionNode(callee) ? [] : [{ site: file.site(argument), symbol: positionRef(fn, index), root: app.symbol }];
  });
}
