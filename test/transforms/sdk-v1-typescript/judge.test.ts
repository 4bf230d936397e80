import { describe, expect, it } from 'vitest';
import type { Fact, Finding, Inventory } from '../../../src/core/index.js';
import { BY_NAME, judge } from '../../../transforms/sdk-v1-typescript/judge.js';

const site = (file: string) => ({ file, span: { start: 0, end: 1 }, line: 1, endLine: 1, column: 1, endColumn: 2 });
const inventory = (sdk: readonly number[]): Inventory => ({
  packages: ['.', 'tools'].map((folder) => ({ folder, candidate: true, sdk: folder === 'tools' ? sdk : [], ahead: [], moduleType: 'module' as const })),
  endpoints: [],
  servers: [],
  clients: [],
  stores: [],
  legacyLane: [],
});
const finding = (kind: string, file: string, reason = '`z.int` differs between zod 3 and 4'): Finding => ({
  id: `sdk-v1-typescript/${kind}`,
  site: site(file),
  related: [],
  certainty: kind === 'zod-floor' ? 'likely' : 'certain',
  impact: 'degrades',
  category: 'sdk',
  lane: 'both',
  role: 'source',
  milestone: 'sdk',
  evidence: [],
  group: 'tools',
  data: { reason },
  fingerprint: 'f',
});
const ranges = (entries: Readonly<Record<string, string>>): readonly Fact[] =>
  Object.entries(entries).map(([file, range]) => ({ type: 'requirement', site: site(file), name: 'zod', range }));

describe('zod is judged by the ranges of the package', () => {
  const told = (entries: Readonly<Record<string, string>>, reason?: string): boolean =>
    judge(finding('zod-range', 'tools/limits.ts', reason), inventory([1]), ranges(entries)) !== undefined;

  it.each([
    ['its own range allows zod 3', { 'tools/package.json': '^3.25.0 || ^4.0.0' }, true],
    ['its own range is zod 4', { 'tools/package.json': '^4.1.0' }, false],
    ['its own range goes before that of the root', { 'tools/package.json': '^3.25.0', 'package.json': '^4.1.0' }, true],
    ['the root has the range', { 'package.json': '~4.1.0' }, false],
    ['nobody says', {}, true],
  ])('%s', (_name, entries, expected) => {
    expect(told(entries)).toBe(expected);
  });

  it('keeps zod 3 that is imported by name', () => {
    expect(told({ 'tools/package.json': '^4.1.0' }, BY_NAME)).toBe(true);
  });

  it('says nothing of a floor where code was read and none imports SDK v1', () => {
    const read: Fact = { type: 'function', site: site('tools/main.ts'), symbol: { file: 'tools/main.ts', name: 'main' } };
    expect(judge(finding('zod-floor', 'tools/package.json'), inventory([]), [read])).toBeUndefined();
    expect(judge(finding('zod-floor', 'tools/package.json'), inventory([1]), [read])).toBeDefined();
    expect(judge(finding('manifest-dependency', 'tools/package.json'), inventory([]), [read])).toMatchObject({ impact: 'none' });
    // Manifests alone say nothing of code.
    expect(judge(finding('zod-floor', 'tools/package.json'), inventory([]), [])).toBeDefined();
  });
});
