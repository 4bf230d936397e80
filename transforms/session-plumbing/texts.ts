import { ts } from 'ts-morph';
import { constantOf, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { assertionAround } from '../_mcp/typescript/assertions.js';
import { calledMember, isFunctionNode, nameText, receiverOf, unwrap } from '../_mcp/typescript/nodes.js';
import { testCaseAround } from '../_mcp/typescript/tests.js';
import { isProgramText, isRuleText, isToldToPeople } from '../_mcp/typescript/rule-texts.js';

const TEXT =
  /\b(?:(?:no|invalid|unknown|missing|expired|bad|without(?: an?)?)\s(?:\w+\s){0,2}session(?:s|s?[ -]?ids?)?\b|session(?:[ -]?id)?\b[^'"`]{0,30}\b(?:not found|is required|required|expired|invalid|missing|unknown|terminated|does not exist|not initiali[sz]ed|already)|bad request: server not initiali[sz]ed|(?:needs?|requires?|wants?) a session\b|mcp-session-id\b[^'"`]{0,30}\b(?:required|missing|invalid|header (?:must|not|cannot)))/i;

const PRODUCT = /\b(?:oauth|login|cookie|chat|browser|user|auth(?:entication)?|web|ssh|terminal|debug|billing) session|\bsession context\b/i;

/** Nothing is wrong: a session is not needed, did not come into being, or a list of them is empty. */
const CALM =
  /\bno sessions?(?:[ -]?ids?)? (?:bleed|leak|(?:is|was|are|were) (?:issued|required|needed|kept|minted|stored|created))|\bno (?:\w+ )?sessions (?:were |was )?(?:found|yet|match)/i;
/** The id of a rule, a path or a module. */
const PATH = /^['"`][\w@.-]+(?:[/:][\w.-]+)+['"`]$/;
/** In characters: an expression that knows more than a few spellings reads documents, not the errors of a peer. */
const LONGEST_EXPRESSION = 160;
/** Words in front of the error: peers begin with it, explanations come to it. */
const LEAD = 9;

/** Does a text speak at length before it comes to sessions, where nothing throws or answers it? */
function isProse(node: ts.Node, text: string): boolean {
  const lead = text.slice(0, TEXT.exec(text)?.index ?? 0);
  if (lead.split(/\s+/).filter(Boolean).length < LEAD) return false;
  for (let child = node, parent = node.parent; !ts.isSourceFile(parent); child = parent, parent = parent.parent) {
    if (ts.isThrowStatement(parent) || (ts.isNewExpression(parent) && parent.expression !== child)) return false;
    if (ts.isCallExpression(parent) && parent.expression !== child && !/^(?:push|join|concat)$/.test(calledMember(parent) ?? '')) return false;
    if (ts.isPropertyAssignment(parent) && /message|error|reason|code/i.test(nameText(parent.name) ?? '')) return false;
    if (ts.isStatement(parent) || isFunctionNode(parent)) break;
  }
  return true;
}

/** A text about a missing, unknown or invalid session, outside of replies and logs of the server itself. */
export function errorText(node: ts.Node, file: TypeScriptFile): boolean {
  // What is put into a template is code: `${context.session.role}, required: admin` names no session.
  const text = node.getText(file.tree).replace(/\$\{[^{}]*\}/g, '…');
  if (text.length > 400 || !TEXT.test(text) || PRODUCT.test(text)) return false;
  if (/oauth|login/i.test(file.path) || CALM.test(text) || PATH.test(text) || isProgramText(text)) return false;
  if (ts.isRegularExpressionLiteral(node) && text.length > LONGEST_EXPRESSION) return false;
  if (isRuleText(node) || isToldToPeople(node, file) || isProse(node, text)) return false;
  if (isServedTitle(node, text)) return false;
  for (let child = node, parent = node.parent; ; child = parent, parent = parent.parent) {
    if (ts.isLiteralTypeNode(parent) || ts.isImportDeclaration(parent) || (ts.isExpressionStatement(parent) && parent.expression === node)) return false;
    if (ts.isPropertyAssignment(parent) && /^(?:id|description|title|help|summary|usage|label)$/i.test(nameText(parent.name) ?? '')) return false;
    if (ts.isCallExpression(parent) && parent.expression !== child) {
      if (assertionAround(node) !== undefined) return true;
      const receiver = receiverOf(parent);
      if (receiver !== undefined && /^(?:console|logger|log|winston|pino|debug)$|\blog(?:ger)?$/.test(receiver.getText(file.tree))) return false;
      // The transport's own concern reads replies where requests are dispatched.
      if (receiver !== undefined && /^(?:res|reply|response|c|ctx)\b/.test(receiver.getText(file.tree)) && /handleRequest|headers\[/.test(file.text))
        return false;
      if (/describe|option|^z$/.test(calledMember(parent) ?? '')) return false;
    }
    if (ts.isStatement(parent) || isFunctionNode(parent) || ts.isSourceFile(parent)) break;
  }
  return true;
}

/** The title of a test that pins no refusal: who calls without a session is served, or something else is looked at. */
const isServedTitle = (node: ts.Node, text: string): boolean =>
  ts.isCallExpression(node.parent) &&
  /^(?:test|it|describe)\b/.test(node.parent.expression.getText()) &&
  (!/reject|refus|handle|fail|throw|deny|denies|error|need|requir|[45]\d\d|unauthori|not allowed|invalid|lists no/i.test(text) ||
    /\bnot (?:to )?throw|\bwithout (?:an )?error/i.test(text));

/** `-32000` and `-32001` that a test expects or an error object carries beside a word about sessions. */
export function errorCode(node: ts.PrefixUnaryExpression, file: TypeScriptFile): string | undefined {
  const code = constantOf(node, file);
  if (code !== -32000 && code !== -32001) return undefined;
  const parent = node.parent;
  // The range is the server's own: a test that has nothing to do with sessions expects another error by it.
  const around = (testCaseAround(node) ?? file.tree).getText(file.tree);
  if (/resource|\btools?\b|prompt/i.test(around) && !/session|initiali[sz]/i.test(around)) return undefined;
  if (assertionAround(node) !== undefined) return String(code);
  if (ts.isCallExpression(parent) && /^expect|^assert/i.test(unwrap(parent.expression).getText(file.tree))) return String(code);
  if (
    ts.isPropertyAssignment(parent) &&
    nameText(parent.name) === 'code' &&
    /session/i.test(parent.parent.getText(file.tree)) &&
    /\.(?:test|spec)\.|tests?\//.test(file.path)
  )
    return String(code);
  return undefined;
}
