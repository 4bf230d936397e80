import { ts } from 'ts-morph';
import { type TypeScriptFile, declarationOf, eachNode, importBindings, originOf, referencesOf } from '../../src/languages/typescript/index.js';
import { registrationsOf } from './registrations.js';

/** A use of zod that is not proved to mean the same in zod 4. */
export interface ZodProblem {
  readonly node: ts.Node;
  readonly why: string;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Members of `z` that mean the same in zod 3 and 4. Source: the migration guide of zod 4. */
const STATICS = words(`
  object string number boolean bigint date symbol undefined null void any unknown never literal enum nativeEnum union discriminatedUnion intersection tuple array
  set map lazy optional nullable preprocess custom instanceof coerce NEVER record strictObject
  infer input output TypeOf ZodType ZodTypeAny ZodSchema ZodRawShape ZodError ZodObject
`);

/** Methods and properties of a schema that mean the same in both. */
const METHODS = words(`
  optional nullable nullish array or and describe default catch refine superRefine transform pipe brand readonly parse safeParse parseAsync safeParseAsync
  shape extend merge pick omit partial required keyof strict strip passthrough catchall
  min max length email url uuid cuid cuid2 ulid regex includes startsWith endsWith datetime date time trim toLowerCase toUpperCase nonempty base64
  gt gte lt lte int positive negative nonnegative nonpositive multipleOf step finite
  options enum value element unwrap rest size exclude extract isOptional isNullable description innerType
`);

/** Names of `import { … } from 'zod'` that exist with the same meaning in both. */
const NAMES = words('z default * ZodType ZodTypeAny ZodSchema ZodRawShape ZodError ZodObject infer input output TypeOf');

const OLD_OPTIONS = words('invalid_type_error required_error errorMap');

const PARSES = words('parse safeParse parseAsync safeParseAsync');

const wrapped = (node: ts.Node): node is ts.Expression =>
  ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isNonNullExpression(node) || ts.isSatisfiesExpression(node);

/** True for specifiers under which zod 3 and zod 4 differ: the subpaths name their version. */
const isUnversioned = (specifier: string): boolean => specifier === 'zod';

/** Does the file take anything from zod, under any path? */
export const usesZod = (file: TypeScriptFile): boolean => importBindings(file).some(({ specifier }) => specifier === 'zod' || specifier.startsWith('zod/'));

/** Does the file take zod 3 by its versioned path? */
export const namesZod3 = (file: TypeScriptFile): boolean => importBindings(file).some(({ specifier }) => specifier === 'zod/v3');

class Proof {
  readonly problems: ZodProblem[] = [];
  readonly #seen = new Set<ts.Node>();
  readonly #schemaArguments: ReadonlySet<ts.Node>;

  constructor(readonly file: TypeScriptFile) {
    this.#schemaArguments = new Set(
      registrationsOf(file)
        .filter(({ receiver }) => receiver !== 'other')
        .map(({ call }) => call),
    );
  }

  fail(node: ts.Node, why: string): void {
    if (!this.problems.some((problem) => problem.node === node)) this.problems.push({ node, why });
  }

  /** A use of `z` itself, or of the whole module (`zod_1` of a compiler), whose member `z` is the same. */
  root(use: ts.Expression, isModule = false): void {
    const parent = use.parent;
    if (isModule && ts.isPropertyAccessExpression(parent) && parent.expression === use && (parent.name.text === 'z' || parent.name.text === 'default'))
      return this.root(parent, parent.name.text === 'default');
    if (ts.isExportSpecifier(parent)) return this.fail(use, '`z` is exported');
    if (ts.isQualifiedName(parent) && (parent.left as ts.Node) === use) {
      if (!STATICS.has(parent.right.text)) this.fail(parent, `\`z.${parent.right.text}\` differs between zod 3 and 4`);
      else if (parent.right.text === 'ZodObject' && ts.isTypeReferenceNode(parent.parent) && (parent.parent.typeArguments?.length ?? 0) > 1)
        this.fail(parent, '`ZodObject` has other type parameters in zod 4');
      return undefined;
    }
    if (!ts.isPropertyAccessExpression(parent) || parent.expression !== use) return this.fail(use, '`z` is used as a value');
    const member = parent.name.text;
    if (!STATICS.has(member)) return this.fail(parent, `\`z.${member}\` differs between zod 3 and 4`);
    if (member === 'any' || member === 'unknown') this.openKey(parent);
    if (member === 'coerce' && ts.isPropertyAccessExpression(parent.parent)) return this.chain(parent.parent);
    return this.chain(parent);
  }

