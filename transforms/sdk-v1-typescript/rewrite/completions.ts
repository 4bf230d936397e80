import { ts } from 'ts-morph';
import type { TextEdit } from '../../../src/core/index.js';
import { type TypeScriptFile, constantOf, declarationOf, originOf } from '../../../src/languages/typescript/index.js';
import { bare } from '../nodes.js';
import { registrationsOf } from '../registrations.js';
import type { Obstacle } from './bindings.js';

/** Completion handlers of servers that do not declare the capability. */
export interface Completions {
  readonly edits: readonly TextEdit[];
  readonly obstacles: readonly Obstacle[];
}

/**
 * SDK v2 throws for a `completion/complete` handler unless the server declares `completions`; early versions of v1 did not look. Where the capabilities
 * are written in place the declaration is added; where they come from elsewhere the server might not start, so the item is refused.
 */
export function repairCompletions(file: TypeScriptFile): Completions {
  const edits: TextEdit[] = [];
  const obstacles: Obstacle[] = [];
  const done = new Set<ts.Node>();
  for (const { call, name, receiver } of registrationsOf(file)) {
    const [first] = call.arguments;
    if (name !== 'setRequestHandler' || receiver === 'other' || first === undefined || !isCompletion(first, file) || isGuarded(call, file)) continue;
    const capabilities = capabilitiesOf(call.expression.expression, file);
    if (capabilities === undefined) {
      obstacles.push({
        file,
        node: call,
        why: 'A handler of `completion/complete` is registered on a server whose capabilities are not written in place; SDK v2 throws unless they declare `completions`.',
        next: 'Register it only where the capabilities declare `completions`, then run the migration again.',
      });
      continue;
    }
    const names = capabilities.properties.map((property) => property.name?.getText(file.tree).replace(/['"]/g, ''));
    if (names.includes('completions') || done.has(capabilities)) continue;
    done.add(capabilities);
    const last = capabilities.properties.at(-1);
    edits.push(
      last === undefined ? { ...file.span(capabilities), text: '{ completions: {} }' } : { start: last.end, end: last.end, text: ', completions: {}' },
    );
  }
  return { edits, obstacles };
}

/** The method in the spelling of v2, or the schema that v1 took for it. */
const isCompletion = (first: ts.Expression, file: TypeScriptFile): boolean => {
  const node = bare(first);
  const name = ts.isIdentifier(node) ? originOf(node, file)?.name : ts.isPropertyAccessExpression(node) ? node.name.text : undefined;
  return name === 'CompleteRequestSchema' || constantOf(node, file) === 'completion/complete';
};

/** Stands the registration below a condition that asks for the capability? */
function isGuarded(call: ts.Node, file: TypeScriptFile): boolean {
  for (let node: ts.Node = call; !ts.isSourceFile(node); node = node.parent)
    if (ts.isIfStatement(node.parent) && node.parent.thenStatement === node && /\bcompletions\b/.test(node.parent.expression.getText(file.tree))) return true;
  return false;
}

/** The literal in `new Server(info, { capabilities: { … } })` of the server that a handler is registered on. */
function capabilitiesOf(receiver: ts.Expression, file: TypeScriptFile): ts.ObjectLiteralExpression | undefined {
  let value = bare(receiver);
  if (ts.isPropertyAccessExpression(value) && value.name.text === 'server') value = bare(value.expression);
  const node = ts.isIdentifier(value) ? declarationOf(value, file)?.node : undefined;
  const made = node !== undefined && ts.isVariableDeclaration(node) && node.initializer !== undefined ? bare(node.initializer) : undefined;
  const options = made !== undefined && ts.isNewExpression(made) && made.arguments?.[1] !== undefined ? bare(made.arguments[1]) : undefined;
  if (options === undefined || !ts.isObjectLiteralExpression(options)) return undefined;
  for (const property of options.properties) {
    if (!ts.isPropertyAssignment(property) || property.name.getText(file.tree).replace(/['"]/g, '') !== 'capabilities') continue;
    const literal = bare(property.initializer);
    return ts.isObjectLiteralExpression(literal) && !literal.properties.some(ts.isSpreadAssignment) ? literal : undefined;
  }
  return undefined;
}
