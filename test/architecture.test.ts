import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRequire } from 'node:module';
import { cruise } from 'dependency-cruiser';
import type { ICruiseResult, IConfiguration } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const rules = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as IConfiguration;

/** One import that must be refused, for each rule: the importing file, the imported specifier, and the file it names. */
const VIOLATIONS: readonly { readonly rule: string; readonly from: string; readonly imports: string; readonly creates?: string }[] = [
  { rule: 'bin-starts-the-cli', from: 'bin/unsession.js', imports: '../src/engine/a.js', creates: 'src/engine/a.ts' },
  { rule: 'cli-joins-all', from: 'src/cli/a.ts', imports: '../../transforms/session-transport/a.js', creates: 'transforms/session-transport/a.ts' },
  {
    rule: 'concern-imports-vocabulary-only',
    from: 'transforms/session-transport/b.ts',
    imports: '../sdk-version/b.js',
    creates: 'transforms/sdk-version/b.ts',
  },
  { rule: 'concern-imports-vocabulary-only', from: 'transforms/session-transport/c.ts', imports: '../../src/engine/c.js', creates: 'src/engine/c.ts' },
  {
    rule: 'vocabulary-imports-core-and-languages-only',
    from: 'transforms/_mcp/d.ts',
    imports: '../session-transport/d.js',
    creates: 'transforms/session-transport/d.ts',
  },
  { rule: 'list-of-concerns-lists', from: 'transforms/index.ts', imports: '../src/engine/e.js', creates: 'src/engine/e.ts' },
  { rule: 'engine-knows-no-transform', from: 'src/engine/f.ts', imports: '../../transforms/_mcp/f.js', creates: 'transforms/_mcp/f.ts' },
  { rule: 'report-imports-core-only', from: 'src/report/g.ts', imports: '../runbook/g.js', creates: 'src/runbook/g.ts' },
  { rule: 'runbook-imports-core-only', from: 'src/runbook/h.ts', imports: '../verify/h.js', creates: 'src/verify/h.ts' },
  { rule: 'verify-imports-core-only', from: 'src/verify/i.ts', imports: '../engine/i.js', creates: 'src/engine/i.ts' },
  { rule: 'languages-import-core-only', from: 'src/languages/j.ts', imports: '../workspace/j.js', creates: 'src/workspace/j.ts' },
  { rule: 'workspace-imports-core-only', from: 'src/workspace/k.ts', imports: '../engine/k.js', creates: 'src/engine/k.ts' },
  { rule: 'core-imports-nothing', from: 'src/core/l.ts', imports: '../languages/l.js', creates: 'src/languages/l.ts' },
  { rule: 'core-imports-zod-only', from: 'src/core/m.ts', imports: 'node:path' },
  { rule: 'render-never-touches-files', from: 'src/report/n.ts', imports: 'node:fs' },
  { rule: 'no-circular', from: 'src/engine/o.ts', imports: './o.js', creates: 'src/engine/o.ts' },
  { rule: 'no-unresolvable', from: 'src/engine/p.ts', imports: './nowhere.js' },
];

describe('the dependency direction', () => {
  let tree = '';
  let result: ICruiseResult;

  beforeAll(async () => {
    mkdirSync(join(root, '.cache'), { recursive: true });
    tree = mkdtempSync(join(root, '.cache', 'architecture-'));
    const contents = new Map<string, string>();
    for (const { creates } of VIOLATIONS) if (creates) contents.set(creates, 'export const value = 1;\n');
    for (const { from, imports } of VIOLATIONS) contents.set(from, `${contents.get(from) ?? ''}import * as other from '${imports}';\nexport { other };\n`);
    for (const [path, text] of contents) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), text);
    }
    const { tsConfig: _tsConfig, exclude: _exclude, doNotFollow: _doNotFollow, ...options } = rules.options ?? {};
    const answer = await cruise(['bin', 'src', 'transforms'], { ...options, baseDir: tree, validate: true, ruleSet: { forbidden: rules.forbidden ?? [] } });
    if (typeof answer.output === 'string') throw new Error(answer.output);
    result = answer.output;
  });

  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  it.each(VIOLATIONS)('$rule refuses $from -> $imports', ({ rule, from }) => {
    const broken = result.summary.violations.filter((violation) => violation.from === from).map((violation) => violation.rule.name);
    expect(broken).toContain(rule);
  });

  it('has a violation for every rule, except the one that needs installed packages', () => {
    const proved = new Set(VIOLATIONS.map(({ rule }) => rule));
    const names = (rules.forbidden ?? []).map(({ name }) => name);
    expect(names.filter((name) => name !== undefined && !proved.has(name))).toEqual(['no-development-package-at-run-time']);
  });

  it('has a comment on every rule', () => {
    expect((rules.forbidden ?? []).filter(({ comment }) => !comment?.endsWith('.')).map(({ name }) => name)).toEqual([]);
  });
});
