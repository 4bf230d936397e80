import { ts } from 'ts-morph';
import type { FactSource } from '../../../../src/core/index.js';
import { constantOf, originOf, type TypeScriptFile } from '../../../../src/languages/typescript/index.js';
import { isMcpMethod } from '../../methods.js';
import { dialectOf } from '../dialect.js';
import { nameText } from '../nodes.js';
import { within } from './servers.js';

const EQUALITY: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);

/** Is a name or member the standard input of the process? */
const isStdin = (node: ts.Identifier | ts.PropertyAccessExpression, file: TypeScriptFile): boolean =>
  ts.isIdentifier(node)
    ? node.text === 'stdin' && !ts.isPropertyAccessExpression(node.parent) && /^(?:node:)?process$/.test(originOf(node, file)?.module ?? '')
    : node.name.text === 'stdin' && ts.isIdentifier(node.expression) && node.expression.text === 'process';

/** `transport`: servers without an SDK that read messages from standard input and tell `initialize` and the methods of MCP apart. */
export const handMadeStdio: FactSource = {
  id: 'hand-made-stdio',
  literals: { strong: [], weak: ['initialize'] },
  detect: {
    typescript: (file, report) => {
      if (!file.text.includes('stdin') || !file.text.includes('initialize') || file.text.includes('StdioServerTransport') || dialectOf(file).implementation)
        return {};
      const told = new Set<string>();
      let input: ts.Node | undefined;
      const tell = (node: ts.Expression): void => {
        const text = constantOf(node, file);
        if (typeof text === 'string') told.add(text);
      };
      const entry = (node: ts.PropertyAssignment | ts.MethodDeclaration): void => {
        const name = nameText(node.name);
        if (name !== undefined && ts.isObjectLiteralExpression(node.parent)) told.add(name);
      };
      return {
        BinaryExpression(node) {
          if (!EQUALITY.has(node.operatorToken.kind)) return;
          tell(node.left);
          tell(node.right);
        },
        CaseClause(node) {
          tell(node.expression);
        },
        PropertyAssignment(node) {
          if (!ts.isStringLiteralLike(node.initializer)) entry(node);
        },
        MethodDeclaration: entry,
        PropertyAccessExpression(node) {
          if (isStdin(node, file)) input ??= node;
        },
        Identifier(node) {
          if (!ts.isImportSpecifier(node.parent) && isStdin(node, file)) input ??= node;
        },
        end() {
          if (input === undefined || !told.has('initialize') || ![...told].some((method) => isMcpMethod(method) && !method.startsWith('notifications/')))
            return;
          report.fact({
            type: 'transport',
            site: file.site(input),
            ...within(input, file),
            kind: 'stdio',
            className: 'process.stdin',
            sessions: 'none',
            jsonResponse: 'off',
            eventStore: false,
            hooks: [],
          });
        },
      };
    },
  },
};
