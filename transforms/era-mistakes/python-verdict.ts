import type { Report } from '../../src/core/index.js';
import { above, isFunction, type PyNode, type PythonFile } from '../../src/languages/python/index.js';
import { nodesOf } from '../_mcp/python/nodes.js';
import type { Kind } from './python.js';

const LEGACY = /^(?:["'](?:legacy|old|stateful|sessionful|handshake|2025-\d\d-\d\d|2024-11-05)["']|\w+\.(?:LEGACY|legacy))$/;
/** The function tells answers that say nothing from those of a legacy server. */
const CAREFUL = /\b(?:401|403|50\d)\b|[<>]=?\s*500\b|inconclusive|Timeout(?:Error|Exception)|ConnectError|is_server_error/i;
const SUCCESS = /\.(?:ok|is_success)\b|\bstatus(?:_code)?\s*(?:[!=]=\s*2\d\d|[<>]=?\s*[34]00)\b/;

/** Verdicts about the era of a server that outlive the function that made them: every failure is remembered as legacy. */
export function verdicts(file: PythonFile, report: Report<Kind>): void {
  if (!/discover/i.test(file.text) || !/legacy|stateful|sessionful|handshake|202[45]-/i.test(file.text)) return;
  for (const assignment of nodesOf(file, 'assignment')) {
    const target = assignment.get('left');
    const value = assignment.get('right');
    const fn = above(assignment, (node) => isFunction(node));
    if (!target || !value || !fn || (target.kind !== 'subscript' && target.kind !== 'attribute')) continue;
    const around = file.textOf(fn);
    if (!/discover/i.test(around) || CAREFUL.test(around)) continue;
    for (const verdict of guesses(value, fn))
      report.finding('verdict-kept', verdict, { group: 'verdict', certainty: 'likely', data: { name: file.textOf(verdict).replace(/["']/g, '') } });
  }

  /** Legacy verdicts of a value that follow from nothing but a failure. */
  function guesses(value: PyNode, fn: PyNode): readonly PyNode[] {
    if (value.kind === 'conditional_expression') {
      const [then, condition, otherwise] = value.children;
      const arms = [then, otherwise].filter((arm): arm is PyNode => arm !== undefined && LEGACY.test(file.textOf(arm)));
      return condition && SUCCESS.test(file.textOf(condition)) ? arms : [];
    }
    if (value.kind === 'identifier') {
      const name = file.textOf(value);
      return nodesOf(file, 'assignment').flatMap((other) => {
        const right = other.get('right');
        const own =
          other.start >= fn.start && other.end <= fn.end && other.get('left')?.kind === 'identifier' && file.textOf(other.get('left') ?? other) === name;
        return own && right && right.kind !== 'identifier' ? guesses(right, fn) : [];
      });
    }
    if (!LEGACY.test(file.textOf(value))) return [];
    const branch = above(value, (node) => node.kind === 'except_clause' || node.kind === 'if_statement' || isFunction(node));
    if (branch?.kind === 'except_clause') return [value];
    const condition = branch?.kind === 'if_statement' ? branch.get('condition') : undefined;
    return condition && SUCCESS.test(file.textOf(condition)) ? [value] : [];
  }
}
