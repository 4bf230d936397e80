import { type PyNode, argumentsOf, calledName, originOf } from '../../../src/languages/python/index.js';
import { isSdkName, relationOf } from '../../_mcp/python/paths.js';
import { isInstance } from '../../_mcp/python/types.js';
import { evidenceOf } from './evidence.js';
import type { Pass } from './pass.js';

const LISTS: ReadonlySet<string> = new Set(['list_tools', 'list_resources', 'list_resource_templates', 'list_prompts']);

/** Calls of client sessions whose arguments have another form. */
export function moveSessions(pass: Pass): void {
  for (const call of pass.all('call')) {
    const callee = call.get('function');
    const object = callee?.kind === 'attribute' ? callee.get('object') : undefined;
    const name = calledName(call, pass.file);
    if (!callee || !object || name === undefined) continue;
    if (LISTS.has(name)) page(pass, call, object);
    else if (name === 'get_server_capabilities') capabilities(pass, call, object);
    else if (name === 'elicit' || name === 'elicit_form') elicitation(pass, call, object);
    else if (name === 'call_tool' && isInstance(object, pass.file, 'mcp.client.session_group.ClientSessionGroup')) {
      const old = argumentsOf(call, pass.file).keyword('args');
      if (old) pass.edits.replace(old.nameNode, 'arguments');
    } else if (name === 'send_notification' || name === 'send_request') related(pass, call, object);
    else if (name === 'get_session_id' && isInstance(object, pass.file, 'mcp.client.streamable_http.StreamableHTTPTransport'))
      pass.mark('client-transport', call, 'The transport no longer tells the session id, and there is none in the 2026-07-28 revision.');
  }
  for (const call of pass.all('call')) oauth(pass, call);
}

/** True for a `ClientSession`, or for something that is called like one in a file that uses no other client. */
function isSession(pass: Pass, object: PyNode, distinctive: boolean): boolean {
  if (isInstance(object, pass.file, 'mcp.ClientSession')) return true;
  const evidence = evidenceOf(pass, object);
  const relation = relationOf(pass.file);
  return distinctive && evidence.kind === 'unknown' && relation.sdk && !relation.framework && !relation.other;
}

/** `list_tools(cursor=c)`: sessions take `params=` only, and the error hides the paging that no longer works behind it. */
function page(pass: Pass, call: PyNode, object: PyNode): void {
  const args = argumentsOf(call, pass.file);
  const cursor = args.keyword('cursor');
  const value = cursor?.value ?? args.positional[0];
  if (!value || args.keyword('params') || !isSession(pass, object, cursor !== undefined)) return;
  const text = `params=${pass.needAt('mcp.types', 'PaginatedRequestParams', call)}(cursor=${pass.edits.textAfter(value)})`;
  pass.edits.replace(cursor?.node ?? value, text);
}

function capabilities(pass: Pass, call: PyNode, object: PyNode): void {
  if (!isSession(pass, object, true) || argumentsOf(call, pass.file).positional.length > 0) return;
  const name = call.get('function')?.get('attribute');
  if (name) pass.edits.replace({ start: name.start, end: call.end }, 'server_capabilities');
}

function elicitation(pass: Pass, call: PyNode, object: PyNode): void {
  const schema = argumentsOf(call, pass.file).keyword('requestedSchema');
  if (!schema) return;
  const session = isInstance(object, pass.file, 'mcp.server.session.ServerSession') || /\bsession$/.test(pass.text(object));
  if (session) pass.edits.replace(schema.nameNode, 'requested_schema');
}

function related(pass: Pass, call: PyNode, object: PyNode): void {
  const args = argumentsOf(call, pass.file);
  const gone = isInstance(object, pass.file, 'mcp.ClientSession') ? args.keyword('related_request_id') : undefined;
  if (gone && args.node) pass.edits.removeArguments(args.node, [gone.node]);
}

/** Parameters of `OAuthClientProvider` in 1.28.1; the sixth is another one in SDK 2.x. */
const PROVIDER = ['server_url', 'client_metadata', 'storage', 'redirect_handler', 'callback_handler', 'timeout', 'client_metadata_url'];

