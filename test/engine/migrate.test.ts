import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MigrateResult, defineConcern, type Concern, type Need, type Rewrite, type RewriteContext, type WorkItem } from '../../src/core/index.js';
import { InternalFault, migrateRepository, UsageError, type Knowledge, type MigrateOptions } from '../../src/engine/index.js';
import { callConcern, dryRun, filesIn, knowledge, renameCalls, repository } from './kit.js';

const gauge = callConcern({ id: 'gauge', name: 'readGauge', to: 'readLevel' });
const APP =
  'declare function readGauge(at: string): number;\ndeclare function readLevel(at: string): number;\n\nexport const north = readGauge("north"); // keep me\n';
const grouped = (group: string): Partial<Concern<'call'>> => ({ judge: (finding) => ({ ...finding, group }) });

/** A rewriter that puts text in the place of each call. */
const replacing =
  (text: (call: string) => string, needs: (item: WorkItem) => readonly Need[] = () => [], outcome: 'rewrite' | 'scaffold' = 'rewrite') =>
  (item: WorkItem, context: RewriteContext): Rewrite => ({
    outcome,
    changes: item.files.map((file) => ({
      kind: 'edit',
      file,
      edits: item.sites
        .filter((site) => site.file === file)
        .map(({ span }) => ({ ...span, text: text((context.text(file) ?? '').slice(span.start, span.end)) })),
    })),
    needs: needs(item),
    todo: outcome === 'scaffold' ? ['fill in the depth'] : [],
    notes: [],
  });

async function migrate(files: Readonly<Record<string, string>>, known: Knowledge, options: Partial<MigrateOptions> = {}) {
  const root = repository(files);
  const result = await migrateRepository(root, known, { ...dryRun, ...options });
  expect(MigrateResult.parse(result)).toEqual(result);
  return { root, result, outcome: (concern: string) => result.outcomes.find((each) => each.item.startsWith(`${concern}-`)) };
}

describe('a migration', () => {
  it('writes nothing by default, and shows a patch', async () => {
    const { root, result } = await migrate({ 'src/app.ts': APP }, knowledge(gauge));
    expect(filesIn(root)).toEqual({ 'src/app.ts': APP });
    expect(result).toMatchObject({
      written: false,
      idempotent: true,
      outcomes: [{ outcome: 'applied', files: ['src/app.ts'] }],
      proofs: [{ file: 'src/app.ts', parses: true, names: true, untouched: true }],
    });
    expect(result.patches[0]?.diff).toContain('+export const north = readLevel("north"); // keep me');
    expect(result.next[0]?.command).toContain('migrate --write');
  });

  it('writes once, and a second run finds nothing to do', async () => {
    const { root, result } = await migrate({ 'src/app.ts': APP.replaceAll('\n', '\r\n') }, knowledge(gauge), { write: true });
    expect(result.written).toBe(true);
    expect(filesIn(root)).toEqual({ 'src/app.ts': APP.replaceAll('\n', '\r\n').replace('readGauge("north")', 'readLevel("north")') });
    const again = await migrateRepository(root, knowledge(gauge), { ...dryRun, write: true });
    expect(again).toMatchObject({ written: false, patches: [], outcomes: [] });
  });

  it('does the work of rounds on what changed only', async () => {
    const files = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`src/pier${index}.ts`, index === 0 ? APP : 'readGauge;\nexport {};\n']));
    const { result } = await migrate(files, knowledge(gauge));
    // Twelve candidates in the first pass, one changed file in the round after it.
    expect(result.before.stats).toMatchObject({ candidates: 12, parsed: 12, walks: 12, rounds: 1 });
    expect(result.stats).toMatchObject({ parsed: 13, walks: 13, rounds: 2 });
  });

  it('includes the tests of an item', async () => {
    const { result } = await migrate(
      { 'src/app.ts': APP, 'test/app.test.ts': APP },
      knowledge(callConcern({ id: 'gauge', name: 'readGauge', to: 'readLevel', more: grouped('all') })),
    );
    expect(result.outcomes[0]?.files).toEqual(['src/app.ts', 'test/app.test.ts']);
  });
});

