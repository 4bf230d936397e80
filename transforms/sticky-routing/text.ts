import type { Detector, Report } from '../../src/core/index.js';
import type { TextFile } from '../../src/languages/text/support.js';
import { blocksOf, type Block } from './blocks.js';
import { hints, isMcpPath, namesSessionHeader, saysMcp, type Kind } from './words.js';

/** Configuration of nginx (`.conf`) and Terraform (`.tf`). Prose is not looked at. */
export const text: Detector<'text', Kind> = (file, report) => ({
  end() {
    if (/\.(?:conf|nginx)$/.test(file.path)) nginx(file, report);
    if (/\.(?:tf|hcl)$/.test(file.path)) terraform(file, report);
  },
});

function tell(
  report: Report<Kind>,
  kind: Kind,
  at: { readonly start: number; readonly end: number },
  data: Readonly<Record<string, string>>,
  evidence: string,
): void {
  report.finding(kind, at, { group: kind, certainty: 'likely', evidence: [evidence], data: { ...data, ...hints(kind) } });
}

/** A directive of a block: its words and its range. Directives of inner blocks are not among them. */
function directives(block: Block): readonly { readonly words: readonly string[]; readonly start: number; readonly end: number }[] {
  return [...block.own.matchAll(/[^;{}\s][^;{}]*;/g)].map((match) => {
    const start = block.bodyStart + match.index;
    return { words: match[0].slice(0, -1).trim().split(/\s+/), start, end: start + match[0].length };
  });
}

function nginx(file: TextFile, report: Report<Kind>): void {
  const blocks = blocksOf(file.text, '#');
  const pathOf = (block: Block): string => (block.words.at(-1) ?? '').replace(/^\^/, '').replace(/\$$/, '');
  const locations = blocks.filter((block) => block.words[0] === 'location' && isMcpPath(pathOf(block)));
  const passed = new Set(
    locations.flatMap((block) =>
      directives(block).flatMap(({ words }) => (words[0] === 'proxy_pass' ? [/^https?:\/\/([^/:]+)/.exec(words[1] ?? '')?.[1] ?? ''] : [])),
    ),
  );
  for (const upstream of blocks.filter((block) => block.words[0] === 'upstream')) {
    const name = upstream.words[1] ?? '';
    const holder = `The upstream \`${name}\``;
    for (const { words, start, end } of directives(upstream)) {
      const setting = words.join(' ');
      const at = { start, end };
      if (words[0] === 'hash' && namesSessionHeader(setting)) {
        tell(report, 'session-header-hash', at, { holder, setting }, 'an empty key is a key too: all requests without the header get the same instance');
        continue;
      }
      if (!passed.has(name) && !saysMcp(name)) continue;
      const why = passed.has(name) ? 'a location of an MCP path passes requests to it' : 'its name names MCP';
      if (words[0] === 'ip_hash' || (words[0] === 'hash' && /remote_addr|realip/.test(setting))) tell(report, 'address-hash', at, { holder, setting }, why);
      else if (words[0] === 'sticky' || words[0] === 'hash') tell(report, 'client-affinity', at, { holder, setting }, why);
    }
  }
  for (const location of locations) {
    const path = pathOf(location);
    const own = directives(location);
    const redirect = own.find(
      ({ words }) =>
        (words[0] === 'return' && /^30[12378]$/.test(words[1] ?? '')) || (words[0] === 'rewrite' && /^(?:permanent|redirect)$/.test(words.at(-1) ?? '')),
    );
    if (redirect !== undefined) tell(report, 'redirect', redirect, { path, setting: redirect.words.join(' ') }, 'the path is one that MCP clients use');
    const pass = own.find(({ words }) => words[0] === 'proxy_pass');
    const buffering = [location, ...blocks.filter((block) => block.words[0] === 'server' && block.start < location.start && location.end <= block.end)].some(
      (block) => directives(block).some(({ words }) => words[0] === 'proxy_buffering' && words[1] === 'off'),
    );
    if (pass !== undefined && !buffering)
      tell(
        report,
        'response-buffering',
        { start: location.start, end: location.bodyStart },
        { path },
        '`proxy_buffering off` stands neither in the location nor in its server, and buffering is on by default',
      );
  }
}

/** Load balancers of AWS and Google Cloud. A resource counts when its name or body names MCP. */
function terraform(file: TextFile, report: Report<Kind>): void {
  const blocks = blocksOf(file.text, '#');
  for (const resource of blocks.filter((block) => block.words[0] === 'resource')) {
    const body = file.text.slice(resource.start, resource.end);
    if (!saysMcp(body)) continue;
    const holder = `The resource \`${resource.words.slice(1).join('.').replace(/"/g, '')}\``;
    const inside = (word: string): readonly Block[] =>
      blocks.filter((block) => block.words[0] === word && block.start > resource.start && block.end <= resource.end);
    for (const block of inside('stickiness')) {
      if (/\benabled\s*=\s*false\b/.test(block.own)) continue;
      tell(
        report,
        'client-affinity',
        { start: block.start, end: block.end },
        { holder, setting: `stickiness, ${/\btype\s*=\s*"([^"]*)"/.exec(block.own)?.[1] ?? 'on'}` },
        'its resource names MCP',
      );
    }
    const affinity = /\bsession_affinity\s*=\s*"(?!NONE)([A-Z_]+)"/.exec(body);
    if (affinity !== null) {
      const start = resource.start + affinity.index;
      tell(
        report,
        affinity[1]?.startsWith('CLIENT_IP') === true ? 'address-hash' : 'client-affinity',
        { start, end: start + affinity[0].length },
        { holder, setting: affinity[0] },
        'its resource names MCP',
      );
    }
    for (const block of inside('health_check')) {
      const path = /\bpath\s*=\s*"([^"]*)"/.exec(block.own);
      if (path?.[1] === undefined || !isMcpPath(path[1])) continue;
      const start = block.bodyStart + path.index;
      tell(report, 'probe-on-endpoint', { start, end: start + path[0].length }, { holder, path: path[1] }, 'it asks with GET, and the path is the endpoint');
    }
  }
}
