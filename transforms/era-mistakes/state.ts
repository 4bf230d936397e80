import { ts } from 'ts-morph';
import { declarationOf, eachNode, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import { dialectOf } from '../_mcp/typescript/dialect.js';
import { nameText, unwrap } from '../_mcp/typescript/nodes.js';
import { readOptions } from '../_mcp/typescript/options.js';
import { sdkName } from '../_mcp/typescript/sdk.js';
import type { Say } from './typescript.js';

/** A value that is only encoded. */
const ENCODED = /JSON\.stringify\(|\bbtoa\(|toString\(\s*['"`]base64/;
/** Words of a value that nobody can change unseen. */
export const PROTECTED = /hmac|\bsign|seal|encrypt|cipher|jwt|jwe|jws|codec|encode\(|fernet|\bmac\b|digest/i;

/** What travels through the client between two rounds: who can change it, and who can read it back. */
export function requestStates(file: TypeScriptFile, say: Say): void {
  if (!/requestState/i.test(file.text)) return;
  eachNode(file.tree, (node) => {
    if (ts.isCallExpression(node) && dialectOf(file).sdk && sdkName(unwrap(node.expression), file) === 'createRequestStateCodec') key(node, file, say);
    if (ts.isPropertyAssignment(node) && nameText(node.name) === 'requestState') {
      const value = textOf(node.initializer, file);
      if (ENCODED.test(value) && !PROTECTED.test(value.replace(ENCODED, ''))) say('open-state', node);
    }
  });
}

/** The text of a value, and of the constant that holds it. */
function textOf(node: ts.Node, file: TypeScriptFile): string {
  const value = unwrap(node);
  const declared = ts.isIdentifier(value) ? declarationOf(value, file)?.node : undefined;
  return (declared !== undefined && ts.isVariableDeclaration(declared) && declared.initializer !== undefined ? declared.initializer : value).getText(file.tree);
}

/** A key from `randomBytes`, `getRandomValues` or `randomUUID`. */
function key(call: ts.CallExpression, file: TypeScriptFile, say: Say): void {
  const { properties, values } = readOptions(call.arguments[0], file);
  const value = values.get('key') ?? values.get('keys') ?? values.get('secret');
  const property = properties.get('key') ?? properties.get('keys') ?? properties.get('secret');
  if (
    value !== undefined &&
    property !== undefined &&
    /randomBytes|getRandomValues|randomUUID|generateKey/.test(value.getText(file.tree)) &&
    !/process\.env|\benv\./.test(value.getText(file.tree))
  )
    say('process-key', property);
}
