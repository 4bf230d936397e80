import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../src/core/index.js';
import { parse } from '../../../src/languages/typescript/index.js';
import { BrokenDraftError, Draft } from '../../../transforms/sdk-v1-typescript/rewrite/draft.js';

const draftOf = (text: string): Draft => {
  const { file } = parse('a.ts', text);
  if (!file) throw new Error('not parsed');
  return new Draft(file);
};

describe('a draft', () => {
  it('sums up stages as edits of the original', () => {
    const draft = draftOf('one(); two(); three();');
    draft.apply([{ start: 0, end: 3, text: 'first' }], 'a');
    draft.apply([{ start: 9, end: 12, text: 'second' }], 'b');
    draft.apply([{ start: 9, end: 15, text: 'x' }], 'c');
    expect(draft.file.text).toBe('first(); x(); three();');
    expect(applyEdits(draft.original.text, draft.edits())).toBe(draft.file.text);
    expect(draft.edits()).toEqual([
      { start: 0, end: 3, text: 'first' },
      { start: 7, end: 10, text: 'x' },
    ]);
  });

  it('gives the text of the last stage, whatever the edits', () => {
    const text = 'aaa;bbb;ccc;ddd;';
    fc.assert(
      fc.property(fc.array(fc.record({ at: fc.nat(3), by: fc.constantFrom('x', 'yyyyy', 'zz') }), { maxLength: 8 }), (steps) => {
        const draft = draftOf(text);
        for (const { at, by } of steps) {
          const names = [...draft.file.text.matchAll(/\w+/g)];
          const name = names[at];
          if (name) draft.apply([{ start: name.index, end: name.index + name[0].length, text: by }], 'step');
        }
        expect(applyEdits(text, draft.edits())).toBe(draft.file.text);
      }),
    );
  });

  it('maps offsets both ways', () => {
    const draft = draftOf('one(); two();');
    draft.apply([{ start: 0, end: 3, text: 'longer' }], 'a');
    expect(draft.toOriginal(10)).toBe(7);
    expect(draft.toCurrent(7)).toBe(10);
  });

  it('refuses a stage that breaks the syntax', () => {
    const draft = draftOf('one();');
    expect(() => draft.apply([{ start: 3, end: 5, text: '(' }], 'a stage')).toThrow(BrokenDraftError);
    expect(draft.file.text).toBe('one();');
  });
});