describe('items of one round', () => {
  const edits = (id: string, more: Partial<Concern<'call'>> = {}) => callConcern({ id, name: 'readGauge', more });

  it('wait whole when they overlap one that goes first, and are planned anew', async () => {
    const hub = edits('wharf', { hub: true, rewrite: replacing((call) => call.replace('readGauge', 'readTide')) });
    const other = callConcern({ id: 'buoy', name: 'readGauge', to: 'readLevel' });
    const tide = callConcern({ id: 'tide', name: 'readTide', to: 'readLevel' });
    const { result, outcome } = await migrate({ 'src/app.ts': `${APP}declare function readTide(at: string): number;\n` }, knowledge(other, hub, tide));
    expect(outcome('wharf')?.outcome).toBe('applied');
    // The hub took the only place of this item away, so there is nothing to run again for.
    expect(outcome('buoy')).toMatchObject({ outcome: 'applied', notes: [expect.stringContaining('went with that of another item') as string], files: [] });
    expect(outcome('tide')?.outcome).toBe('applied');
    expect(result.patches[0]?.diff).toContain('+export const north = readLevel("north")');
    expect(result.stats.rounds).toBe(3);
  });

  it('give the same bytes, however they are listed', async () => {
    const names = ['readAnchor', 'readBuoy', 'readCrane', 'readDock', 'readEbb'];
    const concerns = names.map((name, index) =>
      callConcern({
        id: name.toLowerCase(),
        name,
        more: {
          hub: index === 3,
          rewrite: replacing(
            (call) => (index % 2 === 0 ? call.replace(name, 'readLevel') : `(${call.replace(name, 'readLevel')})`),
            (item) => [
              { kind: 'shim', template: 'quay', path: 'src/quay.ts', model: { from: 'harbour' } },
              ...item.files.map((file) => ({ kind: 'dependency' as const, manifest: 'package.json', name: `gauge-${file.length}`, range: '^1.0.0' })),
            ],
          ),
        },
      }),
    );
    const files = {
      'package.json': '{\n  "name": "harbour"\n}\n',
      'src/app.ts':
        [...names, 'readLevel'].map((name) => `declare function ${name}(inner?: unknown): number;\n`).join('') +
        'export const sum = readAnchor(readBuoy(readCrane(readDock()))) + readEbb(readAnchor());\n',
    };
    const expected = (await migrate(files, knowledge(...concerns))).result;
    expect(expected.patches[0]?.diff).toContain('readLevel((readLevel(readLevel((readLevel())))))');
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(concerns, { minLength: concerns.length }), async (shuffled) => {
        const { result } = await migrate(files, knowledge(...shuffled));
        expect(result.patches).toEqual(expected.patches);
        expect(result.outcomes).toEqual(expected.outcomes);
      }),
      { numRuns: 8 },
    );
  });

  it('lose the one whose proof fails, and keep the rest', async () => {
    const unparsable = callConcern({ id: 'broken', name: 'readTide', more: { rewrite: replacing(() => 'readLevel(') } });
    const { result, outcome } = await migrate(
      { 'src/app.ts': `${APP}declare function readTide(): number;\nexport const tide = readTide();\n` },
      knowledge(gauge, unparsable),
    );
    expect(outcome('broken')).toMatchObject({ outcome: 'failed', reason: { why: expect.stringContaining('would no longer parse') as string } });
    expect(outcome('gauge')?.outcome).toBe('applied');
    expect(result.patches[0]?.diff).not.toContain('+export const tide');
    expect(result.proofs.every((proof) => proof.parses)).toBe(true);
  });

  it('cannot use a name that nothing declares', async () => {
    const { result, outcome } = await migrate({ 'src/app.ts': 'declare function readGauge(): number;\nexport const north = readGauge();\n' }, knowledge(gauge));
    expect(outcome('gauge')).toMatchObject({ outcome: 'failed', reason: { why: expect.stringContaining('"readLevel", which nothing declares') as string } });
    expect(result).toMatchObject({ patches: [], proofs: [] });
  });

  it('end as an internal fault when they never converge', async () => {
    const swing = edits('swing', { ...grouped('swing'), rewrite: replacing((call) => call.replace('(', '(0 + ')) });
    await expect(migrate({ 'src/app.ts': APP }, knowledge(swing))).rejects.toThrow(InternalFault);
    const root = repository({ 'src/app.ts': APP });
    await expect(migrateRepository(root, knowledge(swing), { ...dryRun, write: true })).rejects.toThrow(/after 10 rounds/);
    expect(filesIn(root)).toEqual({ 'src/app.ts': APP });
  });

  it('are rejected when a second migration would change their result again', async () => {
    const marked = edits('marker', {
      ...grouped('marker'),
      rewrite: replacing(
        (call) => `/* TODO */ ${call}`,
        () => [],
        'scaffold',
      ),
    });
    const { result, outcome } = await migrate(
      { 'src/app.ts': APP, 'src/b.ts': APP.replaceAll('Gauge', 'Tide') },
      knowledge(marked, callConcern({ id: 'tide', name: 'readTide', to: 'readLevel' })),
    );
    expect(outcome('marker')).toMatchObject({ outcome: 'failed', reason: { why: expect.stringContaining('second migration') as string } });
    expect(outcome('tide')?.outcome).toBe('applied');
    expect([result.idempotent, result.patches[0]?.changes.map((change) => change.file)]).toEqual([true, ['src/b.ts']]);
  });
});