  /** A key of `z.any()` may be missing in zod 3; zod 4 lists it as required. */
  openKey(member: ts.PropertyAccessExpression): void {
    let node: ts.Node = member;
    while (ts.isCallExpression(node.parent) || (ts.isPropertyAccessExpression(node.parent) && node.parent.expression === node)) {
      node = node.parent;
      if (ts.isPropertyAccessExpression(node) && ['optional', 'nullish', 'default', 'catch'].includes(node.name.text)) return;
    }
    if (ts.isPropertyAssignment(node.parent) && node.parent.initializer === node)
      this.fail(member, `a key of \`z.${member.name.text}()\` may be missing in zod 3 and is required in zod 4`);
  }

  /** Climbs a chain `z.string().min(1)…` from its first member, then looks where the schema goes. */
  chain(start: ts.Expression): void {
    let node: ts.Expression = start;
    for (;;) {
      const parent: ts.Node = node.parent;
      if (ts.isCallExpression(parent) && parent.expression === node) {
        this.callArguments(parent, node);
        node = parent;
      } else if (ts.isPropertyAccessExpression(parent) && parent.expression === node) {
        if (PARSES.has(parent.name.text)) return;
        if (!METHODS.has(parent.name.text)) return this.fail(parent, `\`.${parent.name.text}\` differs between zod 3 and 4`);
        node = parent;
      } else if (wrapped(parent)) node = parent;
      else break;
    }
    this.flow(node);
  }

