import { describe, expect, it } from 'vitest';
import { addDays, checkDates, checkDatesAgainst, dayOf } from '../../src/runbook/index.js';
import { at, finding } from './shop.js';

const now = '2026-11-30';
const messages = (sunset?: string, owner?: string): readonly string[] =>
  checkDates({ sunset, owner, now }).map((problem) => `${problem.option} ${problem.message}`);

describe('--sunset and --owner', () => {
  it('are both demanded', () => {
    const problems = messages();
    expect(problems).toHaveLength(2);
    expect(problems[0]).toContain('--sunset YYYY-MM-DD');
    expect(problems[1]).toContain('--owner "NAME"');
  });

  it.each([
    ['31.05.2027', 'write YYYY-MM-DD'],
    ['2027-5-31', 'write YYYY-MM-DD'],
    ['next summer', 'write YYYY-MM-DD'],
    ['2027-02-30', 'is not a day of the calendar'],
    ['2027-13-01', 'is not a day of the calendar'],
    ['2026-11-30', 'is not in the future'],
    ['2025-01-01', 'is not in the future'],
    ['2026-12-24', '2027-01-13 at the earliest'],
  ])('refuses %s', (sunset, message) => {
    expect(messages(sunset, 'Ada')).toHaveLength(1);
    expect(messages(sunset, 'Ada')[0]).toContain(message);
  });

  it('takes the first day that leaves room for the phases', () => {
    expect(messages(addDays(now, 44), 'Ada')).toEqual([]);
    expect(messages(addDays(now, 43), 'Ada')).toHaveLength(1);
  });

  it.each(['TBD', 'n/a', '  ', '???', 'someone'])('refuses the owner "%s"', (owner) => {
    expect(messages('2027-05-31', owner)).toHaveLength(1);
  });

  it('knows leap days', () => {
    expect(dayOf('2028-02-29')).toBeDefined();
    expect(dayOf('2027-02-29')).toBeUndefined();
  });
});

describe('against the repository', () => {
  const promise = (promised: string) => finding({ id: 'removal-promise/sunset-header', site: at('src/legacy.ts', 4), data: { promised } });

  it('refuses a date before a promise, with its place', () => {
    const [problem] = checkDatesAgainst({ findings: [promise('2027-12-31')] }, '2027-05-31');
    expect(problem).toMatchObject({ option: '--sunset', level: 'fault' });
    expect(problem?.message).toContain('src/legacy.ts:4');
    expect(problem?.message).toContain('2027-12-31');
  });

  it('takes the promised day and later ones', () => {
    expect(checkDatesAgainst({ findings: [promise('2027-05-31')] }, '2027-05-31')).toEqual([]);
    expect(checkDatesAgainst({ findings: [promise('2027-05-31')] }, '2027-06-01')).toEqual([]);
  });

  it('warns about a deprecated feature that outlives its registry day, and not about one that does not', () => {
    const roots = finding({ id: 'server-push/roots', site: at('src/dirs.ts', 6), data: { deprecated: 'roots' } });
    expect(checkDatesAgainst({ findings: [roots] }, '2027-12-31').map((problem) => problem.level)).toEqual(['warning']);
    expect(checkDatesAgainst({ findings: [roots] }, '2027-05-31')).toEqual([]);
  });

  it('ignores hints of the wrong shape', () => {
    expect(checkDatesAgainst({ findings: [promise('soon')] }, '2027-05-31')).toEqual([]);
  });
});