describe('outcomes', () => {
  it('follow the remedy, the refusal of the rewriter and the safety level', async () => {
    const remedy = (id: string, name: string, value: 'manual' | 'refused' | 'guided') =>
      callConcern({ id, name, to: 'readLevel', more: { assess: () => ({ remedy: value, reason: `${id} says so`, todo: [`do ${id}`] }) } });
    const sandbar: Concern = defineConcern({
      ...callConcern({ id: 'sandbar', name: 'readSand' }),
      rewrite: (item: WorkItem) => ({ outcome: 'refuse' as const, reason: { why: 'the bar moves', next: 'sound it', sites: item.sites } }),
    });
    const files = {
      'src/app.ts': `${APP}declare const readRope: any, readReef: any, readSand: any, readDeep: any;\nreadRope(); readReef(); readSand();\nreadDeep();\n`,
    };
    const known = knowledge(gauge, remedy('rope', 'readRope', 'manual'), remedy('reef', 'readReef', 'refused'), sandbar, remedy('deep', 'readDeep', 'guided'));
    const { outcome } = await migrate(files, known);
    expect(['gauge', 'rope', 'reef', 'sandbar', 'deep'].map((id) => outcome(id)?.outcome)).toEqual(['applied', 'manual', 'refused', 'refused', 'applied']);
    expect(outcome('sandbar')?.reason).toMatchObject({ why: 'the bar moves', sites: [{ line: 6 }] });
    const safe = await migrate(files, known, { safety: 'safe' });
    expect(safe.outcome('deep')).toMatchObject({ outcome: 'deferred', reason: { why: expect.stringContaining('review') as string } });
    expect(safe.outcome('gauge')?.outcome).toBe('applied');
  });

  it('cite the lines on disk, although a round before moved them', async () => {
    const header = callConcern({
      id: 'alpha',
      name: 'readGauge',
      more: {
        rewrite: (item, context) => ({
          outcome: 'rewrite',
          changes: item.files.map((file) => ({
            kind: 'edit',
            file,
            edits: [
              { start: 0, end: 0, text: '// one\n// two\n// three\n' },
              ...(context.text(file)?.includes('readGauge("north")') ? [{ ...(item.sites[0]?.span ?? { start: 0, end: 0 }), text: 'readLate(1)' }] : []),
            ],
          })),
          needs: [],
          todo: [],
          notes: [],
        }),
      },
    });
    const late: Concern = defineConcern({
      ...callConcern({ id: 'late', name: 'readLate' }),
      rewrite: (item: WorkItem) => ({ outcome: 'refuse' as const, reason: { why: 'too late', next: 'wait', sites: item.sites } }),
    });
    const { outcome } = await migrate({ 'src/app.ts': `declare function readLate(n: number): number;\n${APP}` }, knowledge(header, late));
    expect(outcome('late')?.reason?.sites[0]).toMatchObject({ line: 5, column: 22 });
  });

  it('are limited to the items that the user names, and an unknown one is an error', async () => {
    const files = { 'src/app.ts': APP, 'src/b.ts': APP };
    const first = await migrate(files, knowledge(gauge));
    const ids = first.result.outcomes.map((outcome) => outcome.item);
    expect(ids).toHaveLength(2);
    const one = await migrate(files, knowledge(gauge), { items: [ids[1] ?? ''] });
    expect(one.result.outcomes.map((outcome) => outcome.item)).toEqual([ids[1]]);
    expect(one.result.patches[0]?.changes).toHaveLength(1);
    await expect(migrate(files, knowledge(gauge), { items: ['gauge-nowhere'] })).rejects.toThrow(UsageError);
  });

  it('wait for a yes when somebody is asked', async () => {
    const asked: string[] = [];
    const { result } = await migrate({ 'src/app.ts': APP, 'src/b.ts': APP }, knowledge(gauge), {
      approve: (item) => {
        asked.push(item.files[0] ?? '');
        return item.files[0] === 'src/b.ts';
      },
    });
    expect(asked.sort()).toEqual(['src/app.ts', 'src/b.ts']);
    expect(result.outcomes.map(({ files, outcome }) => [files, outcome]).sort()).toEqual([
      [[], 'deferred'],
      [['src/b.ts'], 'applied'],
    ]);
  });
});

