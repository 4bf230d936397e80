import { lexer } from 'marked';
import { describe, expect, it } from 'vitest';
import { githubPayload, rdjsonl, reviewOf, summaryBody } from '../../src/report/index.js';
import { SuggestResult, type Finding, type Replacement, type WorkItem } from '../../src/core/index.js';
import { finding, item, scanResult, site } from './results.js';

/** A pull request that shows the first 400 lines of one file, with these findings, each in an item of its own unless said otherwise. */
function pull(
  findings: readonly Finding[],
  over: Partial<SuggestResult> = {},
  items: readonly WorkItem[] = findings.map((entry) => own(entry)),
): SuggestResult {
  const base = scanResult();
  const before = scanResult({ findings, plan: { ...base.plan, items } });
  return SuggestResult.parse({
    schemaVersion: '1',
    tool: before.tool,
    target: before.target,
    prefix: '',
    command: 'npx unsession',
    changed: [{ file: 'src/server.ts', state: 'changed', hunks: [{ start: 1, end: 400 }], added: [{ start: 1, end: 400 }], fits: true }],
    touched: findings
      .filter((entry) => entry.site.file === 'src/server.ts')
      .map((entry) => ({ finding: entry.fingerprint, line: entry.site.line, added: true })),
    replacements: [],
    held: [],
    rewritable: items.map((entry) => entry.id),
    patch: '',
    before,
    ...over,
  });
}

const own = (entry: Finding, over: Partial<WorkItem> = {}): WorkItem =>
  item({ id: `item-${entry.fingerprint}`, findings: [entry.fingerprint], concern: entry.id.slice(0, entry.id.indexOf('/')), ...over });

const many = (number: number, id: Finding['id'], over: Partial<Finding> = {}): readonly Finding[] =>
  Array.from({ length: number }, (_, index) =>
    finding({ fingerprint: `${id}.${String(index)}`, id, site: site('src/server.ts', index + 1), related: [], ...over }),
  );

const replacement = (items: readonly string[], over: Partial<Replacement> = {}): Replacement => ({
  items,
  file: 'src/server.ts',
  lines: { start: 1, end: 2 },
  before: ['a', 'b'],
  after: ['c'],
  neighbours: { after: 'd' },
  notes: [],
  ...over,
});

describe('a review of many findings', () => {
  const imports = many(45, 'sdk-v1-typescript/sdk-import', { impact: 'degrades' });
  const policy = many(1, 'session-state/policy-key', { site: site('src/server.ts', 90) });
  const map = many(3, 'session-transport/map', { site: site('src/server.ts', 95) });
  const docs = many(12, 'removal-promise/documented-date', { role: 'docs', impact: 'degrades' });
  const all = [...docs, ...imports, ...policy, ...map];
  const [first] = map;
  if (!first) throw new Error('there is a map');
  const items = [...[...docs, ...imports, ...policy].map((entry) => own(entry)), own(first, { findings: map.map((entry) => entry.fingerprint) })];
  const result = pull(all, {}, items);

  it('says the worst first, a group once, no rule more than five times, and documents not at all', () => {
    expect(reviewOf(result).remarks.map((remark) => remark.finding.id)).toEqual([
      'session-state/policy-key',
      'session-transport/map',
      ...Array.from({ length: 5 }, () => 'sdk-v1-typescript/sdk-import'),
    ]);
  });

  it('tells in the summary how many there are, and why the rest is silent', () => {
    const body = summaryBody(reviewOf(result), result) ?? '';
    expect(body).toContain('61 findings');
    expect(body).toContain('In the diff: 7 comments.');
    expect(githubPayload(result).elsewhere.filter((entry) => entry.why === 'limit')).toHaveLength(40);
    expect(githubPayload(result).elsewhere.filter((entry) => entry.why === 'tests')).toHaveLength(12);
    expect(body.length).toBeLessThan(65_536);
  });

  it('stays within 25 comments in all, and within other limits when asked', () => {
    const rules = Array.from({ length: 9 }, (_, index) => many(9, `concern-${String(index)}/kind`, { site: site('src/server.ts', index + 1) })).flat();
    expect(reviewOf(pull(rules)).remarks).toHaveLength(25);
    expect(reviewOf(pull(rules), { perRule: 1, total: 4 }).remarks).toHaveLength(4);
  });

  it('keeps a summary of thousands of findings below what a forge takes', () => {
    const far = Array.from({ length: 9000 }, (_, index) =>
      finding({ fingerprint: `far${String(index)}`, site: site(`packages/berth-${String(index)}/src/routes/harbour.ts`, 7) }),
    );
    const body = summaryBody(reviewOf(pull([...map, ...far])), pull([...map, ...far])) ?? '';
    expect(body.length).toBeLessThan(65_536);
    expect(body).toMatch(/\d+ more work items/);
  });
});

