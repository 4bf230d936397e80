/**
 * Ten published packages through the whole journey, one after the other: installed, driven, migrated, driven by both eras, undone.
 *
 *   tsx test/live/published/all.ts [name …]     writes test/results/packages.json
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { ROOT } from '../server-process.js';
import { journey, type Journey } from './journey.js';
import { PUBLISHED } from './list.js';

/** Runs the journeys and writes the record when none is left out. Resolves to the number of packages that are not as expected. */
export async function provePackages(asked: readonly string[]): Promise<number> {
  const chosen = asked.length > 0 ? PUBLISHED.filter(({ id, name }) => asked.includes(id) || asked.includes(name)) : PUBLISHED;
  const journeys: Journey[] = [];
  for (const entry of chosen) {
    const one = await journey(entry).catch((error: unknown): Journey => {
      const nothing = { ok: false, problem: 'not reached' };
      const detail = [error instanceof Error ? error.message : String(error)];
      return {
        id: entry.id,
        expected: entry.expect,
        why: entry.why,
        result: 'broken',
        ok: false,
        detail,
        items: {},
        left: [],
        changed: [],
        before: { legacy: nothing, modern: nothing },
        undone: false,
        seconds: 0,
      };
    });
    journeys.push(one);
    console.log(`${one.ok ? 'ok  ' : 'FAIL'} ${one.id}: ${one.result}; ${String(one.changed.length)} files changed, undone; ${String(one.seconds)} s`);
    for (const line of one.detail) console.log(`     ${line}`);
    if (!one.ok && one.after) console.log(`     modern client: ${one.after.modern.problem ?? one.after.modern.answer ?? ''}`);
  }
  if (asked.length === 0) {
    const version = (name: string): string => (JSON.parse(readFileSync(`${ROOT}node_modules/${name}/package.json`, 'utf8')) as { version: string }).version;
    const clients = Object.fromEntries(['@modelcontextprotocol/sdk', '@modelcontextprotocol/client'].map((name) => [name, version(name)]));
    mkdirSync(`${ROOT}test/results`, { recursive: true });
    writeFileSync(`${ROOT}test/results/packages.json`, `${JSON.stringify({ node: process.version, clients, packages: journeys }, null, 2)}\n`);
  }
  return journeys.filter(({ ok }) => !ok).length;
}

if (process.argv[1]?.endsWith('published/all.ts') === true) process.exitCode = (await provePackages(process.argv.slice(2))) > 0 ? 1 : 0;
