import { beforeAll, describe, expect, it } from 'vitest';
import type { Fact } from '../../../src/core/index.js';
import { loadParser, parse } from '../../../src/languages/python/index.js';
import { reportApplicationSessions } from '../../../transforms/session-state/application.js';

beforeAll(loadParser);

function helpersIn(text: string): readonly string[] {
  const parsed = parse('agents/sessions.py', text);
  if (!parsed.file) throw new Error('the text does not parse');
  const facts: Fact[] = [];
  reportApplicationSessions(parsed.file, { fact: (fact) => facts.push(fact) });
  return facts.flatMap((fact) => (fact.type === 'application-session' ? [`${String(fact.site.line)} ${fact.name}`] : []));
}

const STORE = `
class MCPSessionStore:
    def get(self, key): ...
    def put(self, key, value): ...
`;

describe('sessions of the application', () => {
  it.each([
    ['a store by its methods', STORE, ['2 MCPSessionStore']],
    [
      'an authenticator that makes its tokens',
      'import secrets\n\nclass McpSessionAuthenticator:\n    def issue(self):\n        return secrets.token_urlsafe(32)\n',
      ['3 McpSessionAuthenticator'],
    ],
    ['a protocol of a store', `from typing import Protocol\n${STORE.replace('Store:', 'Store(Protocol):')}`, ['3 MCPSessionStore']],
    ['a class without methods', 'class MCPSession:\n    token: str\n', []],
    ['another product', STORE.replace('MCPSession', 'Basket'), []],
    ['a store of protocol sessions', `${STORE}\nHEADER = "Mcp-Session-Id"\n`, []],
    ['a file that makes the handshake', `${STORE}\nFIRST = {"method": "initialize"}\n`, []],
    ['a file that uses the SDK', `from mcp import ClientSession\n${STORE}`, []],
  ])('%s', (_, text, expected) => {
    expect(helpersIn(text)).toEqual(expected);
  });
});
