import { describe, expect, it } from 'vitest';
import type { Finding, Inventory, RevisionChange } from '../../src/core/index.js';
import { coverageOf } from '../../src/engine/coverage.js';
import { changes } from '../../transforms/_mcp/changelog.js';
import { knowledge } from '../../transforms/index.js';
import { isKnownReference } from '../fixtures-kit/spec-pages.js';

const EMPTY: Inventory = { packages: [], endpoints: [], servers: [], clients: [], stores: [], legacyLane: [] };
const CHANGES: readonly RevisionChange[] = [
  { id: 'gauge', title: 'Gauges', spec: 'basic#meta', concerns: 'client', rules: ['gauge'] },
  { id: 'buoy', title: 'Buoys', spec: 'basic#meta', concerns: 'any', rules: ['gauge/buoy'] },
  { id: 'tide', title: 'Tides', spec: 'basic#meta', concerns: 'server', rules: [], instead: 'the sea tells' },
];

const finding = (id: Finding['id']): Finding => ({
  id,
  site: { file: 'quay.ts', span: { start: 0, end: 1 }, line: 1, column: 1, endLine: 1, endColumn: 2 },
  related: [],
  certainty: 'certain',
  impact: 'degrades',
  category: 'state',
  lane: 'both',
  role: 'source',
  milestone: 'entry',
  evidence: [],
  group: 'quay',
  data: {},
  fingerprint: '0',
});

describe('the coverage statement', () => {
  it('tells what was looked for from what has no place here and from what code cannot tell', () => {
    expect(coverageOf(CHANGES, [], EMPTY).map(({ change, state }) => [change, state])).toEqual([
      ['gauge', 'not-applicable'],
      ['buoy', 'checked'],
      ['tide', 'not-static'],
    ]);
  });

  it('counts the findings of a whole concern and of a single rule, and a finding makes a change apply', () => {
    const found = coverageOf(CHANGES, [finding('gauge/buoy'), finding('gauge/level')], EMPTY);
    expect(found.map(({ state, findings }) => [state, findings])).toEqual([
      ['checked', 2],
      ['checked', 1],
      ['not-static', 0],
    ]);
  });
});

describe('the changes of the revision', () => {
  it('name rules that exist, and say what tells a change that no rule looks for', () => {
    const known = new Set(knowledge.concerns.flatMap((concern) => [concern.id, ...Object.keys(concern.kinds).map((kind) => `${concern.id}/${kind}`)]));
    expect(changes.flatMap(({ rules }) => rules.filter((rule) => !known.has(rule)))).toEqual([]);
    expect(changes.filter(({ rules, instead }) => (rules.length === 0) !== (instead !== undefined)).map(({ id }) => id)).toEqual([]);
    expect(changes.filter(({ spec }) => !isKnownReference(spec)).map(({ spec }) => spec)).toEqual([]);
    expect(new Set(changes.map(({ id }) => id)).size).toBe(changes.length);
  });

  it('leave no concern out', () => {
    const looked = changes.flatMap(({ rules }) => rules.map((rule) => rule.split('/')[0]));
    // Lanes that exist already, documents and dates are no change of the protocol; names that no tool has are the SDK's matter.
    const apart = ['legacy-lane', 'removal-promise', 'stale-instructions', 'unknown-name-error'];
    expect(knowledge.concerns.map(({ id }) => id).filter((id) => !looked.includes(id) && !apart.includes(id))).toEqual([]);
  });
});
