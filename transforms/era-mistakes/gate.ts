import { ts } from 'ts-morph';
import { constantOf, instanceOrigin, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { canonical } from '../_mcp/canonical.js';
import { isFunctionNode, unwrap } from '../_mcp/typescript/nodes.js';
import { readOptions } from '../_mcp/typescript/options.js';
import { sdkName } from '../_mcp/typescript/sdk.js';
import { MODERN_REVISION } from '../_mcp/vocabulary.js';
import type { Say } from './typescript.js';

const CASES = /^(?:test|it|describe|suite|specify|scenario|context)$/;
/** Words by which a test says that it is about the new revision. */
const CLAIM = new RegExp(`${MODERN_REVISION}|\\bmodern\\b|\\bstateless\\b|new revision|new protocol|\\bv2 protocol`, 'i');
/** Signs that the outcome of the negotiation is looked at. */
const LOOKS =
  /getProtocolEra|getNegotiatedProtocolVersion|negotiatedProtocolVersion|protocolEra|protocolVersion\b|supportedVersions|server\/discover|\.discover\(|\bpin\b\s*:/;

/** A check that says it is about the new revision, with a client that is content with an older one. */
export function gate(node: ts.NewExpression, file: TypeScriptFile, say: Say): void {
  if (sdkName(unwrap(node.expression), file) !== 'Client' || canonical(instanceOrigin(node, file))?.sdk !== 2) return;
  const options = readOptions(node.arguments?.[1], file);
  const negotiation = readOptions(options.values.get('versionNegotiation'), file);
  if (!options.complete || !negotiation.complete) return;
  const given = negotiation.values.get('mode');
  const mode = given === undefined ? 'legacy' : constantOf(given, file);
  if (mode !== 'auto' && mode !== 'legacy') return;
  const scope = claimed(node, file);
  if (scope === undefined || LOOKS.test(scope.getText(file.tree))) return;
  say('gate-cannot-fail', negotiation.properties.get('mode') ?? node, {
    category: 'transport',
    evidence: [
      mode === 'auto'
        ? 'the client falls back to `initialize` without a word, and nothing asks which revision it ended with'
        : 'the client never asks for the new revision: without `versionNegotiation` it sends `initialize`',
    ],
  });
}

/** The test around a client whose title speaks of the new revision; the whole file where its name does, or where a helper makes the client of such tests. */
function claimed(node: ts.Node, file: TypeScriptFile): ts.Node | undefined {
  let inTest = false;
  for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent) {
    if (!isFunctionNode(at) || !ts.isCallExpression(at.parent)) continue;
    const call = at.parent;
    if (!CASES.test(rootOf(call.expression))) continue;
    const title = call.arguments[0] === undefined ? undefined : titleOf(call.arguments[0], file);
    if (title !== undefined && CLAIM.test(title)) return call;
    inTest = true;
  }
  if (CLAIM.test(file.path.split('/').at(-1) ?? '')) return file.tree;
  return inTest ? undefined : helperScope(file);
}

/** A client that is made outside of any test serves the tests of the file: all of them must speak of the new revision. */
function helperScope(file: TypeScriptFile): ts.Node | undefined {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(?:test|it)$/.test(rootOf(node.expression)) && node.arguments[0] !== undefined) {
      const title = titleOf(node.arguments[0], file);
      if (title !== undefined) titles.push(title);
    }
    ts.forEachChild(node, visit);
  };
  visit(file.tree);
  return titles.length > 0 && titles.every((title) => CLAIM.test(title)) ? file.tree : undefined;
}

const titleOf = (node: ts.Node, file: TypeScriptFile): string | undefined => {
  const constant = constantOf(node, file);
  return typeof constant === 'string' ? constant : ts.isTemplateExpression(unwrap(node)) ? node.getText(file.tree) : undefined;
};

/** `test` of `test(…)`, `test.only(…)`, `it.each([…])(…)`. */
function rootOf(node: ts.Node): string {
  let at = unwrap(node);
  while (!ts.isIdentifier(at)) {
    if (ts.isPropertyAccessExpression(at) || ts.isCallExpression(at)) at = unwrap(at.expression);
    else return '';
  }
  return at.text;
}
