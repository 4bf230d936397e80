import { ts } from 'ts-morph';
import type { FunctionNode } from '../../../src/languages/typescript/index.js';
import { nameText } from '../../_mcp/typescript/nodes.js';
import type { RequestForm } from '../served.js';

/**
 * Names of request and response, then of the other parameters; decorated ones (`@Req() req`) may stand anywhere. Elysia hands over one context:
 * the name is how the handler says its request, `request` or `ctx.request`.
 */
export function requestNames(fn: FunctionNode, form?: RequestForm): readonly (string | undefined)[] {
  if (form === 'elysia') return [contextRequest(fn)];
  const nameOf = ({ name }: ts.ParameterDeclaration): string | undefined => (ts.isIdentifier(name) ? name.text : undefined);
  const decorated = (wanted: RegExp): ts.ParameterDeclaration | undefined =>
    fn.parameters.find((parameter) => (ts.getDecorators(parameter) ?? []).some(({ expression }) => wanted.test(expression.getText())));
  if (!fn.parameters.some((parameter) => (ts.getDecorators(parameter) ?? []).length > 0)) return fn.parameters.map(nameOf);
  const [request, response] = [decorated(/^Req(?:uest)?\b/), decorated(/^Res(?:ponse)?\b/)];
  return [request && nameOf(request), response && nameOf(response), ...fn.parameters.filter((other) => other !== request && other !== response).map(nameOf)];
}

/** Names that the entry brings into a handler. */
const EMITTED = ['answer', 'mcp', 'modern', 'refused'];

/**
 * `({ request }) => …`, `({ request: incoming }) => …`, `(ctx) => …`; nothing when the rest of the context has a name too. Elysia searches the text
 * of a handler for `return ctx` to tell whether it needs the body: a name with which an emitted name begins would make it read the body first.
 */
function contextRequest({ parameters: [context] }: FunctionNode): string | undefined {
  if (context === undefined) return undefined;
  if (ts.isIdentifier(context.name)) {
    const { text } = context.name;
    return EMITTED.some((name) => name.startsWith(text)) ? undefined : `${text}.request`;
  }
  if (!ts.isObjectBindingPattern(context.name) || context.name.elements.some(({ dotDotDotToken }) => dotDotDotToken !== undefined)) return undefined;
  const element = context.name.elements.find(({ name, propertyName }) => nameText(propertyName ?? name) === 'request');
  return element !== undefined && ts.isIdentifier(element.name) ? element.name.text : undefined;
}
