import { ts } from 'ts-morph';
import { exportsOf, isFunctionNode, originOf, symbolOfDeclaration, unwrap } from '../../../src/languages/typescript/index.js';
import { hostOf, remembered } from '../emit.js';
import { type HostFile, NOTHING_SERVED, type Served } from '../served.js';

const TYPES = /(?:APIGatewayProxy(?:Event|Handler)(?:V2)?|LambdaFunctionURLEvent|ALBEvent|Handler)$/;

const read = remembered((file): HostFile => {
  if (!/aws-lambda|lambda|awslambda/i.test(file.text)) return NOTHING_SERVED;
  const served = exportsOf(file).flatMap(({ name, declaration }): readonly Served[] => {
    const node = declaration?.node;
    if (declaration === undefined || node === undefined || !/^(?:handler|lambdaHandler|main)$/.test(name)) return [];
    const value = ts.isVariableDeclaration(node) && node.initializer !== undefined ? unwrap(node.initializer) : node;
    const inner = ts.isCallExpression(value)
      ? value.arguments.map((argument) => unwrap(argument)).find(isFunctionNode)
      : isFunctionNode(value)
        ? value
        : undefined;
    if (inner === undefined) return [];
    const types = [ts.isVariableDeclaration(node) ? node.type : undefined, ...inner.parameters.map(({ type }) => type)];
    const typed = types.some((type) => type !== undefined && ts.isTypeReferenceNode(type) && isLambdaType(originOf(type.typeName, file)));
    const streamed = ts.isCallExpression(value) && value.expression.getText(file.tree).includes('streamifyResponse');
    if (!typed && !streamed) return [];
    return [
      {
        node: inner,
        verbs: ['ALL'],
        path: undefined,
        pathNode: undefined,
        app: undefined,
        handler: symbolOfDeclaration(declaration, file),
        handlerNode: inner,
        form: 'event',
        middleware: [],
        guards: [],
        parser: 'before',
      },
    ];
  });
  return { served, listens: [] };
});

const isLambdaType = (origin: { readonly module: string; readonly name: string } | undefined): boolean =>
  origin !== undefined && /^(?:@types\/)?aws-lambda$/.test(origin.module) && TYPES.test(origin.name);

/** What a module hands to AWS Lambda. */
export const lambdaFile = read;

/** Functions that AWS Lambda calls with an event, and that build a request from it. */
export const lambda = hostOf('lambda', 'AWS Lambda', ['aws-lambda', 'awslambda'], read);
