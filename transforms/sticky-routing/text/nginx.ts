import { blocksOf, type Block } from '../blocks.js';
import { bySession, type Setting } from '../setting.js';
import { isMcpPath, namesSessionHeader, namesSessionQuery, saysMcp } from '../words.js';

interface Directive {
  readonly words: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** The directives of a block. Those of inner blocks are not among them. */
function directives(block: Block): readonly Directive[] {
  return [...block.own.matchAll(/[^;{}\s][^;{}]*;/g)].map((match) => {
    const start = block.bodyStart + match.index;
    return { words: match[0].slice(0, -1).trim().split(/\s+/), start, end: start + match[0].length };
  });
}

const pathOf = (block: Block): string => (block.words.at(-1) ?? '').replace(/^\^/, '').replace(/\$$/, '');

/** A location of a path that MCP clients use; of a pattern the words count: `~ ^/(mcp|sse)`. */
const isMcpLocation = (block: Block): boolean =>
  block.words[0] === 'location' &&
  (isMcpPath(pathOf(block)) || ((block.words[1] ?? '').startsWith('~') && /[/(|](?:mcp|sse)(?:$|[^a-z-])/i.test(block.words.slice(2).join(' '))));

const within = (inner: Block, outer: Block): boolean => outer.start < inner.start && inner.end <= outer.end;

/** Names that a `map` can choose: for every request, and for those without a session header. */
interface Choice {
  readonly variable: string;
  readonly chosen: readonly string[];
  /** What requests without the header get, when the map looks at the header. */
  readonly keyless: string | undefined;
}

function choicesOf(blocks: readonly Block[]): readonly Choice[] {
  return blocks
    .filter((block) => block.words[0] === 'map')
    .map((block) => {
      const entries = directives(block).map(({ words }) => words);
      const fallback = entries.find(([key]) => key === 'default')?.[1];
      return {
        variable: block.words[2] ?? '',
        chosen: entries.flatMap(([, value]) => value ?? []),
        keyless: namesSessionHeader(block.words[1] ?? '') ? (entries.find(([key]) => key === '""' || key === "''")?.[1] ?? fallback) : undefined,
      };
    });
}

/** nginx: what upstreams of MCP paths route by, redirects of these paths, and locations that buffer. */
export function nginx(text: string): readonly Setting[] {
  const blocks = blocksOf(text, 'hash');
  const locations = blocks.filter(isMcpLocation);
  const hosts = blocks.filter(
    (block) => block.words[0] === 'server' && directives(block).some(({ words }) => words[0] === 'server_name' && saysMcp(words.join(' '))),
  );
  const choices = choicesOf(blocks);
  const passed = new Set(
    blocks
      .filter((block) => block.words[0] === 'location' && (locations.includes(block) || hosts.some((host) => within(block, host))))
      .flatMap((block) => directives(block).flatMap(({ words }) => (words[0] === 'proxy_pass' ? [/^https?:\/\/([^/:]+)/.exec(words[1] ?? '')?.[1] ?? ''] : [])))
      .flatMap((target) => [target, ...choices.flatMap(({ variable, chosen }) => (variable === target ? chosen : []))]),
  );
  return [
    ...blocks.filter((block) => block.words[0] === 'upstream').flatMap((block) => upstream(block, passed, choices)),
    ...locations.flatMap((block) => location(block, blocks)),
  ];
}

function upstream(block: Block, passed: ReadonlySet<string>, choices: readonly Choice[]): readonly Setting[] {
  const name = block.words[1] ?? '';
  const holder = `The upstream \`${name}\``;
  const concerned = passed.has(name) || saysMcp(name);
  const evidence = passed.has(name) ? 'a location of an MCP path passes requests to it' : 'its name names MCP';
  return directives(block).flatMap(({ words, start, end }): readonly Setting[] => {
    const setting = words.join(' ');
    const at = { start, end };
    if (words[0] === 'hash' && (namesSessionHeader(setting) || (concerned && namesSessionQuery(setting)))) {
      const bridged = choices.some(({ keyless, chosen }) => keyless !== undefined && keyless !== name && chosen.includes(name));
      return [bySession(at, holder, setting, bridged ? 'spread' : 'one')];
    }
    if (!concerned) return [];
    if (words[0] === 'ip_hash' || (words[0] === 'hash' && /remote_addr|realip/.test(setting)))
      return [{ kind: 'address-hash', ...at, data: { holder, setting }, evidence }];
    return words[0] === 'sticky' || words[0] === 'hash' ? [{ kind: 'client-affinity', ...at, data: { holder, setting }, evidence }] : [];
  });
}

function location(block: Block, blocks: readonly Block[]): readonly Setting[] {
  const path = pathOf(block);
  const own = directives(block);
  const redirect = own.find(
    ({ words }) =>
      (words[0] === 'return' && /^30[12378]$/.test(words[1] ?? '')) || (words[0] === 'rewrite' && /^(?:permanent|redirect)$/.test(words.at(-1) ?? '')),
  );
  const passes = own.some(({ words }) => words[0] === 'proxy_pass');
  const off = [block, ...blocks.filter((outer) => outer.words[0] === 'server' && within(block, outer))].some((outer) =>
    directives(outer).some(({ words }) => words[0] === 'proxy_buffering' && words[1] === 'off'),
  );
  return [
    ...(redirect === undefined
      ? []
      : [
          {
            kind: 'redirect' as const,
            start: redirect.start,
            end: redirect.end,
            data: { path, setting: redirect.words.join(' ') },
            evidence: 'the path is one that MCP clients use',
          },
        ]),
    ...(passes && !off
      ? [
          {
            kind: 'response-buffering' as const,
            start: block.start,
            end: block.bodyStart,
            data: { path },
            evidence: '`proxy_buffering off` stands neither in the location nor in its server, and buffering is on by default',
          },
        ]
      : []),
  ];
}
