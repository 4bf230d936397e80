import type { Report } from '../../src/core/index.js';
import type { PyNode, PythonFile } from '../../src/languages/python/index.js';
import { nodesOf } from '../_mcp/python/nodes.js';
import { relationOf } from '../_mcp/python/paths.js';

const NAMED =
  /^(?:\w*_)?(?:[A-Z][a-z]+)*(?:MCP|Mcp)\w*Session(?:s|Store|Auth|Authenticator|Authentication|Manager|Registry|Repository|Token|Record|Validator)?$/;
/** What only code has that takes part in the protocol: its header, its handshake, its transports, its messages. */
const PROTOCOL = /mcp[-_]session[-_]id|["']initialize["']|notifications\/|jsonrpc|protocolVersion|tools\/(?:call|list)|last[-_]event[-_]id|text\/event-stream/i;
/** Makes its own keys. */
const MINTS = /\bsecrets\.|\buuid[1457]?\b|token_(?:bytes|hex|urlsafe)|\bhmac\b|\bjwt\b/;
const STORES = /^(?:get|set|put|add|save|store|load|delete|remove|create|revoke|validate|cleanup)(?:_\w+)?$/;

/**
 * Classes that are called after MCP sessions and are helpers of the application: a store or an authenticator whose keys it makes
 * itself, in a file without anything of the protocol. Nothing of the revision touches them, so they are no findings; a reader is told
 * that they were looked at.
 */
export function reportApplicationSessions(file: PythonFile, report: Pick<Report<never>, 'fact'>): void {
  const relation = relationOf(file);
  if (relation.sdk || relation.framework || PROTOCOL.test(file.text)) return;
  for (const definition of nodesOf(file, 'class_definition')) {
    const name = definition.get('name');
    if (!name || !NAMED.test(file.textOf(name)) || !keepsItsOwn(definition, file)) continue;
    report.fact({ type: 'application-session', site: file.site({ start: definition.start, end: name.end }), name: file.textOf(name) });
  }
}

/** A store by its methods, or code that makes keys. */
function keepsItsOwn(definition: PyNode, file: PythonFile): boolean {
  const body = definition.get('body');
  const methods = (body?.children ?? []).flatMap((child) => {
    const fn = child.kind === 'decorated_definition' ? child.get('definition') : child;
    const name = fn?.kind === 'function_definition' ? fn.get('name') : undefined;
    return name ? [file.textOf(name)] : [];
  });
  return methods.filter((method) => STORES.test(method)).length > 1 || (body !== undefined && MINTS.test(file.text));
}
