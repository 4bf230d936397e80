import type { Detector } from '../../src/core/index.js';
import { above, argumentsOf, calledName, constantOf, stringValue, type PyNode } from '../../src/languages/python/index.js';
import { nodesOf, receiverOf } from '../_mcp/python/nodes.js';
import { HEADERS, MODERN_REQUEST_HEADERS } from '../_mcp/vocabulary.js';
import { missingInForwarded } from './forwarded.js';

type Kind = 'header-sent' | 'header-issued' | 'header-name' | 'header-asserted' | 'header-read' | 'header-list' | 'cors-allowed' | 'cors-legacy-entry';

const RESPONSE = /(?:^|[._])(?:resp|response|reply|answer|r|res\d*|result|init\w*)(?:[._]headers)?$/i;

/** The session header in Python: sent, issued, read, kept as a name, listed for browsers, asserted by tests. */
export const python: Detector<'python', Kind> = (file, report) => {
  /** A reference to a constant that is bound to the header's name counts like the name itself. */
  const isName = (node: PyNode): boolean => {
    const value = node.kind === 'string' ? stringValue(node, file) : node.kind === 'identifier' ? constantOf(node, file) : undefined;
    return typeof value === 'string' && value.toLowerCase() === HEADERS.sessionId;
  };
  const say = (kind: Kind, node: PyNode, data: Record<string, string> = {}): void => {
    report.finding(kind, node, { group: 'Python', data });
  };
  const look = (node: PyNode): void => {
    const { parent } = node;
    if (!parent || parent.kind === 'concatenated_string') return;
    if (isAsserted(node)) return say('header-asserted', node);
    if (parent.kind === 'pair' && node.field === 'key') return say(isAnswer(parent) ? 'header-issued' : 'header-sent', parent);
    if (parent.kind === 'subscript' && parent.parent) {
      const written = (parent.parent.kind === 'assignment' && parent.field === 'left') || parent.parent.kind === 'delete_statement';
      const holder = file.textOf(parent.get('value') ?? parent);
      if (written) return say(RESPONSE.test(holder) ? 'header-issued' : 'header-sent', parent);
      return say('header-read', parent, { name: holder });
    }
    if (parent.kind === 'comparison_operator') return say('header-read', parent, { name: file.textOf(parent) });
    if (parent.kind === 'assignment' && node.field === 'right') return say('header-name', parent);
    const missing = missingHeaders(parent);
    if (missing !== undefined) return say('header-list', node, { missing });
    if ((parent.kind === 'list' || parent.kind === 'tuple' || parent.kind === 'set') && parent.parent?.kind === 'keyword_argument') {
      const list = file.textOf(parent.parent.get('name') ?? parent.parent);
      if (/allow_headers/i.test(list)) {
        const present = parent.children.map((child) => stringValue(child, file)?.toLowerCase());
        const missing = present.includes('*') ? [] : MODERN_REQUEST_HEADERS.filter((name) => !present.includes(name.toLowerCase()));
        return missing.length > 0 ? say('cors-allowed', node, { missing: missing.map((name) => `\`${name}\``).join(', ') }) : undefined;
      }
      if (/expose_headers/i.test(list)) return say('cors-legacy-entry', node, { list: `\`${list}\`` });
      return say('header-name', node);
    }
    if (parent.kind === 'argument_list' && parent.parent?.kind === 'call') {
      const called = calledName(parent.parent, file) ?? '';
      const receiver = receiverOf(parent.parent);
      if (/^(?:get|getlist|pop|getall|header|get_header)$/.test(called))
        return say('header-read', parent.parent, { name: receiver ? file.textOf(receiver) : called });
      if (/^(?:set|append|add|setdefault|set_header|add_header|send_header|putheader)$/.test(called))
        return say(called === 'send_header' || (receiver && RESPONSE.test(file.textOf(receiver))) ? 'header-issued' : 'header-sent', parent.parent);
      if (/header/i.test(called) || /^(?:Header|Depends)$/.test(called)) return say('header-read', parent.parent, { name: called });
      return say('header-name', node);
    }
    if (parent.kind === 'keyword_argument' && /alias|name|header/i.test(file.textOf(parent.get('name') ?? parent)))
      return say('header-read', parent, { name: file.textOf(parent) });
    if (
      parent.kind === 'list' ||
      parent.kind === 'tuple' ||
      parent.kind === 'set' ||
      parent.kind === 'keyword_argument' ||
      parent.kind === 'default_parameter' ||
      parent.kind === 'typed_default_parameter'
    )
      say('header-name', node);
  };
  /** What a list of headers lacks, when requests are passed on by it. */
  const missingHeaders = (list: PyNode): string | undefined => {
    if (!/^(?:list|tuple|set)$/.test(list.kind)) return undefined;
    const holder =
      list.parent?.kind === 'keyword_argument' ? list.parent.get('name') : above(list, ({ kind }) => kind === 'assignment' || kind === 'for_statement');
    const target = holder?.kind === 'assignment' ? holder.get('left') : holder;
    if (!target || /allow_headers|expose_headers/i.test(file.textOf(target))) return undefined;
    const name = target.kind === 'for_statement' ? file.textOf(target).slice(0, 200) : file.textOf(target);
    if (!/forward|pass|propagat|prox|relay|upstream|header/i.test(name)) return undefined;
    return missingInForwarded(
      list.children.flatMap((child) => stringValue(child, file) ?? []),
      name,
    );
  };
  const isAsserted = (node: PyNode): boolean => {
    for (let at = node.parent; at; at = at.parent) {
      if (at.kind === 'assert_statement') return true;
      if (at.kind === 'call' && /^assert|^raises$/.test(calledName(at, file) ?? '')) return true;
      if (/_statement$|^block$|^lambda$/.test(at.kind)) return false;
    }
    return false;
  };
  /** The dictionary is given to a response. */
  const isAnswer = (pair: PyNode): boolean => {
    const keyword = pair.parent?.parent;
    const call = keyword?.kind === 'keyword_argument' ? keyword.parent?.parent : keyword?.parent;
    return call?.kind === 'call' && /Response$|^Mock|^make_response/.test(calledName(call, file) ?? '') && argumentsOf(call, file).node !== undefined;
  };
  return {
    end() {
      for (const node of nodesOf(file, 'string')) if (isName(node)) look(node);
      if (!/session.?id/i.test(file.text)) return;
      for (const node of nodesOf(file, 'identifier'))
        if (/session/i.test(file.textOf(node)) && node.parent?.kind !== 'assignment' && isName(node) && file.bindings.of(node)) look(node);
    },
  };
};
