import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../src/core/index.js';
import { manifestEdits, packageManager, unmetNeeds, type ManifestNeed } from '../../src/workspace/index.js';
import { repository, tree } from './tree.js';

const manifest = 'package.json';
const add = (name: string, range: string): ManifestNeed => ({ kind: 'dependency', manifest, name, range });
const remove = (name: string): ManifestNeed => ({ kind: 'dependency', manifest, name, remove: true });
const engine = (range: string): ManifestNeed => ({ kind: 'engine', manifest, name: 'node', range });
const edit = (text: string, ...needs: readonly ManifestNeed[]): string => applyEdits(text, manifestEdits(text, needs));

const SDK = '@modelcontextprotocol/sdk';
const SERVER = '@modelcontextprotocol/server';

describe('manifestEdits', () => {
  it('replaces a package where it was, sorted among the others', () => {
    const text = `{\n  "name": "weather",\n  "dependencies": {\n    "@modelcontextprotocol/sdk": "^1.20.0",\n    "express": "^5.0.0"\n  },\n  "scripts": {}\n}\n`;
    expect(edit(text, remove(SDK), add(SERVER, '^2.0.0'), add('zod', '^4.2.0'))).toBe(
      `{\n  "name": "weather",\n  "dependencies": {\n    "@modelcontextprotocol/server": "^2.0.0",\n    "express": "^5.0.0",\n    "zod": "^4.2.0"\n  },\n  "scripts": {}\n}\n`,
    );
  });

  it('appends to a section that is not sorted', () => {
    expect(edit('{\n  "dependencies": {\n    "zod": "^3.0.0",\n    "express": "^5.0.0"\n  }\n}', add(SERVER, '^2.0.0'))).toBe(
      '{\n  "dependencies": {\n    "zod": "^3.0.0",\n    "express": "^5.0.0",\n    "@modelcontextprotocol/server": "^2.0.0"\n  }\n}',
    );
  });

  it('keeps tabs, CRLF and a missing final newline', () => {
    const text = '{\r\n\t"dependencies": {\r\n\t\t"@modelcontextprotocol/sdk": "^1.0.0"\r\n\t}\r\n}';
    expect(edit(text, remove(SDK), add(SERVER, '^2.0.0'))).toBe('{\r\n\t"dependencies": {\r\n\t\t"@modelcontextprotocol/server": "^2.0.0"\r\n\t}\r\n}');
  });

  it('keeps the place of a section whose only entry is replaced, and drops one that becomes empty', () => {
    const text = '{\n    "devDependencies": {\n        "@modelcontextprotocol/sdk": "1.x"\n    },\n    "license": "MIT"\n}\n';
    expect(edit(text, remove(SDK), add(SERVER, '^2.0.0'))).toBe(text.replace('sdk": "1.x', 'server": "^2.0.0'));
    expect(edit(text, remove(SDK))).toBe('{\n    "license": "MIT"\n}\n');
  });

  it('puts the new package into every section that held the old one, peer metadata included', () => {
    const text = JSON.stringify(
      { peerDependencies: { [SDK]: '^1.0.0' }, devDependencies: { [SDK]: '^1.0.0' }, peerDependenciesMeta: { [SDK]: { optional: true } } },
      null,
      2,
    );
    expect(JSON.parse(edit(text, remove(SDK), add(SERVER, '^2.0.0')))).toEqual({
      peerDependencies: { [SERVER]: '^2.0.0' },
      devDependencies: { [SERVER]: '^2.0.0' },
    });
  });

  it('keeps sections of one line, and entries that share a line', () => {
    const inline = '{\n  "name": "weather",\n  "dependencies": { "@modelcontextprotocol/sdk": "^1.0.0", "zod": "^3.25.0" },\n  "type": "module"\n}\n';
    expect(edit(inline, remove(SDK), add(SERVER, '^2.0.0'), add('express', '^5.0.0'))).toBe(
      '{\n  "name": "weather",\n  "dependencies": { "@modelcontextprotocol/server": "^2.0.0", "express": "^5.0.0", "zod": "^3.25.0" },\n  "type": "module"\n}\n',
    );
    const shared = '{\n  "dependencies": {\n    "cors": "^2.8.5", "express": "^5.0.0",\n    "zod": "^4.2.0"\n  }\n}\n';
    expect(edit(shared, add('dotenv', '^17.0.0'))).toBe(shared.replace('"express"', '"dotenv": "^17.0.0", "express"'));
    expect(edit(shared, remove('express'))).toBe(shared.replace(', "express": "^5.0.0"', ''));
    expect(edit('{"dependencies":{"zod":"^4.2.0"}}', add(SERVER, '^2.0.0'))).toBe('{"dependencies":{"@modelcontextprotocol/server":"^2.0.0","zod":"^4.2.0"}}');
    expect(edit('{ "name": "weather", "type": "module" }', add(SERVER, '^2.0.0'))).toBe(
      '{ "name": "weather", "type": "module", "dependencies": { "@modelcontextprotocol/server": "^2.0.0" } }',
    );
  });

  it('changes the entries that it is asked to change and no other byte, whatever the style', () => {
    const name = fc.constantFrom('cors', 'dotenv', 'express', 'helmet', 'pino', 'ws', 'zod');
    const style = fc.record({
      comma: fc.constantFrom(', ', ',', ',\n    ', ',\r\n\t\t'),
      colon: fc.constantFrom(': ', ':'),
      pad: fc.constantFrom('', ' ', '\n    '),
    });
    const needs = fc.uniqueArray(fc.record({ name, drop: fc.boolean() }), { maxLength: 4, selector: (need) => need.name });
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1 }), style, needs, (names, { comma, colon, pad }, wanted) => {
        const entry = (of: string): string => `"${of}"${colon}"^9.0.0"`;
        const text = `{\n  "name": "weather",\n  "dependencies": {${pad}${names.map(entry).join(comma)}${pad}},\n  "license": "MIT"\n}\n`;
        const next = edit(text, ...wanted.map((need) => (need.drop ? remove(need.name) : add(need.name, '^9.0.0'))));
        const left = names.filter((of) => !wanted.some((need) => need.drop && need.name === of));
        const added = wanted.filter((need) => !need.drop && !names.some((of) => of === need.name)).map((need) => need.name);
        const found = (JSON.parse(next) as { readonly dependencies?: Readonly<Record<string, string>> }).dependencies ?? {};
        expect(Object.keys(found).filter((of) => !added.some((other) => other === of))).toEqual(left);
        expect(Object.keys(found).sort()).toEqual([...left, ...added].sort());
        for (const of of left) expect(next).toContain(entry(of));
        // Nothing asked for, nothing done; and no line that holds several entries is broken up.
        if (wanted.length === 0) expect(next).toBe(text);
        if (!comma.includes('\n') && !pad.includes('\n') && left.length > 0) expect(next.split('\n').length).toBe(text.split('\n').length);
      }),
      { numRuns: 300 },
    );
  });

  it('makes the section when there is none, without moving others', () => {
    expect(edit('{\n  "name": "weather",\n  "version": "1.0.0"\n}\n', add(SERVER, '^2.0.0'))).toBe(
      '{\n  "name": "weather",\n  "version": "1.0.0",\n  "dependencies": {\n    "@modelcontextprotocol/server": "^2.0.0"\n  }\n}\n',
    );
  });

  it.each([
    ['^3.23.0', '^4.2.0'],
    ['^3.25.0 || ^4.0.0', '^4.2.0'],
    ['*', '^4.2.0'],
    ['^4.2.0', '^4.2.0'],
    ['^4.3.1', '^4.3.1'],
    ['4.5.0', '4.5.0'],
    ['workspace:*', 'workspace:*'],
    ['catalog:', 'catalog:'],
    ['npm:zod@3', 'npm:zod@3'],
    ['latest', 'latest'],
    ['^5.0.0', '^5.0.0'],
  ])('turns "%s" into "%s" when ^4.2.0 is needed', (current, expected) => {
    const text = JSON.stringify({ dependencies: { zod: current } }, null, 2);
    expect(JSON.parse(edit(text, add('zod', '^4.2.0')))).toEqual({ dependencies: { zod: expected } });
  });

  it('says what a person has to raise', () => {
    const text = JSON.stringify({ dependencies: { zod: 'catalog:', [SERVER]: 'workspace:^' } });
    expect(unmetNeeds(text, [add('zod', '^4.2.0'), add(SERVER, '^2.0.0')]).map((unmet) => unmet.reason)).toEqual([
      'dependencies zod: "catalog:" is not a version range; raise it to ^4.2.0 in the catalog of the workspace',
      'dependencies @modelcontextprotocol/server: "workspace:^" is not a version range; raise it to ^2.0.0 in the member of the workspace',
    ]);
    expect(unmetNeeds('{"dependencies":{"zod":"^3.0.0"}}', [add('zod', '^4.2.0')])).toEqual([]);
  });

  it.each([
    ['>=18', '>=20'],
    ['>= 18.17', '>=20'],
    ['>=18 <23', '>=20 <23.0.0'],
    ['^18.0.0 || ^20.0.0 || >=22', '^20.0.0 || >=22'],
    ['16.x', '>=20'],
    ['>=22', '>=22'],
    ['*', '>=20'],
    ['whatever', 'whatever'],
  ])('raises engines "%s" to "%s"', (current, expected) => {
    expect(JSON.parse(edit(JSON.stringify({ engines: { node: current } }), engine('>=20')))).toEqual({ engines: { node: expected } });
  });

  it('leaves a manifest of one line on one line', () => {
    expect(edit('{"name":"ferries","dependencies":{"@modelcontextprotocol/sdk":"^1.0.0","express":"^5.0.0"}}\n', remove(SDK), add(SERVER, '^2.0.0'))).toBe(
      '{"name":"ferries","dependencies":{"@modelcontextprotocol/server":"^2.0.0","express":"^5.0.0"}}\n',
    );
  });

  it('adds no engine that was not declared, and refuses what is not a manifest', () => {
    expect(manifestEdits('{"name":"a"}', [engine('>=20')])).toEqual([]);
    expect(() => manifestEdits('[1]', [])).toThrow(SyntaxError);
    expect(() => manifestEdits('', [])).toThrow(SyntaxError);
  });

  it('changes nothing when everything is there already', () => {
    expect(manifestEdits('{ "dependencies": { "zod": "^4.2.0" } }', [add('zod', '^4.2.0'), remove(SDK)])).toEqual([]);
  });
});

