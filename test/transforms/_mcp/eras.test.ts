import { describe, expect, it } from 'vitest';
import { factsOfType } from './facts-kit.js';

const spansOf = (text: string): readonly string[] =>
  factsOfType('era', text).flatMap(({ what, spans }) => (what === 'branch' ? spans.map(({ start, end }) => text.slice(start, end)) : []));
const SDK = "import { isLegacyRequest, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';\n";

describe('branches on the era', () => {
  it.each([
    ['the predicate', `${SDK}export async function f(r: Request) { if (await isLegacyRequest(r)) return old(r); return now(r); }`, 'return old(r);'],
    ['its negation', `${SDK}export async function f(r: Request) { if (!(await isLegacyRequest(r))) return now(r); return old(r); }`, 'return old(r);'],
    [
      'a constant of it',
      `${SDK}export async function f(r: Request) { const legacy = await isLegacyRequest(r); if (legacy) { old(r); } else { now(r); } }`,
      '{ old(r); }',
    ],
    ['a conditional', `${SDK}export const f = async (r: Request) => ((await isLegacyRequest(r)) ? old(r) : now(r));`, 'old(r)'],
    [
      'a set of revisions',
      "const NOW = new Set(['2026-07-28']);\nexport function f(r: Request) { const v = r.headers.get('mcp-protocol-version') ?? ''; if (!NOW.has(v)) { old(r); } }",
      '{ old(r); }',
    ],
    [
      'equality',
      "export function f(r: any) { const v = r.get('mcp-protocol-version'); if (v === '2026-07-28') return now(r); return old(r); }",
      'return old(r);',
    ],
    ['order', "export function f(r: any) { const v = r.get('mcp-protocol-version'); if (v >= '2026-07-28') { now(r); } else { old(r); } }", '{ old(r); }'],
    [
      'the metadata',
      `${SDK}export function f(m: any) { if (m.params?._meta?.[PROTOCOL_VERSION_META_KEY] === undefined) return old(m); return now(m); }`,
      'return old(m);',
    ],
  ])('%s', (_name, text, lane) => {
    expect(spansOf(text)).toEqual([lane]);
  });

  it('takes no other version for it', () => {
    expect(spansOf("export function f(version: string) { if (version === '2026-07-28') return 1; return 2; }")).toEqual([]);
    expect(
      spansOf(
        "const KNOWN = new Set(['2025-06-18', '2026-07-28']);\nexport function f(r: any) { const v = r.get('mcp-protocol-version'); if (!KNOWN.has(v)) return 1; return 2; }",
      ),
    ).toEqual([]);
  });
});

describe('entries', () => {
  it.each([
    ['createMcpHandler(build)', 'stateless'],
    ["createMcpHandler(build, { legacy: 'reject' })", 'reject'],
    ['createMcpHandler(build, options)', 'unknown'],
  ])('%s', (call, legacy) => {
    const text = `import { createMcpHandler } from '@modelcontextprotocol/server';\nimport { build, options } from './build.js';\nexport const entry = ${call};`;
    expect(factsOfType('era', text)).toMatchObject([{ what: 'entry', legacy, symbol: { name: 'entry' } }]);
  });

  it('knows the shim by its file, and its lane', () => {
    const text =
      "import express from 'express';\nimport { dualEra } from './mcp-dual-era.js';\nconst mcp = dualEra(() => make());\nconst handle = (req: any, res: any) => res.end();\nexpress().post('/mcp', mcp(handle));";
    expect(factsOfType('era', text).map(({ what, lane }) => [what, lane.map(({ name }) => name)])).toEqual([
      ['entry', []],
      ['lane', ['handle']],
    ]);
  });
});
