import { bySession, type Setting } from '../setting.js';
import { isMcpPath, leadsToMcp, namesSessionHeader, namesSessionQuery, saysMcp } from '../words.js';

interface Line {
  readonly words: readonly string[];
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface Section {
  readonly type: string;
  readonly name: string;
  readonly lines: readonly Line[];
}

const SECTION =
  /^(?:global|defaults|frontend|backend|listen|peers|resolvers|mailers|userlist|cache|program|http-errors|ring|fcgi-app|log-forward|crt-store|traces)(?:\s|$)/;

/** Sections of HAProxy; empty when the text is not of HAProxy, whose backends and listeners name servers or addresses. */
function sectionsOf(text: string): readonly Section[] {
  const sections: { type: string; name: string; lines: Line[] }[] = [];
  for (const match of text.matchAll(/[^\r\n]+/g)) {
    const written = match[0].replace(/(^|\s)#.*$/, '').trim();
    if (written === '') continue;
    const start = match.index + match[0].indexOf(written);
    const words = written.split(/\s+/);
    if (SECTION.test(written)) sections.push({ type: words[0] ?? '', name: words[1] ?? '', lines: [] });
    else sections.at(-1)?.lines.push({ words, text: written, start, end: start + written.length });
  }
  const serves = sections.some(
    ({ type, lines }) =>
      /^(?:backend|listen|frontend)$/.test(type) &&
      lines.some(({ words }) => /^(?:server|bind|balance|server-template|default_backend|use_backend)$/.test(words[0] ?? '')),
  );
  return serves ? sections : [];
}

/** Backends that a frontend sends MCP paths or MCP hosts to, by a condition on the line or a named one. */
function chosen(sections: readonly Section[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { name, lines } of sections) {
    const conditions = new Set(
      lines.flatMap(({ words, text }) => (words[0] === 'acl' && leadsToMcp(words.slice(2).join(' ')) && text !== '' ? [words[1] ?? ''] : [])),
    );
    for (const { words, text } of lines) {
      if (words[0] === 'default_backend' && saysMcp(name)) found.add(words[1] ?? '');
      if (words[0] !== 'use_backend') continue;
      const condition = text.replace(/^use_backend\s+\S+/, '');
      if (leadsToMcp(condition) || words.slice(2).some((word) => conditions.has(word.replace(/^!/, '')))) found.add(words[1] ?? '');
    }
  }
  return found;
}

/** HAProxy: what backends of MCP paths route by, how they are checked, and redirects of these paths. */
export function haproxy(text: string): readonly Setting[] {
  const sections = sectionsOf(text);
  const reached = chosen(sections);
  const concerned = sections.filter(
    ({ type, name, lines }) => (type === 'backend' || type === 'listen') && (reached.has(name) || saysMcp(name) || lines.some((line) => leadsToMcp(line.text))),
  );
  const defaults = sections.filter(({ type }) => type === 'defaults');
  const inherits = concerned.some(({ lines }) => !lines.some(({ words }) => words[0] === 'balance'));
  return [
    ...defaults.flatMap(({ lines }) => (inherits ? lines.flatMap((line) => (line.words[0] === 'balance' ? routing(line, 'The section `defaults`') : [])) : [])),
    ...concerned.flatMap(({ type, name, lines }) =>
      lines.flatMap((line) => [...routing(line, `The ${type} \`${name}\``, lines.some(learns)), ...check(line, `The ${type} \`${name}\``)]),
    ),
    ...sections.flatMap(({ lines }) => lines.flatMap(redirect)),
  ];
}

/** A table that has the instance of a session from the answer that issued its id. */
const learns = ({ words, text }: Line): boolean => words[0] === 'stick' && words[1] === 'store-response' && namesSessionHeader(text);

/** `balance`, `stick` and `cookie`. `learned`: the table of the backend knows which instance made a session. */
function routing({ words, text, start, end }: Line, holder: string, learned = false): readonly Setting[] {
  const at = { start, end };
  const found = (kind: 'address-hash' | 'client-affinity'): readonly Setting[] => [
    { kind, ...at, data: { holder, setting: text }, evidence: 'its name, its servers or the requests that it is given name MCP' },
  ];
  const [directive, first] = words;
  if (directive === 'cookie') return /\b(?:insert|prefix|rewrite)\b/.test(text) ? found('client-affinity') : [];
  if (directive === 'appsession') return found('client-affinity');
  const sticks = directive === 'stick' && first !== undefined && /^(?:on|match|store-request|store-response)$/.test(first);
  if (directive !== 'balance' && !sticks) return [];
  const key = words.slice(sticks ? 2 : 1).join(' ');
  if (/^(?:req|res)?\.?cook(?:ie)?\(/.test(key)) return found('client-affinity');
  if (namesSessionHeader(key) || namesSessionQuery(key)) return [bySession(at, holder, text, sticks && learned ? 'learned' : 'spread')];
  if (/^(?:source|src\b|hash\s+src\b)/.test(key)) return found('address-hash');
  return sticks || /^(?:rdp-cookie|hdr\(|hash\s+req)/.test(key) ? found('client-affinity') : [];
}

/** Checks that ask by GET; without a method HAProxy asks by OPTIONS. */
function check({ words, text, start, end }: Line, holder: string): readonly Setting[] {
  const [first, second] = words;
  const asks = first === 'option' && second === 'httpchk' && /^(?:GET|HEAD)$/i.test(words[2] ?? '') ? words[3] : undefined;
  const sends =
    first === 'http-check' && second === 'send' && !/\bmeth\s+(?!GET\b|HEAD\b)/i.test(text) && /\bmeth\s/i.test(text)
      ? /\buri\s+(\S+)/.exec(text)?.[1]
      : undefined;
  const path = asks ?? sends;
  return path !== undefined && isMcpPath(path)
    ? [{ kind: 'probe-on-endpoint', start, end, data: { holder, path }, evidence: 'it asks with GET, and the path is the endpoint' }]
    : [];
}

/** Redirects whose condition names an MCP path. */
function redirect({ words, text, start, end }: Line): readonly Setting[] {
  if (words[0] !== 'redirect' && !(words[0] === 'http-request' && words[1] === 'redirect')) return [];
  const condition = /\s(?:if|unless)\s+(.*)$/.exec(text)?.[1] ?? '';
  const path = condition.split(/[\s{}]+/).find(isMcpPath);
  return path !== undefined && !/\bunless\b/.test(text)
    ? [{ kind: 'redirect', start, end, data: { path, setting: text }, evidence: 'the path is one that MCP clients use' }]
    : [];
}
