import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ScanResult, defineConcern, sawNothing, type Concern } from '../../src/core/index.js';
import { scanRepository, UsageError } from '../../src/engine/index.js';
import { mentions } from '../../src/engine/scan/ring.js';
import { callConcern, calledName, kind, knowledge, repository, signs, structure } from './kit.js';

const gauge = callConcern({ id: 'gauge', name: 'readGauge', to: 'readLevel', more: { literals: { strong: ['harbour-gauge'], weak: ['readGauge'] } } });
const MANIFEST = '{ "name": "harbour", "type": "module" }\n';

describe('what is looked at', () => {
  it('lets a strong literal decide for its package, and weak ones only there', async () => {
    const files = {
      'package.json': MANIFEST,
      'src/app.ts': "import { readGauge } from 'harbour-gauge';\nreadGauge('north');\n",
      'src/other.ts': "export const north = () => readGauge('north');\n",
      'src/plain.ts': 'export const plain = 1;\n',
      'apps/till/package.json': '{ "name": "till" }\n',
      'apps/till/src/till.ts': 'readGauge();\n',
    };
    const root = repository(files);
    const result = await scanRepository(root, knowledge(gauge));
    expect(ScanResult.parse(result)).toEqual(result);
    expect(result.findings.map((finding) => finding.site.file)).toEqual(['src/app.ts', 'src/other.ts']);
    expect(result.stats).toEqual({
      discovered: 6,
      skipped: 0,
      read: 6,
      bytes: Object.values(files).join('').length,
      candidates: 2,
      parsed: 2,
      walks: 2,
      programs: 0,
      rounds: 1,
    });
    expect(result.inventory.packages.map(({ folder, candidate }) => [folder, candidate])).toEqual([
      ['.', true],
      ['apps/till', false],
    ]);
  });

  it('lets documentation speak for itself only', async () => {
    const root = repository({ 'package.json': MANIFEST, 'README.md': 'Uses harbour-gauge.\n', 'src/app.ts': 'readGauge();\n' });
    expect((await scanRepository(root, knowledge(gauge))).findings).toEqual([]);
  });

  it('reads documents of the workspace above a package that it looks at', async () => {
    const files = {
      'package.json': '{ "name": "harbour", "workspaces": ["apps/*"] }\n',
      'README.md': 'Calls readGauge.\n',
      'tools/plain.ts': 'readGauge();\n',
      'apps/till/package.json': '{ "name": "till", "dependencies": { "harbour-gauge": "1.0.0" } }\n',
      'apps/till/src/till.ts': "import 'harbour-gauge';\n",
      'apps/quay/package.json': '{ "name": "quay" }\n',
      'apps/quay/README.md': 'Calls readGauge.\n',
    };
    const documents = defineConcern({
      ...gauge,
      detect: { ...gauge.detect, text: (_, report) => ({ Line: (line) => report.finding('call', { start: line.start, end: line.start + 1 }, {}) }) },
    });
    const result = await scanRepository(repository(files), knowledge(documents));
    expect(result.findings.map(({ site }) => site.file)).toEqual(['README.md']);
  });

  it('reports what it cannot parse, decode or support, and never as clean', async () => {
    const root = repository({
      'package.json': MANIFEST,
      'src/broken.ts': "import 'harbour-gauge';\nconst = ;\n",
      'src/main.go': 'package main // harbour-gauge\n',
    });
    writeFileSync(join(root, 'src/latin.ts'), Buffer.from("import 'harbour-gauge'; // caf\u00e9\n", 'latin1'));
    const result = await scanRepository(root, knowledge(gauge));
    expect(result.notAnalysed.map(({ file, why, line }) => [file, why, line])).toEqual([
      ['src/broken.ts', 'syntax', 2],
      ['src/latin.ts', 'encoding', 1],
      ['src/main.go', 'language', undefined],
    ]);
  });

  it('gives no verdict about programs in a language that it does not read', async () => {
    const gauges = { ...gauge, literals: { ...gauge.literals, python: { strong: ['harbour/gauge-go'], weak: [] } } };
    const server = await scanRepository(
      repository({ 'go.mod': 'module harbour\n', 'main.go': 'import "harbour/gauge-go"\n', 'tide.go': 'package main\n' }),
      knowledge(gauges),
    );
    expect([server.notAnalysed.map(({ file, why }) => [file, why]), sawNothing(server)]).toEqual([[['main.go', 'language']], true]);
    // Who points at a few files means them all.
    const excerpt = await scanRepository(repository({ 'tide.go': 'package main\n' }), knowledge(gauges));
    expect([excerpt.notAnalysed.map(({ why }) => why), sawNothing(excerpt)]).toEqual([['language'], true]);
    // One in a repository that is read is a gap, and the verdict stands.
    const both = await scanRepository(
      repository({
        'package.json': MANIFEST,
        'src/gauge.ts': "import { readGauge } from 'harbour-gauge';\nreadGauge();\n",
        'main.go': 'import "harbour/gauge-go"\n',
      }),
      knowledge(gauges),
    );
    expect([both.notAnalysed.map(({ why }) => why), sawNothing(both)]).toEqual([['language'], false]);
  });

  it('leaves generated text out unless it is named', async () => {
    const root = repository({
      'package.json': MANIFEST,
      'src/client.ts': "// Code generated by gaugegen. DO NOT EDIT.\nimport { readGauge } from 'harbour-gauge';\nreadGauge();\n",
    });
    const result = await scanRepository(root, knowledge(gauge));
    expect([result.findings.length, result.notAnalysed[0]?.why, result.stats.skipped, result.stats.parsed]).toEqual([0, 'generated', 1, 0]);
    expect((await scanRepository(root, knowledge(gauge), { path: 'src/client.ts' })).findings).toHaveLength(1);
  });

  it('joins files that import, or are imported by, a file with facts, in one round', async () => {
    const root = repository({
      'package.json': MANIFEST,
      'src/gauge.ts': "import 'harbour-gauge';\nimport { berth } from './berth.js';\nexport const gauge = () => buildGauge(berth);\n",
      'src/berth.ts': "import { far } from './far.js';\nexport const berth = () => far + readLater();\n",
      'src/far.ts': 'export const far = readLater();\n',
      'src/main.ts': "import { gauge } from './gauge.js';\nreadLater(gauge);\n",
      'src/unrelated.ts': "// not a gauge of ours\nimport x from 'gauge';\nreadLater(x);\n",
      'src/never.ts': 'readLater();\n',
    });
    const later = callConcern({ id: 'later', name: 'readLater', more: { literals: { strong: [], weak: [] } } });
    const result = await scanRepository(root, { ...knowledge(later), sources: [signs] });
    expect(result.findings.map((finding) => finding.site.file)).toEqual(['src/berth.ts', 'src/main.ts']);
    // gauge.ts, berth.ts, main.ts are walked; unrelated.ts names the word, so it is parsed to look at its imports.
    expect(result.stats).toMatchObject({ candidates: 1, parsed: 4, walks: 3, rounds: 2 });
  });

  it('parses once and walks once, however many detectors listen', async () => {
    const root = repository({ 'package.json': MANIFEST, 'src/app.ts': "import 'harbour-gauge';\nreadGauge();\nreadLater();\n" });
    const result = await scanRepository(root, { ...knowledge(gauge, callConcern({ id: 'later', name: 'readLater' })), sources: [signs, structure] });
    expect(result.findings.map((finding) => finding.id)).toEqual(['gauge/call', 'later/call']);
    expect(result.stats).toMatchObject({ parsed: 1, walks: 1, rounds: 1 });
  });

  it('loads no parser where nothing is found', async () => {
    const root = repository({ 'package.json': MANIFEST, 'src/app.ts': 'readGauge();\n' });
    const result = await scanRepository(root, knowledge(gauge));
    expect(result).toMatchObject({ findings: [], next: [], milestone: { sdk: 'none', entry: 'none' }, stats: { candidates: 0, parsed: 0, walks: 0 } });
  });

  it('keeps the other detectors when one fails, and says what is missing', async () => {
    const broken: Concern = defineConcern({
      ...callConcern({ id: 'broken', name: 'x' }),
      id: 'broken',
      literals: { strong: ['readGauge'], weak: [] },
      detect: {
        typescript: () => ({
          CallExpression: () => {
            throw new Error('lost at sea');
          },
        }),
      },
    });
    const root = repository({ 'package.json': MANIFEST, 'src/app.ts': "import 'harbour-gauge';\nreadGauge();\nreadGauge();\n" });
    const result = await scanRepository(root, knowledge(broken, gauge));
    expect(result.findings).toHaveLength(2);
    expect(result.notAnalysed).toMatchObject([
      { file: 'src/app.ts', why: 'internal', reason: expect.stringContaining('"broken" failed: lost at sea') as string },
    ]);
  });
});

