import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits, siteOf, lineStarts, type Need, type TextEdit } from '../../src/core/index.js';
import { sameOutside } from '../../src/engine/prove.js';
import { mergeNeeds, NeedConflict } from '../../src/engine/rewrite/needs.js';
import { Outcomes } from '../../src/engine/rewrite/outcomes.js';
import { PositionMap } from '../../src/engine/rewrite/positions.js';
import { byTurn, canonical, collide, propose, type Proposal } from '../../src/engine/rewrite/proposal.js';
import type { RewriteContext, WorkItem } from '../../src/core/index.js';
import { at, callConcern } from './kit.js';

/** Edits that do not conflict, on a text of letters. */
const edited = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength: 1, maxLength: 60 }).chain((text) =>
  fc.record({
    text: fc.constant(text),
    edits: fc
      .array(fc.tuple(fc.nat(text.length), fc.nat(4), fc.string({ unit: fc.constantFrom('X', 'Y', '\n'), maxLength: 5 })), { maxLength: 6 })
      .map((raw) => {
        let from = 0;
        const edits: TextEdit[] = [];
        for (const [start, length, inserted] of [...raw].sort((a, b) => a[0] - b[0])) {
          if (start < from) continue;
          const end = Math.min(text.length, start + length);
          edits.push({ start, end, text: inserted });
          from = end + 1;
        }
        return edits;
      }),
  }),
);

describe('positions', () => {
  it('lead every untouched character back to its place on disk, through several rounds', () => {
    fc.assert(
      fc.property(edited, ({ text, edits }) => {
        const map = new PositionMap();
        map.add([{ kind: 'edit', file: 'a.ts', edits }]);
        const once = applyEdits(text, edits);
        const second = [{ start: 0, end: 0, text: '// header\n' }];
        map.add([{ kind: 'edit', file: 'a.ts', edits: second }]);
        const twice = applyEdits(once, second);
        for (let offset = 0; offset < text.length; offset++) {
          if (edits.some((edit) => edit.start <= offset && offset < edit.end)) continue;
          const shift = edits
            .filter((edit) => edit.end <= offset && !(edit.start === offset && edit.end === offset && false))
            .reduce((sum, edit) => sum + edit.text.length - (edit.end - edit.start), 0);
          const now = offset + shift + '// header\n'.length;
          expect(twice[now]).toBe(text[offset]);
          expect(map.original('a.ts', now)).toBe(offset);
        }
      }),
    );
  });

  it('cite the line that people have on disk', () => {
    const disk = 'one\ntwo\nthree\n';
    const map = new PositionMap();
    map.add([{ kind: 'edit', file: 'a.ts', edits: [{ start: 0, end: 0, text: 'zero\nzero\n' }] }]);
    const now = 'zero\nzero\none\ntwo\nthree\n';
    const site = siteOf('a.ts', lineStarts(now), { start: now.indexOf('two'), end: now.indexOf('two') + 3 });
    expect([site.line, map.originalSite(site, disk).line, map.originalSite(site, undefined).line]).toEqual([4, 2, 4]);
  });
});

describe('the proof of untouched bytes', () => {
  it('agrees with what edits do, and notices one changed byte elsewhere', () => {
    fc.assert(
      fc.property(edited, fc.nat(), ({ text, edits }, seed) => {
        const after = applyEdits(text, edits);
        expect(sameOutside(text, after, edits)).toBe(true);
        const untouched = Array.from(text, (_, offset) => offset).flatMap((offset) =>
          edits.some((edit) => edit.start <= offset && offset < edit.end) ? [] : [offset],
        );
        const offset = untouched[seed % Math.max(1, untouched.length)];
        if (offset === undefined) return;
        const damaged = applyEdits(`${text.slice(0, offset)}#${text.slice(offset + 1)}`, edits);
        expect(sameOutside(text, damaged, edits)).toBe(false);
      }),
    );
  });
});

describe('needs', () => {
  const pick = (name: string, more: object = {}): Need => ({ kind: 'import', file: 'a.ts', module: 'gauges', name, ...more });
  it('are merged: duplicates go, a value import covers a type import, the higher range wins, an addition beats a removal', () => {
    const dependency = (more: object): Need => ({ kind: 'dependency', manifest: 'package.json', name: 'gauges', ...more });
    expect(
      mergeNeeds([
        pick('read', { typeOnly: true }),
        pick('read'),
        pick('read'),
        dependency({ range: '^2.1.0' }),
        dependency({ remove: true }),
        dependency({ range: '^2.4.0' }),
        { kind: 'engine', manifest: 'package.json', name: 'node', range: '>=18' },
        { kind: 'engine', manifest: 'package.json', name: 'node', range: '>=20.1' },
      ]),
    ).toEqual([dependency({ range: '^2.4.0' }), { kind: 'engine', manifest: 'package.json', name: 'node', range: '>=20.1' }, pick('read')]);
  });
  it('do not depend on their order', () => {
    const all: readonly Need[] = [
      pick('a'),
      pick('b', { as: 'c' }),
      pick('a', { typeOnly: true }),
      { kind: 'dependency', manifest: 'p', name: 'x', range: '^1.0.0' },
      { kind: 'dependency', manifest: 'p', name: 'x', range: '>=1.0.0' },
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray([...all], { minLength: all.length }), (needs) => {
        expect(canonical(mergeNeeds(needs))).toBe(canonical(mergeNeeds(all)));
      }),
    );
  });
  it('refuse two files at one path, and accept the same file twice', () => {
    const shim = (port: number): Need => ({ kind: 'shim', template: 'sluice', path: 'src/sluice.ts', model: { port, name: 'x' } });
    expect(mergeNeeds([shim(1), { ...shim(1), model: { name: 'x', port: 1 } } as Need])).toHaveLength(1);
    expect(() => mergeNeeds([shim(1), shim(2)])).toThrow(NeedConflict);
  });
});

