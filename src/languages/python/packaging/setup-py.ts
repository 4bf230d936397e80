import type { Span } from '../../../core/index.js';
import { insertAfterElement } from './insertion.js';
import { parseRequirement, type Purpose, type Requirement } from './requirement.js';

interface Token {
  readonly kind: 'string' | 'name' | 'sign';
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const TOKEN = /#[^\r\n]*|[A-Za-z_]\w*(?!['"\w])|[rRuUbBfF]{0,2}(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|[()[\]{}=,:+]|[^\s]/g;

function tokens(text: string): readonly Token[] {
  const found: Token[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    if (token.startsWith('#')) continue;
    const kind = /^[rRuUbBfF]{0,2}['"]/.test(token) ? 'string' : /^[A-Za-z_]/.test(token) ? 'name' : 'sign';
    found.push({ kind, start: match.index, end: match.index + token.length, text: token });
  }
  return found;
}

const KEYWORDS: ReadonlyMap<string, Purpose> = new Map([
  ['install_requires', 'runtime'],
  ['tests_require', 'extra'],
  ['extras_require', 'extra'],
  ['setup_requires', 'build'],
]);

const OPEN = new Set(['(', '[', '{']);
const CLOSE = new Set([')', ']', '}']);

/**
 * String literals in the lists that a `setup.py` gives to `install_requires` and its kin, directly or under a variable of that name. The file
 * is a program: what it computes is not seen here, and reported by whoever looks for it.
 */
export function setupRequirements(text: string): readonly Requirement[] {
  const all = tokens(text);
  const found: Requirement[] = [];
  for (let index = 0; index < all.length; index++) {
    const purpose = KEYWORDS.get(all[index]?.text ?? '');
    const place = all[index]?.text ?? '';
    if (!purpose || all[index + 1]?.text !== '=' || !OPEN.has(all[index + 2]?.text ?? '')) continue;
    let depth = 0;
    let at = index + 2;
    for (; at < all.length; at++) {
      const token = all[at];
      if (!token) break;
      if (OPEN.has(token.text)) depth++;
      else if (CLOSE.has(token.text) && --depth === 0) break;
      if (token.kind !== 'string' || all[at + 1]?.text === ':') continue;
      const quote = /^['"]/.exec(token.text)?.[0];
      if (quote === undefined || /^(['"])\1\1/.test(token.text)) continue;
      const one = parseRequirement(token.text.slice(1, -1), token.start + 1);
      if (!one) continue;
      const element = { start: token.start, end: token.end };
      found.push({ ...one, place, purpose, beside: (name, specifier) => insertAfterElement(text, element, quote + name + specifier + quote) });
    }
    index = at;
  }
  return found;
}

/** `python_requires="…"` of a `setup.py`. */
export function setupPython(text: string): readonly { readonly specifier: string; readonly span: Span }[] {
  const all = tokens(text);
  return all.flatMap((token, index) => {
    const value = all[index + 2];
    if (token.text !== 'python_requires' || all[index + 1]?.text !== '=' || value?.kind !== 'string') return [];
    return [{ specifier: value.text.slice(1, -1), span: { start: value.start + 1, end: value.end - 1 } }];
  });
}
