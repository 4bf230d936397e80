import { ts } from 'ts-morph';
import { type TypeScriptFile, declarationOf } from '../../src/languages/typescript/index.js';
import { bare } from './nodes.js';

/** What stands between the name and the handler of `server.tool(…)` or `server.prompt(…)` of SDK v1. */
export interface ToolParts {
  readonly description?: ts.Expression;
  readonly schema?: ts.Expression;
  readonly annotations?: ts.Expression;
}

type Role = 'description' | 'schema' | 'annotations';

/** Source: `ToolAnnotations` of the SDK; v1 compares an object argument with these keys at run time. */
const ANNOTATION_KEYS: ReadonlySet<string> = new Set(['title', 'readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']);

/** Methods of texts and lists whose result is a text. */
const TEXT_METHODS: ReadonlySet<string> = new Set(['join', 'trim', 'trimStart', 'trimEnd', 'replace', 'replaceAll', 'concat', 'toString']);

/** How people name what they keep in a constant or in a table of tools; asked last. */
const NAMES: readonly (readonly [RegExp, Role])[] = [
  [/desc(ription)?s?$/i, 'description'],
  [/(annotations?|hints?)$/i, 'annotations'],
  [/(schema|shape|args|arguments|params|parameters|input)$/i, 'schema'],
];

/** A literal text, as the official codemod recognises a description. */
export const isText = (node: ts.Expression | undefined): boolean => node !== undefined && (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node));

function isAnnotations(node: ts.ObjectLiteralExpression): boolean {
  if (node.properties.length === 0) return false;
  return node.properties.every((property) => {
    if (!ts.isPropertyAssignment(property) || !(ts.isIdentifier(property.name) || ts.isStringLiteral(property.name))) return false;
    return (
      ANNOTATION_KEYS.has(property.name.text) &&
      (ts.isStringLiteralLike(property.initializer) || [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword].includes(property.initializer.kind))
    );
  });
}

/** What an argument is for, by its own form, by the constant that it names, or by its name; `undefined` when nothing tells. */
function roleOf(node: ts.Expression, file: TypeScriptFile, depth = 0): Role | undefined {
  const value = bare(node);
  if (isText(value) || ts.isTaggedTemplateExpression(value)) return 'description';
  if (ts.isBinaryExpression(value))
    return value.operatorToken.kind === ts.SyntaxKind.PlusToken && [value.left, value.right].some((side) => roleOf(side, file, depth) === 'description')
      ? 'description'
      : undefined;
  if (ts.isConditionalExpression(value)) {
    const role = roleOf(value.whenTrue, file, depth);
    return role === roleOf(value.whenFalse, file, depth) ? role : undefined;
  }
  if (ts.isObjectLiteralExpression(value)) return isAnnotations(value) ? 'annotations' : 'schema';
  if (ts.isCallExpression(value))
    return ts.isPropertyAccessExpression(value.expression) && TEXT_METHODS.has(value.expression.name.text) ? 'description' : undefined;
  if (ts.isPropertyAccessExpression(value)) return value.name.text === 'shape' ? 'schema' : byName(value.name.text);
  if (!ts.isIdentifier(value)) return undefined;
  const declared = declarationOf(value, file)?.node;
  if (declared !== undefined && (ts.isVariableDeclaration(declared) || ts.isParameter(declared))) {
    if (declared.type?.kind === ts.SyntaxKind.StringKeyword) return 'description';
    if (declared.type !== undefined && /\bToolAnnotations\b/.test(file.textOf(declared.type))) return 'annotations';
    const role = declared.initializer !== undefined && depth < 3 ? roleOf(declared.initializer, file, depth + 1) : undefined;
    if (role !== undefined) return role;
  }
  return byName(value.text);
}

const byName = (name: string): Role | undefined => NAMES.find(([pattern]) => pattern.test(name))?.[1];

/** Tells the arguments in the middle apart; `undefined` when they can be read in more than one way, which v1 decided at run time. */
export function partsOf(middle: readonly ts.Expression[], file: TypeScriptFile): ToolParts | undefined {
  const [first, second, third] = middle;
  if (first === undefined) return {};
  if (second === undefined) {
    const role = roleOf(first, file);
    return role && { [role]: first };
  }
  if (third !== undefined) return middle.length === 3 ? { description: first, schema: second, annotations: third } : undefined;
  const roles = [roleOf(first, file), roleOf(second, file)] as const;
  if (roles[0] === 'description' && roles[1] === 'annotations') return { description: first, annotations: second };
  if (roles[0] === 'schema') return { schema: first, annotations: second };
  // Behind a text in quotes people put a schema, whatever its name; behind other words nothing is known of a name that says nothing.
  return roles[1] === 'schema' || (roles[1] === undefined && isText(first)) ? { description: first, schema: second } : undefined;
}

/** How the official codemod reads them: whatever is no literal text is a schema. */
export function codemodParts(middle: readonly ts.Expression[]): ToolParts {
  const [first, second, third] = middle;
  if (first === undefined) return {};
  if (second === undefined) return isText(first) ? { description: first } : { schema: first };
  if (third !== undefined) return { description: first, schema: second, annotations: third };
  return isText(first) ? { description: first, schema: second } : { schema: first, annotations: second };
}

/** Are both readings of the same arguments the same? */
export const sameParts = (one: ToolParts, other: ToolParts): boolean =>
  one.description === other.description && one.schema === other.schema && one.annotations === other.annotations;
