import { ts } from 'ts-morph';
import { constantOf, eachNode, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { isMcpMethod } from '../_mcp/methods.js';
import { nameText } from '../_mcp/typescript/nodes.js';
import { expectedStatuses, testCaseAround } from '../_mcp/typescript/tests.js';

/** What a test says about requests without a session. */
export interface Demanded {
  readonly node: ts.Node;
  readonly status: number;
  readonly method: string;
}

/** Signs that the request of a test belongs to a session, to the new revision, or to a check of something else. */
const OTHER = /mcp-session-id|sessionId\b|session_id|\b_meta\b|2026-07-28|mcp-method|authorization|\borigin\b|['"`]initialize['"`]|not json|malformed|\bbatch/i;

/** Tests in which a request of MCP without a session is refused with 400 or 404, by their assertion. */
export function demanded(file: TypeScriptFile): readonly Demanded[] {
  const found: Demanded[] = [];
  const seen = new Set<ts.Node>();
  eachNode(file.tree, (node) => {
    if (!ts.isPropertyAssignment(node) || nameText(node.name) !== 'method') return;
    const method = constantOf(node.initializer, file);
    if (typeof method !== 'string' || !isMcpMethod(method) || method.startsWith('notifications/')) return;
    const test = testCaseAround(node);
    if (test === undefined || seen.has(test)) return;
    seen.add(test);
    const text = test.getText(file.tree);
    // The title may say what is missing; the request may not bring it.
    const body = text.slice(text.indexOf(',') + 1);
    if (OTHER.test(body)) return;
    for (const { status, node: at } of expectedStatuses(test, file)) if (status === 400 || status === 404) found.push({ node: at, status, method });
  });
  return found;
}
