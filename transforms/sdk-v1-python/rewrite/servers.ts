import { type KeywordArgument, argumentsOf } from '../../../src/languages/python/index.js';
import type { Pass } from './pass.js';
import { type Construction, type Serving, TAKES, TRANSPORT, construction, serving } from './serving.js';
import { moveSettings } from './settings.js';
import { carryImports, isVisible, oneLine } from './visible.js';

/** Parameters of `FastMCP(...)` that may be given by position. Source: 1.28.1. */
const POSITIONAL = ['name', 'instructions', 'website_url', 'icons', 'auth_server_provider', 'token_verifier', 'event_store', 'retry_interval'];

/** Servers of all files: arguments of the constructor go where SDK 2.x wants them. */
export function moveServers(passes: readonly Pass[]): void {
  const constructions = passes.flatMap((pass) => pass.all('call').flatMap((call) => construction(pass, call) ?? []));
  if (constructions.length === 0) return;
  const symbols = new Set(constructions.flatMap((each) => [...each.symbols]));
  const servings = passes.flatMap((pass) => pass.all('call').flatMap((call) => serving(pass, call, symbols) ?? []));
  // What is set later wins over what the constructor was given.
  for (const pass of passes) moveSettings(pass, symbols, servings);
  for (const each of constructions) {
    const own = servings.filter(({ symbol }) => each.symbols.has(symbol));
    positions(each);
    transport(each, own);
  }
}

/** A second positional argument means another parameter in SDK 2.x, without an error. */
function positions({ pass, call }: Construction): void {
  const args = argumentsOf(call, pass.file);
  if (args.spread) {
    pass.mark('positional-argument', call, 'The order of the parameters is another one: give everything after the name by keyword.');
    return;
  }
  args.positional.forEach((value, index) => {
    const name = POSITIONAL[index];
    if (index > 0 && name !== undefined) pass.edits.insert(value.start, `${name}=`);
  });
  // The reported name was "FastMCP" then and is "mcp-server" now; the clients see it.
  if (
    args.positional.length === 0 &&
    args.keywords.length === 0 &&
    !args.splat &&
    args.node &&
    call.get('function')?.kind !== 'attribute' &&
    pass.text(call).endsWith('()')
  )
    pass.edits.insert(args.node.start + 1, '"FastMCP"');
}

function transport(each: Construction, servings: readonly Serving[]): void {
  const { pass, call } = each;
  const args = argumentsOf(call, pass.file);
  const mount = args.keyword('mount_path');
  if (mount) pass.mark('constructor-transport', mount.node, '`mount_path` is gone: mount the app under that path instead.');
  if (args.splat) pass.mark('constructor-transport', call, 'Transport options in `**` are refused by the constructor: give them to the call that serves.');
  const index = POSITIONAL.indexOf('event_store');
  if (args.positional.length > index) pass.mark('constructor-transport', call, '`event_store` and `retry_interval` belong to the call that serves.');
  const moving = args.keywords.filter(({ name }) => TRANSPORT.has(name));
  if (moving.length === 0) return;
  const problem = obstacle(each, servings, moving);
  if (problem !== undefined) {
    pass.mark(
      'constructor-transport',
      call,
      `${problem} Give ${moving.map(({ node }) => `\`${oneLine(pass.text(node))}\``).join(', ')} to the call that serves.`,
    );
    return;
  }
  for (const { pass: other, call: at, way } of servings) {
    if (way === undefined) continue;
    const given = new Set([
      ...argumentsOf(at, other.file).keywords.map(({ name }) => name),
      ...(other.appended.get(at) ?? []).map((text) => text.slice(0, text.indexOf('='))),
    ]);
    const own = moving.filter(({ name }) => TAKES[way].has(name) && !given.has(name));
    for (const { name, value } of own) other.append(at, `${name}=${pass.edits.textAfter(value)}`);
    for (const { value } of own) carryImports(pass, other, value);
  }
  if (args.node)
    pass.edits.removeArguments(
      args.node,
      moving.map(({ node }) => node),
    );
  const lost = moving.filter(({ name }) => servings.every(({ way }) => way === undefined || !TAKES[way].has(name)));
  if (lost.length > 0)
    pass.notes.add(`${pass.file.path}: ${lost.map(({ name }) => `\`${name}\``).join(', ')} had no effect on the way that the server is served, and is gone.`);
}

/** Why the keywords cannot be moved, in a sentence. */
function obstacle(each: Construction, servings: readonly Serving[], moving: readonly KeywordArgument[]): string | undefined {
  if (each.symbols.size === 0) return 'The constructor no longer takes transport options, and it is not clear what serves this object.';
  if (servings.length === 0) return 'The constructor no longer takes transport options, and no call that serves was found.';
  if (servings.some(({ way }) => way === undefined))
    return 'The constructor no longer takes transport options, and the transport is chosen while the program runs.';
  for (const { pass, call, way } of servings) {
    for (const { name, value } of moving) {
      if (way === undefined || !TAKES[way].has(name)) continue;
      if (!isVisible(each.pass, value, pass, call))
        return `The constructor no longer takes transport options, and \`${name}\` is not known where the server is served.`;
    }
  }
  return undefined;
}
