import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../src/core/index.js';
import { PLAIN, prettyMigrate, prettyRule, prettyRules, prettyScan, prettyVerify, type RuleCard } from '../../src/report/index.js';
import { crowdedResult, fault, finding, item, migrateResult, scanResult, site, verifyReport } from './results.js';

const ESC = '\u001b';
const lines = (text: string): readonly string[] => text.replace(/\n$/, '').split('\n');
const FORBIDDEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/; // eslint-disable-line no-control-regex

describe('prettyScan', () => {
  it('shows a work item with severity, place, remedy and next step', () => {
    expect(prettyScan(scanResult(), PLAIN)).toBe(`unsession 0.1.0  /home/ada/loans at a1b2c3d4e
milestones: sdk done, entry ahead; 42 files

error   Session map and transports of /mcp                             automatic
        a1b2c3  src/server.ts:8
        next: unsession migrate --item a1b2c3

1 finding in 1 work item, about 30 min by hand; 1 error; 2 more in tests

Next
  unsession migrate  shows the rewrite as a diff
--verbose shows all places; "explain RULE" says more
`);
  });

  it.each([0, 1, 2, 4, 7, 40])('fits 25 lines of 80 columns with %i work items, refusals, lanes and faults', (number) => {
    const screen = lines(prettyScan(crowdedResult(number), PLAIN));
    expect(screen.length).toBeLessThanOrEqual(25);
    for (const line of screen) expect(line.length, line).toBeLessThanOrEqual(80);
  });

  it('says how many items the first screen leaves out, and shows all of them with verbose', () => {
    const result = crowdedResult(40);
    expect(prettyScan(result, PLAIN)).toMatch(/and \d+ more work items \(\d+ errors?, \d+ warnings?\); --verbose/);
    const all = prettyScan(result, { ...PLAIN, verbose: true });
    for (const entry of result.plan.items) expect(all).toContain(entry.id);
    for (const entry of result.findings) expect(all).toContain(`${entry.site.file}:${String(entry.site.line)}:3`);
    for (const notice of result.notAnalysed) expect(all).toContain(notice.file);
    for (const refusal of result.refusals) expect(all).toContain(refusal.id);
  });

  it('fills the texts of a rule, and lists evidence, related places and checks with verbose', () => {
    const result = scanResult({
      findings: [finding({ fingerprint: 'f1', evidence: ['the key is the session header'], related: [site('src/open.ts', 6, 'written here')] })],
    });
    const text = prettyScan(result, { ...PLAIN, verbose: true });
    for (const part of [
      'Transports are kept in "transports" by session id.',
      'next: Serve transports per request.',
      '- the key is the session header',
      'see src/open.ts:6: written here',
      'checks: CK-H01',
      'Milestone entry',
    ])
      expect(text).toContain(part);
  });

  it('never reads as clean when a file was not analysed', () => {
    const empty = { findings: [], inTests: 0, plan: { ...scanResult().plan, items: [], effort: 0 }, next: [] };
    expect(prettyScan(scanResult(empty), PLAIN)).toContain('Nothing to migrate');
    expect(prettyScan(scanResult({ ...empty, stats: { ...scanResult().stats, candidates: 0 } }), PLAIN)).toContain('No MCP code');
    const broken = prettyScan(scanResult({ ...empty, notAnalysed: [fault('src/old.ts')] }), PLAIN);
    expect(broken).toContain('not the whole picture');
    expect(broken).toContain('src/old.ts:4 (syntax)');
    expect(broken).not.toContain('Nothing to migrate');
  });

  it('prints commands for the path that the user typed', () => {
    expect(prettyScan(scanResult(), { ...PLAIN, target: 'my server' })).toContain("unsession migrate --item a1b2c3 'my server'");
  });

  it('takes the next step from the remedy', () => {
    const next = (over: Parameters<typeof item>[0], more = {}): string =>
      /next: (.*)/.exec(prettyScan(scanResult({ plan: { ...scanResult().plan, items: [item(over)] }, ...more }), PLAIN))?.[1] ?? '';
    expect(next({ id: 'x', findings: ['f1'], remedy: 'guided', todo: ['a', 'b'] })).toBe('unsession migrate --item x, then 2 steps by hand');
    expect(next({ id: 'x', findings: ['f1'], remedy: 'manual', todo: ['Key the quota by principal.'] })).toBe('Key the quota by principal.');
    expect(next({ id: 'x', findings: ['f1'] }, { milestone: { sdk: 'ahead', entry: 'ahead' } })).toBe('after milestone sdk, unsession migrate --item x');
    expect(next({ id: 'x', findings: ['f1'], remedy: 'manual' })).toBe('Serve transports per request.');
    expect(next({ id: 'x', findings: ['f1'], remedy: 'refused', reason: 'credentials are checked once' })).toBe('credentials are checked once');
  });

  it('prints colours only when they are allowed, and no escape of the repository ever', () => {
    const evil = `evil${ESC}]8;;http://x\u0007\u202e\r\n.ts`;
    const hostile = scanResult({
      target: { root: evil },
      findings: [finding({ fingerprint: 'f1', site: site(evil, 1), data: { variable: evil }, evidence: [evil], related: [site(evil, 2, evil)] })],
      plan: { ...scanResult().plan, items: [item({ id: evil, findings: ['f1'], title: evil, reason: evil, todo: [evil] })] },
      notAnalysed: [fault(evil, 'syntax', evil)],
      refusals: [{ id: evil, title: evil, reason: { why: evil, next: evil, sites: [site(evil, 3)] } }],
      next: [{ command: evil, why: evil }],
    });
    for (const verbose of [false, true]) expect(prettyScan(hostile, { ...PLAIN, verbose })).not.toMatch(FORBIDDEN);
    expect(prettyScan(scanResult(), PLAIN)).not.toContain(ESC);
    expect(prettyScan(scanResult(), { ...PLAIN, color: true })).toContain(`${ESC}[`);
  });
});