const item = (id: string, more: Partial<WorkItem> = {}): WorkItem => ({
  id,
  concern: id,
  title: id,
  group: 'g',
  package: '.',
  milestone: 'entry',
  category: 'transport',
  lane: 'both',
  findings: [],
  files: ['a.ts'],
  sites: [at('a.ts', 0)],
  remedy: 'automatic',
  reason: '',
  todo: [],
  effort: 1,
  closes: [],
  data: {},
  ...more,
});
const proposal = (id: string, edits: readonly TextEdit[], more: Partial<Proposal> = {}): Proposal => ({
  item: item(id),
  hub: false,
  outcome: 'rewrite',
  changes: [{ kind: 'edit', file: 'a.ts', edits }],
  needs: [],
  todo: [],
  notes: [],
  ...more,
});

describe('proposals', () => {
  it('collide over shared text, one insertion point, one file with two fates, one shim path', () => {
    const one = proposal('one', [{ start: 0, end: 5, text: '' }]);
    expect(collide(one, proposal('two', [{ start: 5, end: 6, text: '' }]))).toBe(false);
    expect(collide(one, proposal('two', [{ start: 4, end: 6, text: '' }]))).toBe(true);
    expect(collide(proposal('a', [{ start: 3, end: 3, text: 'x' }]), proposal('b', [{ start: 3, end: 3, text: 'x' }]))).toBe(true);
    expect(collide(one, proposal('two', [], { changes: [{ kind: 'remove', file: 'a.ts' }] }))).toBe(true);
    const shim = (model: object) =>
      proposal('s', [], { changes: [], needs: [{ kind: 'shim', template: 't', path: 's.ts', model: model as Record<string, unknown> }] });
    expect([collide(shim({ a: 1 }), shim({ a: 2 })), collide(shim({ a: 1 }), shim({ a: 1 }))]).toEqual([true, false]);
  });
  it('take turns: hubs first, then by name', () => {
    expect([proposal('b', []), proposal('z', [], { hub: true }), proposal('a', [])].sort(byTurn).map((each) => each.item.id)).toEqual(['z', 'a', 'b']);
  });
  it('are lost, with a reason, when the rewriter throws, overlaps itself, or edits what is not there', () => {
    const context = {
      text: (path: string) => (path === 'a.ts' ? 'readGauge()' : undefined),
      exists: (path: string) => path === 'a.ts',
      options: { legacy: 'auto', sunset: undefined, owner: undefined },
    } as unknown as RewriteContext;
    const answer = (rewrite: () => never | { edits: readonly TextEdit[]; file?: string }) =>
      propose(
        item('x'),
        callConcern({
          id: 'x',
          name: 'x',
          more: {
            rewrite: () => {
              const { edits, file = 'a.ts' } = rewrite();
              return { outcome: 'rewrite', changes: [{ kind: 'edit', file, edits }], needs: [], todo: [], notes: [] };
            },
          },
        }),
        context,
      );
    expect(
      answer(() => {
        throw new Error('sank');
      }),
    ).toMatchObject({ kind: 'failed', reason: { why: 'the rewriter failed: sank' } });
    expect(
      answer(() => ({
        edits: [
          { start: 0, end: 4, text: '' },
          { start: 2, end: 5, text: '' },
        ],
      })),
    ).toMatchObject({ kind: 'failed', reason: { why: expect.stringContaining('overlap') as string } });
    expect(answer(() => ({ edits: [{ start: 0, end: 99, text: '' }] }))).toMatchObject({
      kind: 'failed',
      reason: { why: expect.stringContaining('outside') as string },
    });
    expect(answer(() => ({ edits: [], file: 'b.ts' }))).toMatchObject({ kind: 'failed' });
    expect(answer(() => ({ edits: [{ start: 0, end: 4, text: 'read' }] }))).toMatchObject({ kind: 'nothing' });
  });
});

it('keeps the strongest outcome of an item, and says what is left', () => {
  const outcomes = new Outcomes();
  const reason = { why: 'the mast is bent', next: 'straighten it', sites: [] };
  outcomes.set(item('x'), 'deferred', { reason });
  outcomes.set(item('x'), 'applied', { files: ['b.ts', 'a.ts'] });
  outcomes.set(item('x'), 'refused', { reason });
  expect(outcomes.all()).toEqual([
    { item: 'x', title: 'x', milestone: 'entry', outcome: 'applied', todo: [], notes: ['Left as it is: the mast is bent'], files: ['a.ts', 'b.ts'] },
  ]);
});
