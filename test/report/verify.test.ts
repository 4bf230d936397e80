import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { junitVerify, markdownVerify } from '../../src/report/index.js';
import { verifyReport } from './results.js';

const hostile = '</failure><script>alert(1)</script>|`x`\n# head\u001b[31m\u0000\ud800]]>&"';
const report = verifyReport({ results: verifyReport().results.map((result) => ({ ...result, title: hostile, reason: hostile, deviations: [hostile] })) });

describe('junitVerify', () => {
  it('counts and names each check, failures with their deviations', () => {
    const text = junitVerify(verifyReport());
    expect(text).toContain('<testsuites name="unsession verify" tests="2" failures="1" errors="0" skipped="0" time="1.234">');
    expect(text).toContain('<testcase classname="legacy.must" name="CK-H02 tools/list answers" time="0.003"/>');
    expect(text).toContain('<failure message="expected 200, saw 400">the body is not JSON&#10;spec: server/discover</failure>');
  });

  it('is one error when nothing could be tested', () => {
    expect(junitVerify(verifyReport({ results: [], inconclusive: 'connection refused' }))).toContain('<error message="connection refused"/>');
  });

  it('lets nothing of an answer become markup', () => {
    const text = junitVerify(report);
    expect(text).not.toContain('<script>');
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/); // eslint-disable-line no-control-regex
    expect([...text.matchAll(/<\/?([a-z-]+)/g)].map((match) => match[1])).toEqual([
      'testsuites',
      'testsuite',
      'testcase',
      'testcase',
      'failure',
      'failure',
      'testcase',
      'testsuite',
      'testsuites',
    ]);
  });
});

describe('markdownVerify', () => {
  it('says the judgement and lists every check', () => {
    const text = markdownVerify(verifyReport());
    expect(text).toContain('It speaks 2025-06-18 and not 2026-07-28.');
    expect(text).toContain('1. Answer server/discover.');
    expect(text).toContain('1 pass, 1 fail. Measured');
    expect(text).toContain('| CK-H01 | **fail** | modern | must | discover answers | expected 200, saw 400 |');
  });

  it('lets nothing of an answer become markup', () => {
    const html = marked.parse(markdownVerify(report), { async: false });
    expect(html).not.toContain('<script>');
    expect(html.match(/<tr>/g)).toHaveLength(3);
    expect(html).not.toContain('<h1>');
    expect(html).not.toContain('<code>');
  });
});
