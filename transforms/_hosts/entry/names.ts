import { ts } from 'ts-morph';
import type { FunctionNode } from '../../../src/languages/typescript/index.js';

/** Names of request and response, then of the other parameters; decorated ones (`@Req() req`) may stand anywhere. */
export function requestNames(fn: FunctionNode): readonly (string | undefined)[] {
  const nameOf = ({ name }: ts.ParameterDeclaration): string | undefined => (ts.isIdentifier(name) ? name.text : undefined);
  const decorated = (wanted: RegExp): ts.ParameterDeclaration | undefined =>
    fn.parameters.find((parameter) => (ts.getDecorators(parameter) ?? []).some(({ expression }) => wanted.test(expression.getText())));
  if (!fn.parameters.some((parameter) => (ts.getDecorators(parameter) ?? []).length > 0)) return fn.parameters.map(nameOf);
  const [request, response] = [decorated(/^Req(?:uest)?\b/), decorated(/^Res(?:ponse)?\b/)];
  return [request && nameOf(request), response && nameOf(response), ...fn.parameters.filter((other) => other !== request && other !== response).map(nameOf)];
}
