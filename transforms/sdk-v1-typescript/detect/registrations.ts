import { ts } from 'ts-morph';
import { type TypeScriptFile, eachNode, originOf } from '../../../src/languages/typescript/index.js';
import { canonical } from '../../_mcp/canonical.js';
import { methodOf } from '../../_mcp/sdk-table.js';
import { type Registration, registrationsOf, replacementOf, takenRegistrationsOf } from '../registrations.js';
import type { Say } from './typescript.js';

const certaintyOf = ({ receiver }: Registration): 'certain' | 'likely' | 'possible' =>
  receiver === 'sdk' ? 'certain' : receiver === 'likely' ? 'likely' : 'possible';

/** The file names v1, or no SDK at all (it is handed its server): a file on v2 has the new forms. */
const maybeV1 = (file: TypeScriptFile): boolean => file.text.includes('@modelcontextprotocol/sdk') || !file.text.includes('@modelcontextprotocol/');

/** Forms of registration that v2 does not have, and result schemas that it does not take. */
export function detectRegistrations(file: TypeScriptFile, say: Say): void {
  for (const registration of registrationsOf(file)) {
    const { call, name, form, receiver, schema } = registration;
    const [first] = call.arguments;
    if (receiver === 'other' || !first) continue;
    const certainty = certaintyOf(registration);
    if (form === 'schema' && schema !== undefined) {
      say('schema-first-handler', file.span(first), {
        certainty,
        data: { schema, registration: name, method: `${file.quote}${methodOf(schema) ?? ''}${file.quote}` },
      });
    } else if (form === 'opaque' && call.arguments.length === 2 && isSchema(first, file) && maybeV1(file)) {
      const certainty = receiver === 'sdk' ? 'certain' : 'likely';
      const known = ownSchemaOf(first, file);
      if (known === undefined) say('custom-method-handler', file.span(first), { certainty });
      else
        say('schema-first-handler', file.span(first), {
          certainty,
          data: { schema: `a schema of its own for ${known}`, registration: name, method: `${file.quote}${known}${file.quote}` },
        });
    } else if ((form === 'variadic' || form === 'annotations') && receiver !== 'unknown') {
      say('variadic-registration', file.span(call.expression.name), {
        certainty,
        data: { registration: name, replacement: replacementOf(name) },
      });
    }
  }
  for (const { call, name } of takenRegistrationsOf(file))
    if (maybeV1(file)) say('variadic-registration', file.span(call.expression), { data: { registration: name, replacement: replacementOf(name) } });
  eachNode(file.tree, (node) => {
    if (
      ts.isCallExpression(node) &&
      canonical(originOf(node.expression, file))?.name === 'completable' &&
      node.arguments[0] &&
      isOptional(node.arguments[0], file)
    ) {
      say('completable-nesting', file.span(node.arguments[0]));
    }
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    const method = node.expression.name.text;
    const second = node.arguments[1];
    if ((method !== 'request' && method !== 'callTool') || !second || !ts.isIdentifier(second)) return;
    const origin = originOf(second, file);
    const symbol = canonical(origin);
    if (symbol?.sdk !== 1 || !symbol.name.endsWith('Schema')) return;
    const literal = literalMethod(node.arguments[0]);
    if (method === 'request' && (literal === undefined || !SPEC_METHODS.has(literal))) return;
    say('result-schema-argument', file.span(second), { data: { schema: second.text, method } });
  });
}

/** The method of the specification that a schema written in place stands for: `z.object({ method: z.literal('completion/complete') })`. */
function ownSchemaOf(schema: ts.Expression, file: TypeScriptFile): string | undefined {
  const method = /^z\.object\(\{[^{}]*\bmethod:\s*z\.literal\(\s*['"`]([\w/]+)['"`]/.exec(file.textOf(schema))?.[1];
  return method !== undefined && SPEC_METHODS.has(method) ? method : undefined;
}

/** A chain with an optional wrapper anywhere: v2 looks under an outermost one only, and that must be around `completable()`. */
const isOptional = (node: ts.Expression, file: TypeScriptFile): boolean => ts.isCallExpression(node) && /\.(optional|nullish)\(\)/.test(file.textOf(node));

/** Requests of the specification, whose results v2 knows. Source: the methods that v1 has schemas for. */
const SPEC_METHODS: ReadonlySet<string> = new Set(
  [
    'CallTool',
    'ListTools',
    'ListPrompts',
    'GetPrompt',
    'ListResources',
    'ReadResource',
    'ListResourceTemplates',
    'Subscribe',
    'Unsubscribe',
    'CreateMessage',
    'Elicit',
    'SetLevel',
    'Ping',
    'Complete',
    'ListRoots',
    'Initialize',
  ].flatMap((name) => methodOf(`${name}RequestSchema`) ?? []),
);

function literalMethod(argument: ts.Expression | undefined): string | undefined {
  if (!argument || !ts.isObjectLiteralExpression(argument)) return undefined;
  for (const property of argument.properties) {
    if (ts.isPropertyAssignment(property) && ts.isIdentifier(property.name) && property.name.text === 'method' && ts.isStringLiteralLike(property.initializer))
      return property.initializer.text;
  }
  return undefined;
}

/** An argument that is a schema by its name or by what it is made of. */
const isSchema = (node: ts.Expression, file: TypeScriptFile): boolean =>
  (ts.isIdentifier(node) ? node.text : ts.isPropertyAccessExpression(node) ? node.name.text : '').endsWith('Schema') ||
  file.textOf(node).startsWith('z.object(');
