import { ts } from 'ts-morph';
import { constantOf, declarationOf, eachNode, referencesOf, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { isMcpMethod } from '../_mcp/methods.js';
import { nameText, wrapped } from '../_mcp/typescript/nodes.js';
import { expectedStatuses, testCaseAround } from '../_mcp/typescript/tests.js';

/** What a test says about requests without a session. */
export interface Demanded {
  readonly node: ts.Node;
  readonly status: number;
  readonly method: string;
}

/** Signs that the request of a test belongs to a session, to the new revision, or to a check of something else. */
const OTHER = /session[-_]?ids?\b|\b_meta\b|2026-07-28|mcp-method|authorization|\borigin\b|['"`]initialize['"`]|not json|malformed|\bbatch/i;

/** Titles of tests in which something else is wrong with the request: where it goes, what it carries, whom it asks for. */
const ELSEWHERE =
  /\b(?:url|path|route|endpoint|host|content[- ]?type|accept|pars\w+|schema|param(?:eter)?s?|arguments?|versions?|unknown (?:tool|method|resource)|non-?existent|disabled|tenant|organi[sz]ation)\b/i;

/** Tests in which a request of MCP without a session is refused with 400 or 404, by their assertion. */
export function demanded(file: TypeScriptFile): readonly Demanded[] {
  const found: Demanded[] = [];
  const look = (node: ts.PropertyAssignment, test: ts.CallExpression | undefined): void => {
    const method = constantOf(node.initializer, file);
    if (typeof method === 'string' && isMcpMethod(method) && !method.startsWith('notifications/')) judge(method, test);
  };
  const seen = new Set<ts.Node>();
  eachNode(file.tree, (node) => {
    if (!ts.isPropertyAssignment(node) || nameText(node.name) !== 'method') return;
    const test = testCaseAround(node);
    if (test !== undefined) look(node, test);
    else for (const use of usesOf(node.parent, file)) look(node, testCaseAround(use));
  });
  return found;

  function judge(method: string, test: ts.CallExpression | undefined): void {
    if (test === undefined || seen.has(test)) return;
    seen.add(test);
    const text = test.getText(file.tree);
    // The title may say what is missing; the request may not bring it.
    const title = text.slice(0, text.indexOf(','));
    const body = text.slice(text.indexOf(',') + 1);
    if (OTHER.test(body) || (ELSEWHERE.test(title) && !/session|initiali[sz]/i.test(title))) return;
    for (const { status, node: at } of expectedStatuses(test, file)) if (status === 400 || status === 404) found.push({ node: at, status, method });
  }
}

/** Where a message is sent that is declared once for several tests: `const LIST = { jsonrpc: '2.0', method: 'tools/list' }`. */
function usesOf(object: ts.Node, file: TypeScriptFile): readonly ts.Identifier[] {
  const holder = wrapped(object).parent;
  if (!ts.isVariableDeclaration(holder) || !ts.isIdentifier(holder.name)) return [];
  const declared = declarationOf(holder.name, file);
  return declared === undefined ? [] : referencesOf(declared, file);
}
