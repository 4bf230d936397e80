import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import { ts } from 'ts-morph';
import {
  defineConcern,
  siteOf,
  type Concern,
  type Fact,
  type FactSource,
  type Kind,
  type Rewrite,
  type RewriteContext,
  type Site,
  type SymbolRef,
  type WorkItem,
} from '../../src/core/index.js';
import { calls, enclosingFunction, functionRef, isFunctionNode, type TypeScriptFile } from '../../src/languages/typescript/index.js';
import type { Knowledge, MigrateOptions } from '../../src/engine/index.js';

/*
 * The engine is tested with a made-up trade: harbour gauges. `readGauge()` is the old call, `readLevel()` the new one. Nothing here is
 * about sessions, so the tests show that the engine knows none.
 */

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder with these files, removed after the test. */
export function repository(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'engine-'));
  folders.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** All files below a folder, by path. */
export function filesIn(root: string, below = ''): Readonly<Record<string, string>> {
  const entries = readdirSync(join(root, below))
    .sort()
    .flatMap((name): readonly (readonly [string, string])[] => {
      const path = below === '' ? name : `${below}/${name}`;
      if (name === '.unsession') return [];
      return statSync(join(root, path)).isDirectory() ? Object.entries(filesIn(root, path)) : [[path, readFileSync(join(root, path), 'utf8')]];
    });
  return Object.fromEntries(entries);
}

export const kind = (what: string, more: Partial<Kind> = {}): Kind => ({
  what,
  why: `${what}, and that costs trips.`,
  next: 'Call a harbour engineer.',
  impact: 'breaks',
  ...more,
});

/** Calls of a function by its plain name. */
export const calledName = (node: ts.CallExpression): string | undefined => (ts.isIdentifier(node.expression) ? node.expression.text : undefined);

export interface CallConcern {
  readonly id: string;
  readonly name: string;
  readonly to?: string;
  readonly more?: Partial<Concern<'call'>>;
}

/** A concern that sees every call of `name` and, with `to`, renames it. */
export function callConcern({ id, name, to, more = {} }: CallConcern): Concern {
  return defineConcern<'call'>({
    id,
    title: `Calls of ${name}`,
    spec: ['harbour/gauges#reading'],
    category: 'state',
    milestone: 'entry',
    effort: { base: 10, each: 5 },
    kinds: { call: kind(`${name} is called`) },
    literals: { strong: [name], weak: [] },
    detect: {
      typescript: (file, report) => ({
        CallExpression(node) {
          if (calledName(node) === name) report.finding('call', file.span(node));
        },
      }),
    },
    ...(to === undefined ? {} : { rewrite: (item: WorkItem, context: RewriteContext) => renameCalls(item, context, name, to) }),
    ...more,
  });
}

/** Renames the callee at each place of an item. */
export function renameCalls(item: WorkItem, context: RewriteContext, name: string, to: string): Rewrite {
  const changes = item.files.map((file) => {
    const text = context.text(file) ?? '';
    const edits = item.sites.filter((site) => site.file === file).map((site) => ({ start: site.span.start, end: site.span.start + name.length, text: to }));
    if (!edits.every((edit) => text.slice(edit.start, edit.end) === name)) throw new Error(`${file}: the item does not fit the text`);
    return { kind: 'edit' as const, file, edits };
  });
  return { outcome: 'rewrite', changes, needs: [], todo: [], notes: [] };
}

/** Extents and calls of functions, as the shared source of the product gives them. */
export const structure: FactSource = {
  id: 'structure',
  literals: { strong: [], weak: [] },
  detect: {
    typescript: (file: TypeScriptFile, report, around) => {
      const visit = (node: ts.Node): void => {
        if (isFunctionNode(node)) report.fact({ type: 'function', site: file.site(node), symbol: functionRef(node, file) });
      };
      return {
        FunctionDeclaration: visit,
        ArrowFunction: visit,
        FunctionExpression: visit,
        MethodDeclaration: visit,
        end: () => {
          for (const edge of calls(file, (path) => around.has(path)))
            report.fact({ type: 'call', site: file.site(edge.node), to: edge.to, ...(edge.from ? { from: edge.from } : {}) });
        },
      };
    },
  },
};

/** Facts from plain calls: `buildGauge()` is a server, `openSluice()` a transport, `pumpSluice()` a dispatch, `gaugeStore()` a store use. */
export const signs: FactSource = {
  id: 'signs',
  literals: { strong: ['harbour-gauge'], weak: ['Sluice'] },
  detect: {
    typescript: (file: TypeScriptFile, report) => ({
      CallExpression(node) {
        const fn = enclosingFunction(node);
        const within = fn ? { within: functionRef(fn, file) } : {};
        const site = file.site(node);
        const name = calledName(node);
        if (name === 'buildGauge') report.fact({ type: 'server', site, ...within, className: 'Gauge', scope: fn ? 'function' : 'module' });
        if (name === 'openSluice')
          report.fact({
            type: 'transport',
            site,
            ...within,
            kind: 'streamable-http',
            className: 'Sluice',
            sessions: 'minted',
            jsonResponse: 'off',
            eventStore: false,
            hooks: [],
          });
        if (name === 'pumpSluice') report.fact({ type: 'dispatch', site, ...within, body: 'parsed' });
      },
    }),
  },
};

export const knowledge = (...concerns: readonly Concern[]): Knowledge => ({ concerns, hosts: [], sources: [], rules: [] });

/** Options of a dry run that renders shims as their model in JSON. */
export const dryRun: MigrateOptions = { renderShim: (template, model) => `// ${template}\nexport const shim = ${JSON.stringify(model)};\n` };

/** A site of a made-up file: offsets are given, lines are counted as tens of characters. */
export function at(file: string, start: number, end = start + 1): Site {
  const starts = Array.from({ length: 100 }, (_, line) => line * 10);
  return siteOf(file, starts, { start, end });
}

export const ref = (file: string, name: string): SymbolRef => ({ file, name });

/** `from` refers to `to`; without `from`, the module level of the file of `to` does. */
export function edge(from: SymbolRef | undefined, to: SymbolRef, file = from?.file ?? to.file): Fact {
  return { type: 'call', site: at(file, 0), to, ...(from ? { from } : {}) };
}