function oauth(pass: Pass, call: PyNode): void {
  const callee = call.get('function');
  if (!callee) return;
  const args = argumentsOf(call, pass.file);
  const path = originOf(callee, pass.file)?.path ?? '';
  if (/^mcp\.client\.auth\.(?:\w+\.)*OAuthClientProvider$/.test(path)) {
    const timeout = args.keyword('timeout');
    const gone = [...(timeout ? [timeout.node] : []), ...(args.positional[5] ? [args.positional[5]] : [])];
    args.positional.forEach((value, index) => {
      const name = PROVIDER[index];
      if (index > 5 && name !== undefined) pass.edits.insert(value.start, `${name}=`);
    });
    if (args.node && gone.length > 0) pass.edits.removeArguments(args.node, gone);
    const handler = args.keyword('callback_handler')?.value ?? args.positional[4];
    if (handler) callback(pass, handler);
  } else if (
    isSdkName(
      callee,
      pass.file,
      'mcp.client.auth.extensions.client_credentials.ClientCredentialsOAuthProvider',
      'mcp.client.auth.extensions.client_credentials.PrivateKeyJWTOAuthProvider',
    )
  ) {
    const scopes = args.keyword('scopes');
    if (scopes) pass.edits.replace(scopes.nameNode, 'scope');
  }
}

/** The callback of the authorization answers with a record instead of a pair. */
function callback(pass: Pass, handler: PyNode): void {
  const definition = functionOf(pass, handler);
  if (!definition) {
    if (handler.kind !== 'none')
      pass.mark('oauth-client', handler, 'The callback has to return `AuthorizationCodeResult(code=…, state=…, iss=…)` of `mcp.shared.auth`.');
    return;
  }
  const pairs: PyNode[] = [];
  const rest: PyNode[] = [];
  let done = 0;
  const pending = [...(definition.get('body')?.children ?? [])];
  for (let node = pending.shift(); node; node = pending.shift()) {
    if (node.kind === 'function_definition' || node.kind === 'class_definition') continue;
    if (node.kind === 'return_statement') {
      const value = node.children[0];
      const bare = value?.kind === 'parenthesized_expression' ? value.children[0] : value;
      if (value && (bare?.kind === 'expression_list' || bare?.kind === 'tuple') && bare.children.length === 2) pairs.push(value);
      else if (isResult(pass, value)) done++;
      else rest.push(node);
    }
    pending.unshift(...node.children);
  }
  if (rest.length === 0 && pairs.length === 0 && done > 0) return;
  if (rest.length > 0 || pairs.length === 0) {
    pass.mark(
      'oauth-client',
      definition.get('name') ?? handler,
      'The callback has to return `AuthorizationCodeResult(code=…, state=…, iss=…)` of `mcp.shared.auth`.',
    );
    return;
  }
  for (const value of pairs) {
    const bare = value.kind === 'parenthesized_expression' ? (value.children[0] ?? value) : value;
    const [code, state] = bare.children;
    if (code && state)
      pass.edits.replace(value, `${pass.needAt('mcp.shared.auth', 'AuthorizationCodeResult', value)}(code=${pass.text(code)}, state=${pass.text(state)})`);
  }
  const annotation = definition.get('return_type');
  if (annotation) pass.edits.replace(annotation, pass.need('mcp.shared.auth', 'AuthorizationCodeResult'));
  pass.notes.add(`${pass.file.path}: the callback of the authorization may hand on \`iss\` of the redirect, which is checked then.`);
}

/** What an earlier run has written, or a person who has moved already. */
const isResult = (pass: Pass, value: PyNode | undefined): boolean => {
  const callee = value?.kind === 'call' ? value.get('function') : undefined;
  return callee !== undefined && isSdkName(callee, pass.file, 'mcp.shared.auth.AuthorizationCodeResult');
};

/** The function of this file that a name or a method stands for. */
function functionOf(pass: Pass, node: PyNode): PyNode | undefined {
  const name = node.kind === 'attribute' ? node.get('attribute') : node;
  if (name?.kind !== 'identifier') return undefined;
  const text = pass.text(name);
  const found = pass.all('function_definition').filter((fn) => pass.text(fn.get('name') ?? fn) === text);
  return found.length === 1 ? found[0] : undefined;
}
