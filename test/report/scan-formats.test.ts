import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import type { ScanResult } from '../../src/core/index.js';
import { githubScan, junitScan, markdownScan } from '../../src/report/index.js';
import { crowdedResult, fault, finding, item, scanResult, site } from './results.js';

const EVIL = 'src/a,b:c%0A::error::owned\r\n::set-output name=x::y\n\u001b[31m</summary><script>x</script>|`code`@ada [l](https://x)&\u202e.ts';

/** A result in which every string that a repository decides tries to get out of its place. */
function hostile(): ScanResult {
  const base = scanResult();
  return {
    ...base,
    target: { root: EVIL, commit: EVIL },
    findings: [finding({ fingerprint: 'f1', site: site(EVIL, 3), data: { variable: EVIL }, evidence: [EVIL] })],
    plan: { ...base.plan, items: [item({ id: 'a1b2c3', findings: ['f1'], title: EVIL, reason: EVIL, todo: [EVIL], remedy: 'manual' })] },
    suppressions: [{ site: site(EVIL, 9), rule: EVIL, state: 'stale' }],
    notAnalysed: [fault(EVIL, 'syntax', EVIL)],
    refusals: [{ id: 'public-exposure', title: EVIL, reason: { why: EVIL, next: EVIL, sites: [site(EVIL, 1)] } }],
    next: [{ command: EVIL, why: EVIL }],
  };
}

/** A line of the log as the runner of GitHub Actions reads it: name, properties, message. */
function parsed(line: string): { readonly name: string; readonly properties: Readonly<Record<string, string>>; readonly message: string } | undefined {
  const match = /^::(\w+)(?: (.*?))?::(.*)$/s.exec(line);
  if (!match) return undefined;
  const plain = (text: string): string => text.replace(/%3A/g, ':').replace(/%2C/g, ',').replace(/%0D/g, '\r').replace(/%0A/g, '\n').replace(/%25/g, '%');
  const properties = (match[2] ?? '').split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 0 ? [] : [[pair.slice(0, at), plain(pair.slice(at + 1))] as const];
  });
  return { name: match[1] ?? '', properties: Object.fromEntries(properties), message: plain(match[3] ?? '') };
}

describe('githubScan', () => {
  it('annotates the place, and ends with a line for the log', () => {
    const [first = '', last] = githubScan(scanResult(), 'desk/').trimEnd().split('\n');
    expect(parsed(first)).toEqual({
      name: 'error',
      properties: { file: 'desk/src/server.ts', line: '8', endLine: '8', col: '3', endColumn: '8', title: 'session-transport/map' },
      message: 'Transports are kept in "transports" by session id. Serve transports per request.',
    });
    expect(last).toBe('unsession: 1 finding in 1 open work item.');
  });

  it('lets nothing of a repository become a command or another property', () => {
    const lines = githubScan(hostile(), '').trimEnd().split('\n');
    const commands = lines.map(parsed);
    expect(commands.map((command) => command?.name)).toEqual(['error', 'error', 'warning', 'error', undefined]);
    expect(lines.join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/); // eslint-disable-line no-control-regex
    const names = new Set(['file', 'line', 'endLine', 'col', 'endColumn', 'title']);
    for (const command of commands) for (const name of Object.keys(command?.properties ?? {})) expect(names).toContain(name);
    // What the runner reads back is the name as it is printed everywhere else: whole, on one line.
    expect(commands[3]?.properties.file).toBe(
      String.raw`src/a,b:c%0A::error::owned\r\n::set-output name=x::y\n\x1b[31m</summary><script>x</script>|` + '`code`@ada [l](https://x)&\\u202e.ts',
    );
  });

  it('stays within what GitHub shows, the worst first, and says what it left out', () => {
    const result = crowdedResult(40);
    const lines = githubScan(result, '').trimEnd().split('\n');
    const of = (name: string): number => lines.filter((line) => parsed(line)?.name === name).length;
    expect(of('error')).toBe(10);
    expect(of('warning')).toBeLessThanOrEqual(10);
    // Faults, refusals and one rule with five places: the other findings are counted.
    expect(lines.filter((line) => parsed(line)?.properties.title === 'session-transport/map')).toHaveLength(5);
    expect(lines.at(-1)).toMatch(
      /^unsession: 120 findings in 40 open work items\. 3 files could not be analysed, so this is not the whole picture\. 116|115 findings without/,
    );
  });

  it('never calls unread code clean, and annotates nothing that needs no work', () => {
    const clean = scanResult({ findings: [], plan: { ...scanResult().plan, items: [] } });
    expect(githubScan(clean, '')).toBe('unsession: Nothing to migrate: the MCP code here depends on no session.\n');
    expect(githubScan({ ...clean, notAnalysed: [fault('src/old.ts')] }, '')).toContain('1 file could not be analysed, so this is not the whole picture');
    expect(githubScan({ ...clean, stats: { ...clean.stats, read: 0 } }, '')).toContain('Nothing could be read');
    expect(githubScan(scanResult({ findings: [finding({ fingerprint: 'f1', impact: 'none' })] }), '')).not.toContain('::');
  });
});