describe('findings', () => {
  const scanText = async (text: string) =>
    (await scanRepository(repository({ 'src/app.ts': text }), knowledge(callConcern({ id: 'gauge', name: 'readGauge' })))).findings;

  it('have fingerprints that survive line shifts and show swaps', async () => {
    const before = await scanText("readGauge('north');\nreadGauge('south');\nreadGauge('north');\n");
    const shifted = await scanText("// a new line\n\n  readGauge('north');\n  readGauge('south');\n\treadGauge('north');\n");
    const swapped = await scanText("readGauge('north');\nreadGauge('west');\nreadGauge('north');\n");
    const prints = (findings: typeof before) => findings.map((finding) => finding.fingerprint);
    expect(new Set(prints(before)).size).toBe(3);
    expect(prints(shifted)).toEqual(prints(before));
    expect(prints(swapped).filter((print) => !prints(before).includes(print))).toHaveLength(1);
  });

  it('are silenced by a comment with a reason, on the line or above it', async () => {
    const root = repository({
      'src/app.ts': [
        'readGauge(1); // unsession-ignore gauge/call -- calibrated by hand',
        '// unsession-ignore gauge -- the whole concern',
        'readGauge(2);',
        '// unsession-ignore gauge/call',
        'readGauge(3);',
        '// unsession-ignore gauge/call -- nothing here',
        'const four = 4;',
        '// unsession-ignore crane/lift -- no such rule',
        'readGauge(5); // a note behind code',
        '',
      ].join('\n'),
    });
    const result = await scanRepository(root, knowledge(callConcern({ id: 'gauge', name: 'readGauge' })));
    expect(result.findings.map((finding) => finding.site.line)).toEqual([5, 9]);
    expect(result.suppressions?.map(({ state, site, reason }) => [site.line, state, reason])).toEqual([
      [1, 'used', 'calibrated by hand'],
      [2, 'used', 'the whole concern'],
      [4, 'unreasoned', undefined],
      [6, 'stale', 'nothing here'],
      [8, 'unknown', 'no such rule'],
    ]);
    expect(result.plan.items[0]?.sites).toHaveLength(2);
  });

  it('are chosen with only and skip; a name that does not exist is an error', async () => {
    const two = defineConcern({
      ...callConcern({ id: 'tide', name: 'readTide' }),
      kinds: { high: kind('high'), low: kind('low') },
      detect: {
        typescript: (file, report) => ({
          CallExpression(node) {
            if (calledName(node) === 'readTide') report.finding(node.arguments.length > 0 ? 'high' : 'low', file.span(node));
          },
        }),
      },
    }) as Concern;
    const root = repository({ 'src/app.ts': 'readTide();\nreadTide(1);\nreadGauge();\n' });
    const known = knowledge(two, callConcern({ id: 'gauge', name: 'readGauge' }));
    const ids = async (options: object) => (await scanRepository(root, known, options)).findings.map((finding) => finding.id);
    expect(await ids({ only: ['tide'] })).toEqual(['tide/low', 'tide/high']);
    expect(await ids({ only: ['tide'], skip: ['tide/low'] })).toEqual(['tide/high']);
    expect(await ids({ skip: ['tide'] })).toEqual(['gauge/call']);
    await expect(ids({ only: ['tied'] })).rejects.toThrow(UsageError);
  });

  it('in tests are counted, and listed with the flag', async () => {
    const root = repository({ 'src/app.ts': 'readGauge();\n', 'test/app.test.ts': 'readGauge();\nreadGauge();\n' });
    const known = knowledge(callConcern({ id: 'gauge', name: 'readGauge', more: { judge: (finding) => ({ ...finding, group: 'all' }) } }));
    const plain = await scanRepository(root, known);
    const full = await scanRepository(root, known, { includeTests: true });
    expect([plain.findings.length, plain.inTests, plain.plan.items[0]?.effort]).toEqual([1, 2, 15]);
    expect([full.findings.length, full.inTests, full.plan.items[0]?.effort]).toEqual([3, 0, 25]);
    expect(full.plan.items[0]?.id).toBe(plain.plan.items[0]?.id);
  });

  it('come out the same, whatever the order of the knowledge', async () => {
    const root = repository({ 'b.ts': 'readGauge(readTide());\n', 'a.ts': 'readTide(readGauge());\n' });
    const one = callConcern({ id: 'gauge', name: 'readGauge' });
    const two = callConcern({ id: 'tide', name: 'readTide' });
    const first = await scanRepository(root, { ...knowledge(one, two), sources: [signs, structure] });
    const second = await scanRepository(root, { ...knowledge(two, one), sources: [structure, signs] });
    expect(JSON.stringify(second)).toBe(JSON.stringify(first));
  });
});

it('looks for a base name where an import can name it, and nowhere else', () => {
  const canImport = mentions(['src/pool.ts', 'src/gates/index.ts']);
  for (const text of [
    "import { a } from './pool.js';",
    "require('../pool')",
    'import `${x}/pool.mts`',
    'from .pool import take',
    "import x from '../gates';",
    "export * from '.';",
  ])
    expect([text, canImport(text)]).toEqual([text, true]);
  for (const text of ['pool.take();', 'const pool = 1;', "import x from './whirlpool';", "say('a pool of water')", "import { other } from './other.js';"])
    expect([text, canImport(text)]).toEqual([text, false]);
});
