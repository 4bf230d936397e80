import { ts } from 'ts-morph';
import type { TextEdit } from '../../../src/core/index.js';
import { type TypeScriptFile, eachNode, originOf } from '../../../src/languages/typescript/index.js';
import { canonical } from '../../_mcp/canonical.js';

/** Capabilities that only a server has. Source: `ClientCapabilities` and `ServerCapabilities` of every revision up to 2026-07-28. */
const SERVER_ONLY: ReadonlySet<string> = new Set(['tools', 'prompts', 'resources', 'logging', 'completions']);

/** Keys that SDK v1 passed on without a meaning and SDK v2 does not compile. */
export interface Meaningless {
  readonly edits: readonly TextEdit[];
  /** What went, one a constructor, with the node of the text before. */
  readonly removed: readonly { readonly node: ts.Node; readonly what: string }[];
}

/**
 * `new Client(info, { capabilities: { tools: {} } })` and `new McpServer({ name, version, capabilities })`: v1 took any key there, v2 types them.
 * No revision gives them a meaning in that place, so they go. JavaScript is left alone, and so is a key with a comment.
 */
export function repairConstructors(file: TypeScriptFile): Meaningless {
  const edits: TextEdit[] = [];
  const removed: { node: ts.Node; what: string }[] = [];
  if (file.isJavaScript) return { edits, removed };
  eachNode(file.tree, (node) => {
    if (!ts.isNewExpression(node)) return;
    const name = canonical(originOf(node.expression, file))?.name;
    const [info, options] = node.arguments ?? [];
    const isServer = name === 'McpServer' || name === 'Server';
    const holder = isServer ? info : name === 'Client' ? valueOf(options, 'capabilities') : undefined;
    if (holder === undefined || !ts.isObjectLiteralExpression(holder)) return;
    const gone = holder.properties.filter((property) => {
      const key = property.name !== undefined && (ts.isIdentifier(property.name) || ts.isStringLiteral(property.name)) ? property.name.text : '';
      return isServer ? key === 'capabilities' : SERVER_ONLY.has(key);
    });
    if (gone.length === 0) return;
    const emptied = gone.length === holder.properties.length && !/\/[/*]/.test(file.textOf(holder));
    const own = emptied ? [{ ...file.span(holder), text: '{}' }] : gone.flatMap((property) => cutOut(property, holder, file) ?? []);
    if (!emptied && own.length !== gone.length) return;
    edits.push(...own);
    const keys = gone.map((property) => `\`${property.name?.getText(file.tree) ?? ''}\``).join(', ');
    removed.push({
      node,
      what: isServer
        ? `${keys} stood beside the name of the server, where nothing reads it; if it is meant, hand it over as second argument`
        : `${keys} of a client are capabilities of a server, which no server asks a client for`,
    });
  });
  return { edits, removed };
}

function valueOf(options: ts.Expression | undefined, key: string): ts.Expression | undefined {
  if (options === undefined || !ts.isObjectLiteralExpression(options)) return undefined;
  const property = options.properties.find((entry) => entry.name?.getText() === key);
  return property && ts.isPropertyAssignment(property) ? property.initializer : undefined;
}

/** Removes a property with its comma and the space in front of it; `undefined` where a comment would go along. */
function cutOut(property: ts.ObjectLiteralElementLike, holder: ts.ObjectLiteralExpression, file: TypeScriptFile): TextEdit | undefined {
  const rest = /^\s*,/.exec(file.text.slice(property.end, holder.end));
  const end = property.end + (rest?.[0].length ?? 0);
  const isCommented = /\/[/*]/.test(file.text.slice(property.pos, property.getStart(file.tree))) || /^[^\S\r\n]*\/[/*]/.test(file.text.slice(end, holder.end));
  return isCommented ? undefined : { start: property.pos, end, text: '' };
}

/** What went, for people; the lines are those of before. */
export const removedNote = (removed: readonly { readonly file: string; readonly line: number; readonly what: string }[]): string =>
  `SDK v2 does not compile keys that it does not know, so these are gone: ${removed.map(({ file, line, what }) => `${what} (${file}:${String(line)})`).join('; ')}.`;
