import { ts } from 'ts-morph';
import { eachNode, enclosingFunction, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { ancestor } from '../_mcp/typescript/nodes.js';
import { MODERN_REVISION } from '../_mcp/vocabulary.js';
import type { Say } from './typescript.js';

/** Checks of the standard headers against the body: which answer do they give? */
export function validations(file: TypeScriptFile, say: Say): void {
  if (!/mcp-method|mcp-name|mcp-protocol-version/i.test(file.text)) return;
  const told = new Set<ts.Node>();
  eachNode(file.tree, (node) => {
    if (!ts.isIfStatement(node)) return;
    const condition = node.expression.getText(file.tree);
    const then = node.thenStatement;
    const answer = then.getText(file.tree);
    if (!/-3\d{4}|\bstatus\b|\bcode\b/.test(answer) || !/!==?/.test(condition)) return;
    const compares = /mcp-(?:method|name)/i.test(condition) && /\bbody\b|params|message|\bmethod\b/.test(condition);
    if (compares && /-3\d{4}/.test(answer) && !/-32020|HEADER_MISMATCH|headerMismatch/i.test(answer)) say('mismatch-code', then);
    if (compares && !exempt(node, condition, file)) {
      const fn = enclosingFunction(node) ?? file.tree;
      if (!told.has(fn)) say('no-legacy-exemption', node.expression, { data: { name: condition.replace(/\s+/g, ' ').slice(0, 70) } });
      told.add(fn);
    }
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

/**
 * Is a check made for modern requests only? Its own condition asks for the presence of the header (`name && name !== …`), or something before or
 * around it tells the eras apart.
 */
function exempt(node: ts.IfStatement, condition: string, file: TypeScriptFile): boolean {
  const present =
    /^\s*\(?\s*(?:\w+(?:\.\w+)*\.(?:get|has)\(\s*['"`]mcp-(?:method|name)['"`]\s*\)|\w*(?:method|name)\w*)\s*&&/i.test(condition) ||
    /!==?\s*(?:undefined|null)\b/.test(condition);
  if (present) return true;
  const fn = enclosingFunction(node);
  const before = file.text.slice(fn?.pos ?? 0, node.pos);
  return (
    /legacy|modern|\bera\b|_meta\b|isInitialize|mcp-session-id|2025-|2024-/i.test(before) ||
    (/mcp-protocol-version/i.test(before) && /\breturn\b/.test(before)) ||
    ancestor(
      node,
      (outer): outer is ts.IfStatement =>
        ts.isIfStatement(outer) && /legacy|modern|\bera\b|_meta\b|mcp-protocol-version|2026-07-28/i.test(outer.expression.getText(file.tree)),
    ) !== undefined
  );
}