  callArguments(call: ts.CallExpression, callee: ts.Expression): void {
    const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : '';
    if (name === 'record' && call.arguments.length < 2) this.fail(call, '`z.record()` needs the schema of the key in zod 4');
    if (
      (name === 'refine' || name === 'superRefine') &&
      call.arguments[1] &&
      (ts.isArrowFunction(call.arguments[1]) || ts.isFunctionExpression(call.arguments[1]))
    )
      this.fail(call, 'a function as second argument of `refine` is ignored in zod 4');
    if (name === 'default' && /\.(transform|pipe|preprocess)\(/.test(callee.getText(this.file.tree)))
      this.fail(call, '`.default()` behind a transformation takes the output type in zod 4');
    for (const argument of call.arguments) {
      if (!ts.isObjectLiteralExpression(argument)) continue;
      for (const property of argument.properties)
        if (property.name && ts.isIdentifier(property.name) && OLD_OPTIONS.has(property.name.text))
          this.fail(property, `the option \`${property.name.text}\` is gone in zod 4`);
    }
  }

  /** Where a finished schema goes: into another schema, a registration, or a name that is followed. */
  flow(node: ts.Expression): void {
    if (this.#seen.has(node)) return;
    this.#seen.add(node);
    const parent = node.parent;
    if (wrapped(parent)) return this.flow(parent);
    if (ts.isVariableDeclaration(parent) && parent.initializer === node) {
      if (!ts.isIdentifier(parent.name)) return undefined;
      const declaration = declarationOf(parent.name, this.file);
      if (declaration) for (const use of referencesOf(declaration, this.file)) this.use(use);
      return undefined;
    }
    if (
      ts.isPropertyAssignment(parent) ||
      ts.isShorthandPropertyAssignment(parent) ||
      ts.isSpreadAssignment(parent) ||
      ts.isSpreadElement(parent) ||
      ts.isArrayLiteralExpression(parent) ||
      ts.isConditionalExpression(parent)
    ) {
      let holder: ts.Node = parent;
      while (!ts.isExpression(holder)) holder = holder.parent;
      return this.flow(holder);
    }
    // `exports.schema = …` of a compiler is the `export const` of its source.
    if (
      ts.isBinaryExpression(parent) &&
      parent.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      parent.right === node &&
      /^(?:module\.)?exports\b/.test(parent.left.getText(this.file.tree))
    )
      return undefined;
    if (ts.isArrowFunction(parent) && parent.body === node) return undefined;
    if (ts.isCallExpression(parent) && parent.expression !== node) {
      if (this.#schemaArguments.has(parent) || this.isZodCall(parent) || this.isSdkCall(parent)) return undefined;
      const callee = parent.expression.getText(this.file.tree).replace(/\s+/g, ' ');
      // Compared as an object, whatever it means.
      if (/^expect\(.*\)(?:\.\w+)+$|^expect$/.test(callee)) return undefined;
      return this.fail(node, `the schema goes into \`${callee.length > 40 ? `${callee.slice(0, 39)}…` : callee}()\``);
    }
    if (ts.isExpressionStatement(parent) || ts.isVoidExpression(parent) || ts.isReturnStatement(parent) || ts.isExportAssignment(parent)) return undefined;
    if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword && parent.right === node)
      return this.fail(node, 'schemas are told apart by a class of zod 3');
    return this.fail(node, 'the schema goes where it cannot be followed');
  }

  /** One use of a name that holds a schema, or an object of schemas. */
  use(use: ts.Identifier): void {
    const parent = use.parent;
    if (ts.isTypeQueryNode(parent) || ts.isExportSpecifier(parent)) return;
    if (ts.isPropertyAccessExpression(parent) && parent.expression === use) {
      if (PARSES.has(parent.name.text)) return;
      // A member of an object of schemas is one of them; `_def` and the like are not.
      if (parent.name.text.startsWith('_')) return this.fail(parent, `\`.${parent.name.text}\` is internal to zod 3`);
      return this.chain(parent);
    }
    return this.flow(use);
  }

  isZodCall(call: ts.CallExpression): boolean {
    let node: ts.Expression = call.expression;
    while (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) node = node.expression;
    if (!ts.isIdentifier(node) || !ts.isPropertyAccessExpression(call.expression)) return false;
    const origin = originOf(node, this.file);
    if (origin && !origin.module.startsWith('.')) return origin.module === 'zod';
    return METHODS.has(call.expression.name.text);
  }

  isSdkCall(call: ts.CallExpression): boolean {
    const callee = call.expression;
    const name = ts.isIdentifier(callee) ? callee.text : undefined;
    return name !== undefined && importBindings(this.file).some((binding) => binding.local === name && binding.specifier.startsWith('@modelcontextprotocol/'));
  }
}

/**
 * Uses of unversioned zod in a file that are not proved to mean the same in zod 3 and 4. Empty means proved: every member, option and method is on
 * the list of what did not change, and every schema ends in another schema, a parse, a type or an SDK registration.
 */
export function zodProblems(file: TypeScriptFile): readonly ZodProblem[] {
  const proof = new Proof(file);
  let any = false;
  for (const binding of importBindings(file)) {
    if (!isUnversioned(binding.specifier)) continue;
    any = true;
    const declaration = file.bindings.root.values.get(binding.local) ?? file.bindings.root.types.get(binding.local);
    if (!declaration) continue;
    if (!NAMES.has(binding.name)) {
      proof.fail(declaration.node, `\`${binding.name}\` differs between zod 3 and 4`);
      continue;
    }
    if (binding.name === 'z' || binding.name === 'default' || binding.name === '*')
      for (const use of referencesOf(declaration, file)) proof.root(use, binding.name === '*');
  }
  if (!any) return [];
  eachNode(file.tree, (node) => {
    if (!ts.isPropertyAccessExpression(node) || !['errors', 'formErrors'].includes(node.name.text)) return;
    const subject = node.expression;
    const name = ts.isPropertyAccessExpression(subject) ? subject.name.text : ts.isIdentifier(subject) ? subject.text : '';
    if (/^(e|err|error|zodError|ex)$/i.test(name)) proof.fail(node, `\`.${node.name.text}\` of a ZodError is gone in zod 4; it is \`.issues\``);
  });
  return proof.problems;
}

/** Does a schema reach the SDK in this file: an argument schema, an output schema or a prompt schema of an `McpServer`? */
export const registersSchema = (file: TypeScriptFile): boolean =>
  registrationsOf(file).some((registration) => {
    if (registration.receiver === 'other' || registration.receiver === 'unknown') return false;
    if (registration.form === 'variadic') return registration.name !== 'resource' && registration.contextIndex !== 0;
    if (registration.form !== 'register') return false;
    const config = registration.call.arguments[1];
    if (!config || !ts.isObjectLiteralExpression(config)) return registration.name !== 'registerResource';
    return config.properties.some(
      (property) => !property.name || ['inputSchema', 'outputSchema', 'argsSchema'].includes(property.name.getText(file.tree).replace(/['"]/g, '')),
    );
  });