describe('packageManager', () => {
  it.each([
    ['package-lock.json', 'npm', 'npm install', 'npm run build', 'npx tsc --noEmit'],
    ['pnpm-lock.yaml', 'pnpm', 'pnpm install', 'pnpm run build', 'pnpm exec tsc --noEmit'],
    ['yarn.lock', 'yarn', 'yarn install', 'yarn run build', 'yarn exec tsc -- --noEmit'],
    ['bun.lock', 'bun', 'bun install', 'bun run build', 'bun x tsc --noEmit'],
  ])('%s', async (lockFile, name, install, run, execute) => {
    const found = await packageManager(tree({ [lockFile]: '', 'package.json': '{}' }));
    expect({ name: found.name, lockFile: found.lockFile, install: found.install, run: found.run('build') }).toEqual({ name, lockFile, install, run });
    expect(found.execute('tsc', '--noEmit')).toBe(execute);
  });

  it('follows the packageManager field, and looks above the folder inside the work tree only', async () => {
    const root = repository({ 'pnpm-lock.yaml': '', 'pnpm-workspace.yaml': '', 'packages/api/package.json': '{}' });
    expect(await packageManager(`${root}/packages/api`)).toMatchObject({ name: 'pnpm', lockFile: '../../pnpm-lock.yaml' });
    expect(await packageManager(tree({ 'package.json': '{"packageManager":"yarn@4.1.0"}' }))).toMatchObject({
      name: 'yarn',
      agent: 'yarn@berry',
      lockFile: undefined,
    });
    expect(await packageManager(tree({}))).toMatchObject({ name: 'npm', lockFile: undefined });
  });
});
