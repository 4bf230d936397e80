import { describe, expect, it } from 'vitest';
import { MigrateResult, ScanResult, VerifyReport } from '../../src/core/index.js';
import { json, shellWord, visible, visibleLines } from '../../src/report/index.js';
import { crowdedResult, finding, migrateResult, scanResult, site, verifyReport } from './results.js';

describe('json', () => {
  it('is complete, valid and versioned', () => {
    const scan = crowdedResult(40);
    expect(ScanResult.parse(JSON.parse(json(scan)))).toEqual(scan);
    expect(MigrateResult.parse(JSON.parse(json(migrateResult())))).toEqual(migrateResult());
    expect(VerifyReport.parse(JSON.parse(json(verifyReport())))).toEqual(verifyReport());
    expect(JSON.parse(json(scan))).toMatchObject({ schemaVersion: '1', tool: { name: 'unsession' } });
    expect(json(scan).endsWith('}\n')).toBe(true);
  });

  it('holds nothing that a terminal obeys, and loses nothing', () => {
    const evil = 'a\u001b[2J\u009b31m\u202e\u2028\ufeffb"\\\n';
    const result = scanResult({ findings: [finding({ fingerprint: 'f1', site: site(evil, 1) })] });
    expect(json(result)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\ufeff]/); // eslint-disable-line no-control-regex
    expect(ScanResult.parse(JSON.parse(json(result))).findings[0]?.site.file).toBe(evil);
  });
});

describe('escaping', () => {
  it('makes controls visible and keeps ordinary text', () => {
    expect(visible('naïve 😀 日本')).toBe('naïve 😀 日本');
    expect(visible('a\tb\r\n\u001b\u0085\u202e')).toBe(String.raw`a\tb\r\n\x1b\x85\u202e`);
    expect(visibleLines('a\r\n\tb\rc\u001b\n')).toBe('a\n\tb\\rc\\x1b\n');
  });

  it('quotes shell words', () => {
    expect(['src', 'my server', "it's", '$(rm)'].map(shellWord)).toEqual(['src', "'my server'", String.raw`'it'\''s'`, "'$(rm)'"]);
  });
});
