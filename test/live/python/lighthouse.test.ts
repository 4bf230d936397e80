import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VerifyReport } from '../../../src/core/index.js';
import { runCommand, tail, unsession } from '../command.js';
import { ARGUED } from '../foreign/argued.js';
import { ROOT } from '../server-process.js';
import { startPython } from './process.js';
import { ensureVenv, findPython, type Venv } from './venvs.js';

const SOURCE = join(ROOT, 'test/live/python/lighthouse');
const python = await findPython();
if (python === undefined) console.log('not run: the Python suite needs Python 3.10 or later');

/** One project with a high-level server, a low-level server, an HTTP host, a client and tests: from SDK 1.x to SDK 2.x. */
describe.skipIf(python === undefined)('a Python project goes from SDK 1.x to 2.x', () => {
  let home = '';
  let legacy = '';
  let moved = '';
  let v1: Venv;
  let v2: Venv;

  beforeAll(async () => {
    const [one, two] = [await ensureVenv(1), await ensureVenv(2)];
    if (!one || !two) throw new Error('Python went away');
    [v1, v2] = [one, two];
    home = mkdtempSync(join(tmpdir(), 'unsession-lighthouse-'));
    legacy = join(home, 'legacy');
    moved = join(home, 'moved');
    for (const folder of [legacy, moved]) cpSync(SOURCE, folder, { recursive: true });
  }, 600_000);
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const pytest = (venv: Venv, folder: string) => runCommand(venv.python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], folder);

  it('passes its tests on 1.x before', async () => {
    const outcome = await pytest(v1, legacy);
    expect(tail(outcome)).toMatch(/13 passed/);
  });

  it('is migrated without a mark, and a second run changes nothing', async () => {
    const first = await unsession(['migrate', '--milestone', 'sdk', '--write', '--allow-dirty', '--format', 'json', '.'], moved);
    const result = JSON.parse(first.stdout) as {
      outcomes: { outcome: string; todo: string[] }[];
      idempotent: boolean;
      proofs: { parses: boolean; names: boolean; untouched: boolean }[];
    };
    expect(result.outcomes.map(({ outcome, todo }) => ({ outcome, todo }))).toEqual([{ outcome: 'applied', todo: [] }]);
    expect(result.idempotent).toBe(true);
    expect(result.proofs.every((proof) => proof.parses && proof.names && proof.untouched)).toBe(true);
    const again = await unsession(['migrate', '--milestone', 'sdk', '--check', '.'], moved);
    expect(again.code).toBe(0);
    expect(readFileSync(join(moved, 'pyproject.toml'), 'utf8')).toBe(
      readFileSync(join(SOURCE, 'pyproject.toml'), 'utf8')
        .replace(
          '"mcp[cli]>=1.28,<2",  # both servers and the visitor',
          '"mcp[cli]>=2.2,<3",  # both servers and the visitor\n    "httpx2>=2.10",\n    "jsonschema>=4.20",',
        )
        .replace('>=3.9', '>=3.10'),
    );
    expect(existsSync(join(moved, 'lighthouse/mcp_handlers.py'))).toBe(true);
  });

  it('passes the same tests on 2.x', async () => {
    const outcome = await pytest(v2, moved);
    expect(tail(outcome)).toMatch(/13 passed/);
  });

  it('answers a client of 1.x and a client of 2.x over HTTP, and the checks of both eras', async () => {
    const host = await startPython(v2.python, ['-m', 'lighthouse.host'], moved);
    try {
      for (const [venv, folder] of [
        [v1, legacy],
        [v2, moved],
      ] as const) {
        const seen = await runCommand(venv.python, ['-m', 'lighthouse.visitor', `${host.url}/ledger/`], folder);
        expect(JSON.parse(seen.stdout || tail(seen))).toMatchObject({
          server: 'ledger',
          answer: { pages: 1 },
          page: [{ mimeType: 'text/plain', text: 'fog until noon' }],
        });
      }
      const modern = await runCommand(v2.python, ['-c', MODERN, `${host.url}/ledger/`], moved);
      expect(tail(modern)).toBe('2026-07-28 count,tear 1 True');
      // What fails here is the SDK's own, and argued with the foreign servers; without sessions it mints none, so CK-L02 holds.
      const argued = Object.keys(ARGUED['python http'] ?? {}).filter((id) => id !== 'CK-L02');
      expect(await failures([`${host.url}/keeper/`], moved)).toEqual(argued);
    } finally {
      await host.stop();
    }
  });

  it('answers both eras over stdio', async () => {
    expect(await failures(['--stdio', '--', v2.python, '-m', 'lighthouse.ledger'], moved)).toEqual([]);
  });
});

/** Checks that fail, by their ids. */
async function failures(target: readonly string[], folder: string): Promise<readonly string[]> {
  const outcome = await unsession(['verify', '--format', 'json', ...target], folder);
  const report = VerifyReport.parse(JSON.parse(outcome.stdout));
  expect(report.inconclusive).toBeUndefined();
  expect(report.summary.pass).toBeGreaterThan(10);
  return report.results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

/** A client of the 2026-07-28 revision. */
const MODERN = `
import asyncio, sys
from mcp.client import Client

async def main():
    async with Client(sys.argv[1]) as client:
        tools = await client.list_tools()
        good = await client.call_tool("count", {"word": "fog"})
        bad = await client.call_tool("tear", {})
        print(client.protocol_version, ",".join(tool.name for tool in tools.tools), good.structured_content["pages"], bad.is_error)

asyncio.run(main())
`;
