import { describe, expect, it } from 'vitest';
import { factsOf, type Endpoint, type Fact, type FactType, type Site } from '../../src/core/index.js';
import { endpointReach } from '../../transforms/_mcp/reach.js';

const site: Site = { file: 'pier.ts', span: { start: 0, end: 1 }, line: 1, column: 1, endLine: 1, endColumn: 2 };

/** A list of facts that counts how often one of them is looked at. */
function counted(size: number): { readonly facts: Fact[]; readonly looks: () => number } {
  let looks = 0;
  const facts = Array.from({ length: size }, (_, index): Fact => ({
    get type() {
      looks++;
      return 'call' as const satisfies FactType;
    },
    site,
    from: { file: 'pier.ts', name: `boat${String(index)}` },
    to: { file: 'pier.ts', name: `boat${String(index + 1)}` },
  }));
  return { facts, looks: () => looks };
}

const endpoint: Endpoint = {
  id: '/mcp',
  package: '.',
  transport: 'streamable-http',
  host: 'express',
  methods: [],
  routes: [],
  handlers: [{ file: 'pier.ts', name: 'boat0' }],
  transports: [],
  stores: [],
  sessions: 'minted',
  jsonResponse: 'off',
  eventStore: false,
  hooks: [],
  parser: 'none',
  exposure: 'loopback',
  authentication: [],
  originPolicy: [],
  era: 'legacy',
  push: [],
  state: [],
};

describe('work on the facts of a large repository', () => {
  it('goes through them once for each type, however many findings ask', () => {
    const { facts, looks } = counted(1_000);
    for (let finding = 0; finding < 50; finding++) expect(factsOf(facts, 'route')).toEqual([]);
    expect(looks()).toBe(1_000);
    facts.push({ type: 'client', site, what: 'sdk' });
    expect(factsOf(facts, 'client')).toHaveLength(1);
  });

  it('follows what an endpoint reaches once, however many findings ask', () => {
    const { facts, looks } = counted(1_000);
    const reach = endpointReach(endpoint, facts);
    expect(reach.size).toBe(1_001);
    const first = looks();
    for (let finding = 0; finding < 50; finding++) expect(endpointReach(endpoint, facts)).toBe(reach);
    expect(looks()).toBe(first);
  });
});
