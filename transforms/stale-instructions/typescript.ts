import { ts } from 'ts-morph';
import type { Detector } from '../../src/core/index.js';
import type { Kind } from './text.js';

/** Names under which a program keeps texts that people read. */
const TEXTS = /readme|docs?$|^docs?|help|usage|guide|instructions?|tutorial|quick_?start|banner|welcome/i;
/** Lines that readers copy: a command with the header, a message with the handshake. */
const TAUGHT = /-H\s*\\?['"]mcp-session-id:|\bcurl\b[^]*\bmcp-session-id\b/i;

/** Texts in code that show the session handshake to people: a README that is served, the help of a command. Fixtures and rule texts are kept under other names. */
export const typescript: Detector<'typescript', Kind> = (file, report) => {
  const look = (node: ts.StringLiteralLike | ts.TemplateExpression): void => {
    const text = node.getText(file.tree);
    if (text.length < 40 || !TAUGHT.test(text)) return;
    const holder = holderOf(node);
    if (holder === undefined || !TEXTS.test(holder)) return;
    report.finding('embedded-text', file.span(node), {
      group: 'embedded',
      certainty: 'likely',
      evidence: [`it is kept as \`${holder}\``],
      data: { words: 'Mcp-Session-Id' },
    });
  };
  return { StringLiteral: look, NoSubstitutionTemplateLiteral: look, TemplateExpression: look };
};

/** Name of the constant, member or field that a text is the value of. */
function holderOf(node: ts.Node): string | undefined {
  const parent = node.parent;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) return parent.name.getText();
  return undefined;
}