describe('milestones', () => {
  const sdkImports: Knowledge['sources'] = [
    {
      id: 'lines',
      literals: { strong: ['gauge-v'], weak: [] },
      detect: {
        typescript: (file, report) => ({
          ImportDeclaration(node) {
            const module = node.moduleSpecifier.getText(file.tree).slice(1, -1);
            if (module.startsWith('gauge-v'))
              report.fact({ type: 'sdk-import', site: file.site(node), module, sdk: module === 'gauge-v1' ? 1 : 2, form: 'import', names: [] });
          },
        }),
      },
    },
  ];
  const raise: Concern = defineConcern<'import'>({
    ...callConcern({ id: 'raise', name: 'gauge-v1' }),
    milestone: 'sdk',
    kinds: { import: { what: 'old gauges', why: 'they rust', next: 'raise them', impact: 'breaks' } },
    detect: {
      typescript: (file, report) => ({
        StringLiteral(node) {
          if (node.text === 'gauge-v1') report.finding('import', file.span(node), { group: 'all' });
        },
      }),
    },
    rewrite: (item, context) =>
      replacing(
        () => "'gauge-v2'",
        () => [
          { kind: 'dependency', manifest: 'package.json', name: 'gauge-v2', range: '^2.0.0' },
          { kind: 'dependency', manifest: 'package.json', name: 'gauge-v1', remove: true },
        ],
      )(item, context),
  });
  const files = {
    'package.json': '{\n  "dependencies": {\n    "gauge-v1": "^1.0.0",\n    "zinc": "^1.0.0"\n  }\n}\n',
    'src/app.ts': "import { readGauge, readLevel } from 'gauge-v1';\nexport const north = readGauge();\nexport const level = readLevel;\n",
  };
  const known: Knowledge = { ...knowledge(gauge, raise), sources: sdkImports };

  it.each([
    [
      'prose and comments',
      { 'README.md': 'It reads `gauge-v1`.\n', 'src/old.ts': "// import { readGauge } from 'gauge-v1';\nexport const old = 1;\n" },
      undefined,
    ],
    [
      'a look into the manifest',
      { 'src/about.ts': "export const needs = (all: Record<string, string>) => all['gauge-' + 'v1'] ?? all['gauge-v1/deep'];\n" },
      'src/about.ts',
    ],
    ['a type of JSDoc', { 'src/types.js': "/** @type {import('gauge-v1').Gauge} */\nexport const gauge = undefined;\n" }, 'src/types.js'],
  ])('a dependency goes unless code names it: %s', async (_, more, keeper) => {
    const { result } = await migrate({ ...files, ...more }, known);
    const removed = result.patches[0]?.diff.includes('-    "gauge-v1": "^1.0.0"');
    expect(removed).toBe(keeper === undefined);
    const notes = result.outcomes.flatMap((outcome) => outcome.notes);
    if (keeper !== undefined) expect(notes).toContain(`\`gauge-v1\` stays in package.json: ${keeper} still names it.`);
  });

  it('make two patches, the second on top of the first', async () => {
    const { result } = await migrate(files, known);
    expect(result.patches.map((patch) => [patch.milestone, patch.changes.map((change) => change.file), patch.items.length])).toEqual([
      ['sdk', ['package.json', 'src/app.ts'], 1],
      ['entry', ['src/app.ts'], 1],
    ]);
    expect(result.patches[0]?.diff).not.toContain('+export const north');
    expect(result.patches[1]?.diff).not.toContain('gauge-v1');
    // The name that nobody uses any longer goes with its last use.
    expect(result.patches[1]?.diff).toContain("+import { readLevel } from 'gauge-v2';");
    expect(result.patches[0]?.diff).toContain('-    "gauge-v1": "^1.0.0",\n+    "gauge-v2": "^2.0.0",');
  });

  it('can be done alone: the first as it is, the second on code that had it', async () => {
    const { result } = await migrate(files, known, { milestone: 'sdk' });
    expect(result.patches.map((patch) => patch.milestone)).toEqual(['sdk']);
    const raised = { ...files, 'src/app.ts': files['src/app.ts'].replace('gauge-v1', 'gauge-v2') };
    expect((await migrate(raised, known, { milestone: 'entry' })).result.patches.map((patch) => patch.milestone)).toEqual(['entry']);
  });

  it('refuse the second on code that has not had the first', async () => {
    const { result } = await migrate(files, known, { milestone: 'entry', write: true });
    expect(result).toMatchObject({
      written: false,
      patches: [],
      outcomes: [],
      refusals: [{ id: 'milestone-order', reason: { next: expect.stringContaining('--milestone sdk') as string } }],
    });
  });

  it('leave the second undone where the first did not succeed', async () => {
    const stuck = { ...raise, assess: () => ({ remedy: 'manual' as const, reason: 'rusted tight' }) };
    const { outcome, result } = await migrate(files, { ...known, concerns: [gauge, stuck] });
    expect([outcome('raise')?.outcome, outcome('gauge')?.outcome, result.patches.length]).toEqual(['manual', 'deferred', 0]);
    expect(outcome('gauge')?.reason?.why).toContain('SDK v1');
  });

  it('keep a dependency as long as a file names it', async () => {
    const { result } = await migrate({ ...files, 'src/late.ts': "export const later = () => import('gauge-v1/late');\n" }, known, { milestone: 'sdk' });
    expect(result.patches[0]?.diff).not.toContain('-    "gauge-v1"');
    expect(result.patches[0]?.diff).toContain('+    "gauge-v2"');
  });

  it('keep a dependency when a file of the package could not be read', async () => {
    const { result } = await migrate({ ...files, 'src/broken.ts': "import 'gauge-v2';\nconst = ;\n" }, known, { milestone: 'sdk' });
    expect(result.patches[0]?.diff).not.toContain('-    "gauge-v1"');
    expect(result.notAnalysed.map((notice) => notice.file)).toEqual(['src/broken.ts']);
  });
});

