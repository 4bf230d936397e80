import { ts } from 'ts-morph';
import type { FactOf, FactSource } from '../../../../src/core/index.js';
import { type TypeScriptFile, constantOf } from '../../../../src/languages/typescript/index.js';
import { memberName, unwrap } from '../nodes.js';
import { isNothing, type Options } from '../options.js';
import { SESSION_CALLBACKS, sessionCode, type TransportUse } from '../sessions.js';
import { holderOf, within } from './servers.js';

const HOOKS = [...SESSION_CALLBACKS, 'retryInterval'] as const;

/** Does a transport mint session ids? An option that is absent or `undefined` means no. */
export function mintsSessions(transport: TransportUse): FactOf<'transport'>['sessions'] {
  if (transport.kind === 'sse') return 'minted';
  const value = transport.options.values.get('sessionIdGenerator');
  if (value === undefined) return transport.options.complete ? 'none' : 'unknown';
  if (isNothing(value)) return 'none';
  const inner = unwrap(value);
  if (ts.isConditionalExpression(inner)) return isNothing(inner.whenTrue) && isNothing(inner.whenFalse) ? 'none' : 'minted';
  if (ts.isIdentifier(inner) || ts.isPropertyAccessExpression(inner)) return 'minted';
  return 'minted';
}

export function jsonMode(options: Options, file: TypeScriptFile): FactOf<'transport'>['jsonResponse'] {
  const value = options.values.get('enableJsonResponse');
  if (value === undefined) return options.complete ? 'off' : 'unknown';
  const constant = constantOf(value, file);
  if (constant === true) return 'on';
  return constant === false || isNothing(value) ? 'off' : 'unknown';
}

const bodyOf = (call: ts.CallExpression): FactOf<'dispatch'>['body'] => {
  const body = call.arguments[2];
  if (body === undefined) return 'absent';
  return memberName(unwrap(body)) === 'body' ? 'parsed' : 'other';
};

/** The first argument of an HTTP+SSE transport, when it is a literal path. */
function messagePath({ kind, node }: TransportUse, file: TypeScriptFile): { readonly messages?: string } {
  const [first] = node.arguments ?? [];
  const path = kind === 'sse' && first !== undefined ? constantOf(first, file) : undefined;
  return typeof path === 'string' && path.startsWith('/') ? { messages: path.replace(/[?#].*$/, '') } : {};
}

/** `transport` and `dispatch`. */
export const transportsAndDispatches: FactSource = {
  id: 'transports',
  literals: { strong: ['@modelcontextprotocol/'], weak: [] },
  detect: {
    typescript: (file, report) => ({
      end() {
        const code = sessionCode(file);
        for (const transport of code.transports) {
          const symbol = holderOf(transport.node, file);
          const { values } = transport.options;
          const store = values.get('eventStore');
          report.fact({
            type: 'transport',
            site: file.site(transport.node),
            ...within(transport.node, file),
            kind: transport.kind,
            className: transport.className,
            sessions: mintsSessions(transport),
            jsonResponse: transport.kind === 'streamable-http' || transport.kind === 'streamable-web' ? jsonMode(transport.options, file) : 'off',
            eventStore: store !== undefined && !isNothing(store),
            hooks: HOOKS.filter((name) => values.has(name)),
            ...(symbol ? { symbol } : {}),
            ...messagePath(transport, file),
          });
        }
        for (const call of code.dispatches) report.fact({ type: 'dispatch', site: file.site(call), ...within(call, file), body: bodyOf(call) });
      },
    }),
  },
};
