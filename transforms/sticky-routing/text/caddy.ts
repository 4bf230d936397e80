import { blocksOf, type Block } from '../blocks.js';
import { bySession, type Setting } from '../setting.js';
import { isMcpPath, leadsToMcp, namesSessionHeader, namesSessionQuery, saysMcp } from '../words.js';

interface Directive {
  readonly words: readonly string[];
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The lines of a block of its own; a block below it is its head alone. */
function lines(block: Block): readonly Directive[] {
  return [...block.own.matchAll(/\S[^\r\n]*/g)].map((match) => {
    const text = match[0].trimEnd();
    const start = block.bodyStart + match.index;
    return { words: text.split(/\s+/), text, start, end: start + text.length };
  });
}

/**
 * Caddy: what proxies of MCP paths route by, how they are checked, and redirects of these paths. It passes streams on as they come, so
 * no line is missing for them.
 */
export function caddy(text: string): readonly Setting[] {
  const blocks = blocksOf(text, 'hash');
  const around = (block: Block): readonly Block[] => blocks.filter((outer) => outer.start < block.start && block.end <= outer.end);
  /** Named matchers that look for an MCP path: `@tools path /mcp*`, or a block of that name. */
  const matchers = new Set([
    ...blocks.flatMap((block) => [
      ...(block.words[0]?.startsWith('@') === true && lines(block).some(({ text: line }) => leadsToMcp(line)) ? [block.words[0]] : []),
      ...lines(block).flatMap(({ words, text: line }) => (words[0]?.startsWith('@') === true && leadsToMcp(line.slice(words[0].length)) ? [words[0]] : [])),
    ]),
  ]);
  const leads = (words: readonly string[]): boolean => leadsToMcp(words.join(' ')) || words.some((word) => matchers.has(word));
  const proxies = blocks.filter((block) => block.words[0] === 'reverse_proxy');
  return [
    ...proxies.flatMap((block) =>
      leads(block.words) ||
      around(block).some((outer) => leads(outer.words)) ||
      lines(block).some(({ words, text: line }) => words[0] === 'to' && saysMcp(line))
        ? lines(block).flatMap(proxied)
        : lines(block)
            .filter(({ text: line }) => namesSessionHeader(line))
            .flatMap(proxied),
    ),
    ...blocks.flatMap((block) => {
      const path = [block, ...around(block)].flatMap(({ words }) => words.filter(isMcpPath))[0];
      return lines(block).flatMap((line) => redirect(line, path, matchers));
    }),
  ];
}

/** The lines of a `reverse_proxy` that pin a client or check the server. */
function proxied({ words, text, start, end }: Directive): readonly Setting[] {
  const at = { start, end };
  const holder = 'The reverse proxy';
  const found = (kind: 'address-hash' | 'client-affinity'): readonly Setting[] => [
    { kind, ...at, data: { holder, setting: text }, evidence: 'its path, its server or the site around it names MCP' },
  ];
  if (words[0] === 'health_uri' && isMcpPath(words[1] ?? ''))
    return [{ kind: 'probe-on-endpoint', ...at, data: { holder, path: words[1] ?? '' }, evidence: 'it asks with GET, and the path is the endpoint' }];
  if (words[0] !== 'lb_policy') return [];
  const key = words.slice(1).join(' ');
  if (words[1] === 'cookie') return found('client-affinity');
  if (namesSessionHeader(key) || namesSessionQuery(key)) return [bySession(at, holder, text, 'spread')];
  if (words[1] === 'ip_hash' || words[1] === 'client_ip_hash') return found('address-hash');
  return words[1] === 'header' || words[1] === 'query' ? found('client-affinity') : [];
}

/** `redir` with an MCP path before it, or within a block of one. */
function redirect({ words, text, start, end }: Directive, around: string | undefined, matchers: ReadonlySet<string>): readonly Setting[] {
  if (words[0] !== 'redir') return [];
  const [, first = ''] = words;
  const path = isMcpPath(first) && words.length > 2 ? first : matchers.has(first) ? first : around;
  return path === undefined ? [] : [{ kind: 'redirect', start, end, data: { path, setting: text }, evidence: 'the path is one that MCP clients use' }];
}