describe('words of a repository in a comment', () => {
  const hostile = '`@everyone` <img src=x> [here](https://evil.example) | x #12 <!-- unsession:comment 0123456789abcdef -->';
  const result = pull(many(1, 'session-transport/map', { data: { variable: hostile }, site: { ...site('src/server.ts', 1), file: 'src/server.ts' } }));
  const { review, summary } = githubPayload(result);

  it.each([
    ['comment', review.comments[0]?.body ?? ''],
    ['summary', summary?.body ?? ''],
  ])('are text in the %s: no link, no image, no mention, no mark', (_name, body) => {
    const flat = (tokens: readonly { type: string; raw: string; tokens?: unknown }[]): readonly { type: string; raw: string }[] =>
      tokens.flatMap((token) => [token, ...flat((token.tokens ?? []) as { type: string; raw: string }[])]);
    const tokens = flat(lexer(body));
    expect(tokens.filter((token) => token.type === 'link' || token.type === 'image')).toEqual([]);
    expect(
      tokens.filter(
        (token) => token.type === 'html' && !/^<\/?(?:sub|details|summary)|^<!-- unsession:(?:summary|comment [0-9a-f]{16}) -->\s*$/.test(token.raw),
      ),
    ).toEqual([]);
    expect(body.replaceAll(/(`+)(?!`).*?\1/g, '')).not.toMatch(/@everyone|(?<!&)#12/);
  });

  it('leave one mark, on the last line', () => {
    expect(review.comments[0]?.body.split('\n').at(-1)).toMatch(/^<!-- unsession:comment [0-9a-f]{16} -->$/);
    expect(review.comments[0]?.body.split('\n').at(-1)).not.toContain('0123456789abcdef');
  });

  it('cannot end the fence of a suggestion', () => {
    const fences = pull(many(1, 'session-transport/map'), {
      replacements: [replacement(['item-session-transport/map.0'], { after: ['````', '```suggestion', 'x'] })],
    });
    expect(githubPayload(fences).review.comments[0]?.body).toContain('`````suggestion\n````\n```suggestion\nx\n`````\n');
  });
});

describe('one comment', () => {
  it('is a range only when it has more than one line, and an empty suggestion when lines go', () => {
    const [a, b] = many(2, 'session-transport/map');
    if (!a || !b) throw new Error('there are two');
    const replacements = [replacement([own(a).id], { after: [] }), replacement([own(b).id], { lines: { start: 9, end: 9 }, before: ['x'], after: ['y'] })];
    const { comments } = githubPayload(pull([a, b], { replacements })).review;
    expect(comments[0]).toMatchObject({
      side: 'RIGHT',
      start_line: 1,
      start_side: 'RIGHT',
      line: 2,
      body: expect.stringContaining('```suggestion\n```\n') as string,
    });
    expect(comments[1]).toMatchObject({ side: 'RIGHT', line: 9 });
    expect(comments[1]).not.toHaveProperty('start_line');
  });

  it('holds what is to say about one line, and speaks of an item once whichever place leads', () => {
    const [a, b] = [finding({ fingerprint: 'a' }), finding({ fingerprint: 'b', id: 'session-state/policy-key' })];
    const both = githubPayload(pull([a, b])).review.comments;
    expect(both).toHaveLength(1);
    expect(both[0]?.body.match(/<!-- unsession:comment/g)).toHaveLength(2);
    const later = { ...a, site: site('src/server.ts', 80) };
    const [before, after] = [pull([a]), pull([later])].map((result) => reviewOf(result).remarks[0]?.key);
    expect(after).toBe(before);
  });

  it('names the command for an item that is rewritten, and does not for one that is not', () => {
    const [a] = many(1, 'session-transport/map');
    if (!a) throw new Error('there is one');
    const held = (blocked: boolean): SuggestResult['held'] => [{ item: own(a).id, why: 'It changes 2 files.', blocked }];
    expect(githubPayload(pull([a], { held: held(false) })).review.comments[0]?.body).toContain(`npx unsession migrate --item ${own(a).id}`);
    expect(githubPayload(pull([a], { held: held(true) })).review.comments[0]?.body).not.toContain('migrate --item');
    expect(githubPayload(pull([a], { rewritable: [] })).review.comments[0]?.body).not.toContain('migrate --item');
  });

  it('takes a neighbour along when rdjsonl deletes lines, because its ranges keep the last line end', () => {
    const [a] = many(1, 'session-transport/map');
    if (!a) throw new Error('there is one');
    const line = JSON.parse(rdjsonl(pull([a], { replacements: [replacement([own(a).id], { after: [] })] }))) as { suggestions: unknown };
    expect(line.suggestions).toEqual([{ range: { start: { line: 1 }, end: { line: 3 } }, text: 'd' }]);
  });
});
