import { ts } from 'ts-morph';
import type { TextEdit } from '../../../src/core/index.js';
import { pagesTodo, pageList } from '../../_hosts/entry/guards.js';
import type { HandlerLane } from './lane.js';
import type { Region } from './region.js';

/** Options of the shim: it guards both lanes on a loopback address, and only the modern one where the address is not known. */
export function shimGuards({ endpoint, file, served }: HandlerLane): {
  readonly options: string;
  readonly lines: readonly string[];
  readonly todo: readonly string[];
  readonly notes: readonly string[];
} {
  const whole = served.some(answersWhole);
  const own = whole ? ['maxSubscriptions: 0'] : [];
  const told = whole
    ? ['The platform takes each answer as a whole, so `subscriptions/listen`, whose answer has no end, is refused (`maxSubscriptions: 0`).']
    : [];
  const optionsOf = (...guards: readonly string[]): string => (guards.length + own.length === 0 ? '' : `, { ${[...guards, ...own].join(', ')} }`);
  if (endpoint.originPolicy.length > 0) return { options: optionsOf(), lines: [], todo: [], notes: told };
  if (endpoint.exposure === 'loopback')
    return {
      options: optionsOf('localOnly: true'),
      lines: [],
      todo: [],
      notes: ['Requests with a Host or Origin that is not this machine are answered 403 on this path, for both eras.', ...told],
    };
  return {
    options: optionsOf(`allowedOrigins: ${pageList(file)}`),
    lines: [`// TODO(unsession) session-transport/session-route: ${pagesTodo}`],
    todo: [pagesTodo],
    notes: told,
  };
}

/** A function that is called with an event and returns its answer; one that is handed a stream to write to can answer without an end. */
const answersWhole = ({ form, handlerNode }: HandlerLane['served'][number]): boolean =>
  form === 'event' && !(ts.isCallExpression(handlerNode.parent) && handlerNode.parent.expression.getText().includes('streamifyResponse'));

/** `async` in front of a function that waits from now on. */
export function asyncEdit(region: Region): readonly TextEdit[] {
  if (!region.makeAsync) return [];
  const start = region.fn.getStart(region.file.tree);
  const modifier = ts.isFunctionDeclaration(region.fn) || ts.isMethodDeclaration(region.fn) ? nameStart(region) : start;
  return [{ start: modifier, end: modifier, text: 'async ' }];
}

/** Where `async` stands in a declaration: in front of `function`, or of the name of a method. */
function nameStart({ fn, file }: Region): number {
  const keyword = fn.getChildren(file.tree).find((child) => child.kind === ts.SyntaxKind.FunctionKeyword);
  return keyword?.getStart(file.tree) ?? fn.name?.getStart(file.tree) ?? fn.getStart(file.tree);
}
