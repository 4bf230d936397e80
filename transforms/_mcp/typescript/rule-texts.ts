import { ts } from 'ts-morph';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { localFunction } from './effects.js';
import { calledMember, isFunctionNode, nameText, receiverOf, unwrap } from './nodes.js';

/** Members that only the record of a rule, a check or a lint message has. */
const OF_RULES =
  /^(?:severity|impact|why|because|explanation|rationale|remed(?:y|iation)|recommendations?|mitigation|suggest(?:ed)?_?fix|fix|how_?to_?fix|rule_?id|patterns?|reg_?ex(?:es|p)?|match(?:es|ers?)?|cwe|confidence|help_?ur[il]|doc_?ur[il]|doc_?links?|false_?positives?|evidence|send|expect(?:ed)?|before|after|next)$/i;
/** Members that such a record has beside them, and other records have too. */
const BESIDE = /^(?:id|name|title|label|what|message|summary|description|detail|category|kind|spec|examples?|references?|steps?|closes)$/i;

/** Names of lists that hold what is searched for in somebody's text. */
const SEARCHED =
  /^_?(?:literals|strong|weak|needles?|keywords?|indicators?|signatures?|signals?|markers?|patterns?|reg_?ex(?:es|ps?)?|tokens?|phrases?|terms|hints?)$|(?:_?PATTERNS?|Patterns?|_?KEYWORDS|Keywords|_?SIGNATURES|_?INDICATORS|_?NEEDLES|_?RULES|Rules)$/;

/** Names of values that are told to people: findings, notes, evidence of a check. */
const TOLD =
  /^(?:because|evidence|notes?|details?|reasons?|hints?|advice|remarks?|rationale|explanation|recommendation|findings?|docs?|help|usage|instructions?|lines|rows|label|caption)$/i;

/** Texts whose parts are code or configuration that is read, not a header or an error of a peer. */
const SOURCE_TEXT = /^(?:\w*(?:text|source|src|code|content|contents|line|lower|snippet|token|value|haystack|file|v|t|s))$/i;

/** A text that is a piece of program: the fixture of a codemod, the input of a test. JSON is none. */
const PROGRAM = /=>\s*[{(\w]|\b(?:const|let|var) \w+\s*=|\bthrow new \w|\breturn res\b|\bres(?:ponse)?\s*\.\s*\w+\(|\)\s*;|\b(?:import|export)\s[^'"]*\bfrom\b/;

/** Does a text hold code of a program? */
export const isProgramText = (text: string): boolean => PROGRAM.test(text);

/** Is an object the record of a rule: two members that only rules have, or one with three that they have beside them? */
function isRuleRecord(object: ts.ObjectLiteralExpression): boolean {
  let own = 0;
  let beside = 0;
  for (const property of object.properties) {
    const name = property.name === undefined ? undefined : nameText(property.name);
    if (name === undefined) continue;
    if (OF_RULES.test(name)) own++;
    else if (BESIDE.test(name)) beside++;
  }
  return own >= 2 || (own === 1 && beside >= 3);
}

/**
 * Is a text part of the record of a rule, or of a list of what is searched for? Linters, codemods, scanners and checklists keep the names of
 * headers and methods that way: nothing there uses a session. So do rows
 * of a test that hold the text of a program. A text inside of a function counts as code again.
 */
export function isRuleText(node: ts.Node): boolean {
  let depth = 0;
  for (let child = node, parent = node.parent; !ts.isSourceFile(parent) && depth < 14; child = parent, parent = parent.parent, depth++) {
    if (isFunctionNode(parent)) return false;
    if (ts.isObjectLiteralExpression(parent) && isRuleRecord(parent)) return true;
    // The name under which a record is kept: `'last-event-id': { what, why, next }`.
    if (ts.isPropertyAssignment(parent) && parent.name === child && ts.isObjectLiteralExpression(parent.initializer) && isRuleRecord(parent.initializer))
      return true;
    if ((ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) && parent.initializer === child && SEARCHED.test(nameText(parent.name) ?? ''))
      return true;
    if (ts.isArrayLiteralExpression(parent) && parent.elements.some((other) => ts.isStringLiteralLike(other) && isProgramText(other.text))) return true;
    if (ts.isVariableDeclaration(parent)) return ts.isIdentifier(parent.name) && SEARCHED.test(parent.name.text) && child !== node;
  }
  return false;
}

/** `source.includes('mcp-session-id')`, `line.startsWith(…)`: the text of a program or a document is searched, no message of a peer. */
export function isSearchedFor(node: ts.Node, file: TypeScriptFile): boolean {
  const call = node.parent;
  if (!ts.isCallExpression(call) || !/^(?:includes|indexOf|startsWith|endsWith|search|matchAll|split|replaceAll)$/.test(calledMember(call) ?? '')) return false;
  const receiver = receiverOf(call)?.getText(file.tree) ?? '';
  const last = receiver.slice(receiver.lastIndexOf('.') + 1).replace(/\(.*$/, '');
  return !/header|cors|vary|expos|allow/i.test(receiver) && (SOURCE_TEXT.test(last) || /^to(?:Lower|Upper)Case$/.test(last));
}

/** Is a text only told to people: the value of something called evidence, a note or a label, an argument of that name, or pushed onto such a list? */
export function isToldToPeople(node: ts.Node, file: TypeScriptFile): boolean {
  for (let child = node, parent = node.parent; !ts.isSourceFile(parent); child = parent, parent = parent.parent) {
    if (ts.isPropertyAssignment(parent)) return TOLD.test(nameText(parent.name) ?? '');
    if (ts.isVariableDeclaration(parent)) return ts.isIdentifier(parent.name) && TOLD.test(parent.name.text);
    if (ts.isCallExpression(parent) && parent.expression !== child) {
      const own = parent.arguments.indexOf(child as ts.Expression);
      const callee = unwrap(parent.expression);
      const told = ts.isIdentifier(callee) ? localFunction(callee, file)?.parameters[own] : undefined;
      if (told !== undefined) {
        if (ts.isIdentifier(told.name) && TOLD.test(told.name.text)) return true;
        continue;
      }
      const receiver = receiverOf(parent)?.getText(file.tree) ?? '';
      return calledMember(parent) === 'push' && TOLD.test(receiver.slice(receiver.lastIndexOf('.') + 1));
    }
    if (ts.isStatement(parent) || isFunctionNode(parent)) return false;
  }
  return false;
}
