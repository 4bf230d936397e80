import { ts } from 'ts-morph';
import type { Need, RewriteContext, TextEdit } from '../../../src/core/index.js';
import { type FunctionNode, type TypeScriptFile, eachNode } from '../../../src/languages/typescript/index.js';
import { insertAbove, insertInFront } from '../../_mcp/typescript/emit/edits.js';
import { freeName } from '../../_mcp/typescript/emit/names.js';
import { DEPRECATION, sunsetOf } from '../../_mcp/typescript/emit/removal.js';
import { isFunctionNode, statementOf } from '../../_mcp/typescript/nodes.js';
import type { Registration } from '../express/index.js';
import type { RequestForm } from '../served.js';
import { dialectOf, nodePair } from './dialect.js';
import { requestNames } from './names.js';

/** Edits of one file. */
export interface FileEdits {
  readonly file: TypeScriptFile;
  readonly edits: readonly TextEdit[];
}

/** A call around text: its two insertions, because others may stand between them at the same place. */
interface Wrapping {
  readonly opening: readonly TextEdit[];
  readonly closing: readonly TextEdit[];
}

/** Hands all that code returns to `announce`: each `return` of the nodes, or the lone expression. */
export function announceReturns(nodes: readonly ts.Node[], announce: string, file: TypeScriptFile): Wrapping {
  const answers: ts.Expression[] = [];
  for (const node of nodes) {
    if (!ts.isStatement(node)) answers.push(node as ts.Expression);
    else
      eachNode(node, (inner) => {
        if (ts.isReturnStatement(inner) && inner.expression !== undefined) answers.push(inner.expression);
        return !isFunctionNode(inner) && !ts.isClassLike(inner);
      });
  }
  const insert = (at: number, text: string): TextEdit => ({ start: at, end: at, text });
  return {
    opening: answers.map((answer) => insert(answer.getStart(file.tree), `${announce}(`)),
    closing: answers.map((answer) => insert(answer.end, ')')),
  };
}

/** The code that serves the old path alone: statements, or the lone expression of an arrow function. */
export interface OldCode {
  readonly file: TypeScriptFile;
  readonly nodes: readonly ts.Node[];
  /** Names of the parameters that carry the request. */
  readonly names: readonly (string | undefined)[];
}

/** The code of a handler. */
export function codeOf(fn: FunctionNode, file: TypeScriptFile): OldCode {
  return { file, nodes: fn.body === undefined ? [] : [fn.body], names: requestNames(fn) };
}

/** The statements of a block that stands alone. */
const opened = (nodes: readonly ts.Node[]): readonly ts.Node[] =>
  nodes.length === 1 && nodes[0] !== undefined && ts.isBlock(nodes[0]) ? [...nodes[0].statements] : nodes;

/**
 * `Deprecation` and `Sunset` on all answers of old code, once the team has named the day: set before a handler of Node answers, added to what
 * a handler returns elsewhere.
 */
export function announceInCode(codes: readonly OldCode[], form: RequestForm, context: RewriteContext): readonly FileEdits[] {
  const sunset = sunsetOf(context);
  if (sunset === undefined) return [];
  const files = [...new Map(codes.map(({ file }) => [file.path, file])).values()];
  return files.map((file) => {
    const own = codes.filter((code) => code.file.path === file.path);
    if (dialectOf(form).family !== 'web') return { file, edits: own.flatMap((code) => announceAhead(code, form, sunset)) };
    const name = freeName('announceRemoval', file);
    const edits = own.flatMap(({ nodes }) => {
      const { opening, closing } = announceReturns(opened(nodes), name, file);
      return [...opening, ...closing];
    });
    const top = file.tree.statements.find((statement) => edits.some(({ start }) => statement.pos <= start && start < statement.end));
    return { file, edits: top === undefined ? [] : [insertAbove(top, announcing(name, sunset, file), file), ...edits] };
  });
}

function announceAhead({ file, nodes, names }: OldCode, form: RequestForm, sunset: string): readonly TextEdit[] {
  const { quote } = file;
  const [, response] = nodePair({ file, form, names, body: { parsed: undefined, options: [] } });
  const set = (name: string, value: string): string => `${response}.setHeader(${quote}${name}${quote}, ${quote}${value}${quote});`;
  return insertInFront(opened(nodes), [set('Deprecation', DEPRECATION), set('Sunset', sunset)], file);
}

/** The function that adds the headers to a response. */
function announcing(name: string, sunset: string, file: TypeScriptFile): readonly string[] {
  const { quote, indentUnit: unit } = file;
  const typed = !file.isJavaScript;
  return [
    '/** Answers of the old path, with the day on which it goes (RFC 9745, RFC 8594). */',
    typed ? `async function ${name}<Answer>(answer: Answer): Promise<Awaited<Answer>> {` : `async function ${name}(answer) {`,
    `${unit}const response = await answer;`,
    `${unit}if (!(response instanceof Response)) return response;`,
    `${unit}const announced = new Response(response.body, response);`,
    `${unit}announced.headers.set(${quote}Deprecation${quote}, ${quote}${DEPRECATION}${quote});`,
    `${unit}announced.headers.set(${quote}Sunset${quote}, ${quote}${sunset}${quote});`,
    `${unit}return announced${typed ? ' as typeof response' : ''};`,
    '}',
    '',
  ];
}

/** The same for routes of Express that are registered side by side, in the order of the text, as middleware of each. Nothing without a date. */
export function announceRoutes(
  routes: readonly Registration[],
  file: TypeScriptFile,
  context: RewriteContext,
): { readonly edits: readonly TextEdit[]; readonly needs: readonly Need[] } {
  const sunset = sunsetOf(context);
  const first = routes[0] === undefined ? undefined : statementOf(routes[0].call);
  if (sunset === undefined || first === undefined) return { edits: [], needs: [] };
  const name = freeName('announceRemoval', file);
  const { quote, indentUnit: unit } = file;
  const typed = !file.isJavaScript;
  const lines = [
    '/** Tells clients of the old path the day on which it goes (RFC 9745, RFC 8594). */',
    `const ${name}${typed ? ': RequestHandler' : ''} = (_req, res, next) => {`,
    `${unit}res.set(${quote}Deprecation${quote}, ${quote}${DEPRECATION}${quote}).set(${quote}Sunset${quote}, ${quote}${sunset}${quote});`,
    `${unit}next();`,
    '};',
    '',
  ];
  // In front of guards and parsers too: their answers are answers of the old path.
  const handlers = routes.flatMap(({ handler, middleware }) =>
    handler === undefined ? [] : [Math.min(...[handler, ...middleware].map(({ node }) => node.getStart(file.tree)))],
  );
  return {
    edits: [insertAbove(first, lines, file), ...handlers.map((start) => ({ start, end: start, text: `${name}, ` }))],
    needs: typed ? [{ kind: 'import', file: file.path, module: 'express', name: 'RequestHandler', typeOnly: true }] : [],
  };
}
