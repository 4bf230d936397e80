import { ts } from 'ts-morph';
import type { FileChange, Rewrite, RewriteContext, TextEdit, WorkItem } from '../../src/core/index.js';
import { declarationOf, referencesOf } from '../../src/languages/typescript/index.js';
import { nodeAt, receiverOf, statementOf } from '../_mcp/typescript/nodes.js';

/** Builds the server where it is connected. Precondition: a factory call without arguments made it, and nothing else uses the object. */
export function rewrite(item: WorkItem, context: RewriteContext): Rewrite {
  const fingerprints = new Set(item.findings);
  const findings = context.findings.filter(({ fingerprint }) => fingerprints.has(fingerprint));
  const changes: FileChange[] = [];
  const refuse = (why: string, next: string): Rewrite => ({ outcome: 'refuse', reason: { why, next, sites: findings.map(({ site }) => site) } });
  for (const path of new Set(findings.map(({ site }) => site.file))) {
    const file = context.file('typescript', path);
    if (file === undefined) continue;
    const edits: TextEdit[] = [];
    for (const { site, data } of findings.filter((finding) => finding.site.file === path)) {
      const node = nodeAt(file, site.span);
      const server = node !== undefined && ts.isCallExpression(node) ? receiverOf(node) : node;
      if (server === undefined || !ts.isIdentifier(server) || typeof data['call'] !== 'string')
        return refuse('no factory exists that could be called for each request', String(data['advice']));
      const declaration = declarationOf(server, file);
      const uses = declaration === undefined ? [] : referencesOf(declaration, file);
      const places = new Set(findings.filter((finding) => finding.site.file === path).map((finding) => finding.site.span.start));
      const stray = uses.find(
        (use) => use !== server && ![...places].some((start) => use.getStart(file.tree) === start || use.parent.parent?.getStart(file.tree) === start),
      );
      if (stray !== undefined)
        return {
          outcome: 'refuse',
          reason: {
            why: `\`${server.text}\` is also used elsewhere`,
            next: 'Decide which server that place means, then build one per request.',
            sites: [file.site(stray)],
          },
        };
      edits.push({ start: server.getStart(file.tree), end: server.end, text: data['call'] });
      const statement = declaration === undefined ? undefined : statementOf(declaration.node);
      if (
        statement !== undefined &&
        ts.isVariableStatement(statement) &&
        statement.declarationList.declarations.length === 1 &&
        !edits.some(({ start }) => start === statement.getStart(file.tree))
      ) {
        // The line goes, and the blank line behind it when there is one in front.
        const start = statement.getStart(file.tree);
        const blank = /(?:^|\n)[ \t]*\r?\n[ \t]*$/.test(file.text.slice(0, start));
        const rest = (blank ? /^[ \t]*(?:\r?\n[ \t]*)*\r?\n/ : /^[ \t]*(?:\r?\n)?/).exec(file.text.slice(statement.end))?.[0] ?? '';
        edits.push({ start, end: statement.end + rest.length, text: '' });
      }
    }
    changes.push({ kind: 'edit', file: path, edits });
  }
  return { outcome: 'rewrite', changes, needs: [], todo: [], notes: ['Each request or session has a server of its own, so answers cannot cross.'] };
}