describe('markdownScan', () => {
  it('says what there is to do, and where', () => {
    const text = markdownScan(scanResult());
    expect(text).toContain('**1 error.** 1 finding in 1 open work item. Milestones: sdk done, entry ahead.');
    expect(text).toContain('| error | Session map and transports of /mcp `a1b2c3` | automatic | `src/server.ts:8` | unsession migrate --item a1b2c3 |');
    expect(text).toContain('| error | `src/server.ts:8` | Transports are kept in "transports" by session id. `session-transport/map` |');
  });

  it('lets nothing of a repository become markup, a link or a mention', () => {
    const html = marked.parse(markdownScan(hostile()), { async: false });
    expect(html).not.toMatch(/<script|<a |<img/);
    expect(html.replace(/<code>.*?<\/code>/gs, '')).not.toMatch(/@ada|https:\/\//);
    expect(html.match(/<details>/g)).toHaveLength(1);
    expect(html.match(/<\/summary>/g)).toHaveLength(1);
    for (const table of html.match(/<tr>.*?<\/tr>/gs) ?? []) expect([4, 5]).toContain(table.match(/<t[dh]/g)?.length);
  });

  it('fits into a job summary, whatever the repository', () => {
    const base = scanResult();
    const many = Array.from({ length: 20_000 }, (_, index) =>
      finding({ fingerprint: `f${String(index)}`, site: site(`src/${'deep/'.repeat(30)}${String(index)}.ts`, 1) }),
    );
    const items = many.map((one, index) => item({ id: `i${String(index)}`, findings: [one.fingerprint] }));
    const text = markdownScan({ ...base, findings: many, plan: { ...base.plan, items } });
    expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
    expect(text).toMatch(/parts of this report did not fit/);
    const one = markdownScan({
      ...base,
      findings: many,
      plan: { ...base.plan, items: [item({ id: 'all', findings: many.map(({ fingerprint }) => fingerprint) })] },
    });
    expect(one).toContain('19800 more findings');
  });
});

describe('junitScan', () => {
  /** Names of elements in order, with every one closed: what a reader of XML would refuse shows as an error. */
  function elements(text: string): readonly string[] {
    const open: string[] = [];
    const seen: string[] = [];
    const rest = text.replace(/<(\/?)([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>/g, (_whole, closing: string, name: string, _attributes: string, empty: string) => {
      if (closing !== '') expect(open.pop()).toBe(name);
      else {
        seen.push(name);
        if (empty === '') open.push(name);
      }
      return '';
    });
    expect(open).toEqual([]);
    expect(rest.replace(/^<\?xml version="1.0" encoding="UTF-8"\?>/, '')).not.toMatch(/[<>]|&(?!#\d+;)/);
    return seen;
  }

  it('fails what reaches the threshold, and passes the rest', () => {
    const result = scanResult({ findings: [finding({ fingerprint: 'f1' }), finding({ fingerprint: 'f2', impact: 'tidies' })] });
    expect(elements(junitScan(result, 'warning'))).toEqual(['testsuites', 'testsuite', 'testcase', 'failure', 'testcase', 'system-out']);
    expect(junitScan(result, 'warning')).toContain('tests="2" failures="1" errors="0"');
    expect(junitScan(result, 'note')).toContain('tests="2" failures="2" errors="0"');
    expect(junitScan(result, 'never')).toContain('tests="2" failures="0" errors="0"');
  });

  it('is an error for what was not read, and one passing case for nothing', () => {
    const clean = scanResult({ findings: [] });
    expect(elements(junitScan(clean, 'warning'))).toEqual(['testsuites', 'testsuite', 'testcase']);
    expect(elements(junitScan({ ...clean, notAnalysed: [fault('src/old.ts')] }, 'never'))).toEqual(['testsuites', 'testsuite', 'testcase', 'error']);
    expect(junitScan({ ...clean, stats: { ...clean.stats, discovered: 0, read: 0 } }, 'never')).toContain('errors="1"');
  });

  it('stays XML for a hostile repository', () => {
    expect(elements(junitScan(hostile(), 'warning'))).toEqual(['testsuites', 'testsuite', 'testcase', 'failure', 'testcase', 'failure', 'testcase', 'error']);
  });
});