describe('needs', () => {
  const shim = (model: Record<string, unknown>, path = 'src/sluice.ts'): Need => ({ kind: 'shim', template: 'sluice', path, model });

  it('are satisfied before the proof: a file, an import of it, a dependency', async () => {
    const wants = callConcern({
      id: 'sluice',
      name: 'readGauge',
      more: {
        rewrite: replacing(
          () => 'openSluice()',
          (item) => [
            { kind: 'shim', template: 'sluice', path: 'src/sluice.ts', model: { depth: 2 } },
            ...item.files.map((file) => ({ kind: 'import' as const, file, module: 'src/sluice.ts', name: 'shim', as: 'openSluice' })),
            { kind: 'dependency', manifest: 'package.json', name: 'pump', range: '^3.0.0' },
          ],
        ),
      },
    });
    const { root, result } = await migrate({ 'package.json': '{\n  "type": "module"\n}\n', 'src/app.ts': APP, 'src/b.ts': APP }, knowledge(wants), {
      write: true,
    });
    expect(result.idempotent).toBe(true);
    const files = filesIn(root);
    expect(files['src/sluice.ts']).toBe('// sluice\nexport const shim = {"depth":2};\n');
    expect(files['src/app.ts']).toContain("import { shim as openSluice } from './sluice.js';");
    expect(files['package.json']).toContain('"pump": "^3.0.0"');
    expect(result.outcomes[0]?.files).toEqual(['package.json', 'src/app.ts', 'src/sluice.ts']);
  });

  it('never overwrite a file that is there', async () => {
    const wants = callConcern({
      id: 'sluice',
      name: 'readGauge',
      more: {
        rewrite: replacing(
          () => '2',
          () => [shim({ depth: 2 })],
        ),
      },
    });
    const { outcome, result } = await migrate({ 'src/app.ts': APP, 'src/sluice.ts': 'export {};\n' }, knowledge(wants));
    expect(outcome('sluice')).toMatchObject({ outcome: 'failed', reason: { why: 'two files are wanted at src/sluice.ts' } });
    expect(result.patches).toEqual([]);
  });

  it('that a manifest cannot take are left to a person, in words', async () => {
    const wants = callConcern({
      id: 'sluice',
      name: 'readGauge',
      more: {
        rewrite: replacing(
          () => '2',
          () => [{ kind: 'dependency', manifest: 'pyproject.toml', name: 'pump', range: '>=3' }],
        ),
      },
    });
    const { outcome } = await migrate({ 'pyproject.toml': '[project]\nname = "harbour"\n', 'src/app.ts': APP }, knowledge(wants));
    expect(outcome('sluice')).toMatchObject({ outcome: 'applied', todo: ['pyproject.toml: pump >=3 has to be declared by hand'] });
  });

  it('of one round are one file, whatever the number of items', async () => {
    const one = (id: string, name: string) =>
      callConcern({
        id,
        name,
        more: { rewrite: (item, context) => ({ ...renameCalls(item, context, name, 'readLevel'), needs: [shim({ depth: 1 })] }) as Rewrite },
      });
    const { result } = await migrate(
      { 'src/app.ts': APP, 'src/b.ts': APP.replaceAll('Gauge', 'Tide') },
      knowledge(one('a', 'readGauge'), one('b', 'readTide')),
    );
    expect(result.patches[0]?.changes.map((change) => [change.kind, change.file])).toEqual([
      ['edit', 'src/app.ts'],
      ['edit', 'src/b.ts'],
      ['create', 'src/sluice.ts'],
    ]);
  });
});
