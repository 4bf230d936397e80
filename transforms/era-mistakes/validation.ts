import { ts } from 'ts-morph';
import { eachNode, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { MODERN_REVISION } from '../_mcp/vocabulary.js';
import type { Say } from './typescript.js';

/** Checks of the standard headers against the body: which answer do they give? */
export function validations(file: TypeScriptFile, say: Say): void {
  if (!/mcp-method|mcp-name|mcp-protocol-version/i.test(file.text)) return;
  eachNode(file.tree, (node) => {
    if (!ts.isIfStatement(node)) return;
    const condition = node.expression.getText(file.tree);
    const then = node.thenStatement;
    const answer = then.getText(file.tree);
    if (!/-3\d{4}|\bstatus\b|\bcode\b/.test(answer) || !/!==?/.test(condition)) return;
    const compares = /mcp-(?:method|name)/i.test(condition) && /\bbody\b|params|message|\bmethod\b/.test(condition);
    if (compares && /-3\d{4}/.test(answer) && !/-32020|HEADER_MISMATCH|headerMismatch/i.test(answer)) say('mismatch-code', then);
    if (/mcp-name/i.test(condition) && /params\??\.name/.test(condition) && !/\.uri\b/.test(condition)) say('name-field', node.expression);
    if (
      /mcp-protocol-version/i.test(condition) &&
      condition.includes(MODERN_REVISION) &&
      /-3\d{4}/.test(answer) &&
      !/-32022|UNSUPPORTED|unsupportedVersion/i.test(answer)
    )
      say('version-code', then);
  });
}