describe('prettyMigrate', () => {
  it('shows the diff, what became of each item, the proofs and the next steps', () => {
    const text = prettyMigrate(migrateResult(), PLAIN);
    for (const part of [
      'Dry run: 1 file would change, nothing was written.',
      'Milestone entry (the wire changes): 1 item, 1 file',
      '-a\\x1b[31m\n+b\n',
      'Work items: 1 applied, 1 refused',
      'why: the key is written to a database',
      'next: Decide where the basket lives.',
      'at src/basket.ts:12',
      'by hand: Set a date for the legacy lane.',
      'note: open.ts is dead now',
      'Proofs: parse 1/1, names bound 1/1, rest untouched 1/1, types not checked, second run changes nothing',
      'npm install  brings package-lock.json up to date',
    ])
      expect(text).toContain(part);
    expect(text.indexOf('a1b2c3')).toBeLessThan(text.indexOf('bbbbbb'));
    expect(text).not.toMatch(FORBIDDEN);
  });

  it('names the files instead of the diff when they are written', () => {
    const text = prettyMigrate(migrateResult({ written: true }), PLAIN);
    expect(text).toContain('1 file written; "unsession undo" takes it back');
    expect(text).toContain('edit    src/server.ts');
    expect(text).not.toContain('@@');
  });

  it('says so when nothing would change', () => {
    expect(prettyMigrate(migrateResult({ patches: [], outcomes: [], proofs: [], next: [] }), PLAIN)).toContain('Nothing would change.');
  });
});

describe('prettyVerify', () => {
  it('puts failures first, with the last exchange, and counts the rest', () => {
    const text = prettyVerify(verifyReport(), PLAIN);
    for (const part of [
      '(http, loan-desk 1.4.0)',
      'It speaks 2025-06-18 and not 2026-07-28.\n  1. Answer server/discover.',
      '\n1.2 s\n',
      '- the body is not JSON',
    ])
      expect(text).toContain(part);
    expect(text).toContain('FAIL       CK-H01  discover answers (must, modern)\n           expected 200, saw 400');
    expect(text).toContain('> POST http://127.0.0.1:3000/mcp {"method":"server/discover"}');
    expect(text).toContain('1 fail, 0 warn, 0 unclear, 0 not tested, 1 pass, 0 n/a');
    expect(text).not.toContain('CK-H02');
    expect(text).not.toMatch(FORBIDDEN);
    expect(prettyVerify(verifyReport(), { ...PLAIN, verbose: true })).toContain('CK-H02');
  });

  it('names the lane of a server that serves the revision, and puts checks without a verdict together', () => {
    const [first] = verifyReport().results;
    const gone = ['CK-H05', 'CK-H06', 'CK-H07'].map((id) => ({ ...(first as CheckResult), id, verdict: 'inconclusive' as const, reason: 'The peer is gone.' }));
    const text = prettyVerify(verifyReport({ eras: { modern: true, legacy: true }, results: gone }), PLAIN);
    expect(text).toContain('Legacy lane expected: stateless; 1.2 s');
    expect(text).toContain('unclear    3 checks, from CK-H05 on\n           The peer is gone.\n');
  });

  it('says when nothing could be tested', () => {
    expect(prettyVerify(verifyReport({ results: [], inconclusive: 'connection refused' }), PLAIN)).toContain('Nothing could be tested: connection refused');
  });
});

describe('prettyRule', () => {
  const card: RuleCard = {
    id: 'session-transport/map',
    title: 'Session transports',
    what: 'Transports are kept by session id.',
    why: 'Others lack them.',
    next: 'Serve per request.',
    impact: 'breaks',
    category: 'transport',
    milestone: 'entry',
    rewritable: true,
    spec: ['https://example.org/spec'],
  };

  it('prints what, why, next, before, after and the link', () => {
    const text = prettyRule([card], { before: 'old();', after: 'new();\r\n', byHand: '' }, PLAIN);
    for (const part of [
      'session-transport/map  error, transport, milestone entry',
      'what: Transports are kept',
      'why:  Others',
      'next: Serve',
      'Before\nold();',
      'After\nnew();',
      'spec: https://example.org/spec',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('By hand');
  });

  it('lists rules one a line', () => {
    expect(prettyRules([card, { ...card, id: 'session-transport/gate', impact: 'tidies' }, { ...card, id: 'sse-transport/route', title: 'HTTP+SSE' }], PLAIN))
      .toBe(`session-transport  Session transports
  map    error    Transports are kept by session id.
  gate   note     Transports are kept by session id.

sse-transport  HTTP+SSE
  route  error    Transports are kept by session id.

3 rules. "unsession explain CONCERN/RULE" says what, why and how.
`);
  });
});
