import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VerifyReport } from '../../src/core/index.js';
import { checks } from '../../transforms/_checks/index.js';
import { unsession, type Ran } from '../cli/run.js';
import { tree } from '../workspace/tree.js';
import { verdicts } from './peers.js';

/** A client on the official TypeScript SDK 2, as a user has it. */
const VISITOR = join(import.meta.dirname, '../live/foreign/typescript/visitor.mjs');

const judge = (script: string, words: readonly string[], ...options: string[]): Promise<Ran> =>
  unsession(['verify', ...options, '--client', '--', process.execPath, script, ...words], { cwd: tree(), checks });

/** A client that speaks the revision by hand and forgets one thing. */
const forgetful = (headers: string): string =>
  join(
    tree({
      'client.mjs': `const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientInfo': { name: 'hand', version: '1' }, 'io.modelcontextprotocol/clientCapabilities': {} };
let id = 0;
const ask = async (method, params = {}) => {
  const answer = await fetch(process.argv[2], { method: 'POST', redirect: 'manual', headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ${headers} }, body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params: { ...params, _meta: meta } }) });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
};
await ask('server/discover');
await ask('tools/list');
await ask('tools/call', { name: 'echo', arguments: {} });
`,
    }),
    'client.mjs',
  );

describe('verify --client, from the command line', () => {
  it('judges a client of the official SDK 2', { timeout: 60_000 }, async () => {
    const ran = await judge(VISITOR, ['auto', '{url}'], '--format', 'json', '--only', 'CK-C01,CK-C02,CK-C06,CK-C10,CK-C11,CK-C14,CK-C30');
    const report = VerifyReport.parse(JSON.parse(ran.stdout));
    expect(verdicts(report)).toEqual({
      'CK-C01': 'pass',
      'CK-C02': 'pass',
      'CK-C06': 'pass',
      'CK-C10': 'pass',
      'CK-C11': 'pass',
      'CK-C14': 'pass',
      'CK-C30': 'pass',
    });
    expect(report.conclusion.speaks).toBe('client');
    expect(ran.code).toBe(0);
  });
  it('names what a faulty client forgets, and ends with 1', { timeout: 60_000 }, async () => {
    const complete = `'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, ...(params.name ? { 'Mcp-Name': params.name } : {})`;
    const whole = await judge(forgetful(complete), ['{url}'], '--only', 'CK-C01,CK-C02');
    expect(whole.code).toBe(0);
    const faulty = await judge(forgetful(`'MCP-Protocol-Version': '2026-07-28'`), ['{url}'], '--only', 'CK-C01,CK-C02');
    expect(faulty.code).toBe(1);
    expect(faulty.stdout).toContain('FAIL       CK-C02');
    expect(faulty.stdout).toContain('header.mcp-method');
    expect(faulty.stdout).not.toContain('FAIL       CK-C01');
  });
  it('does not take waiting for cancelling', { timeout: 30_000 }, async () => {
    const complete = `'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, ...(params.name ? { 'Mcp-Name': params.name } : {})`;
    const ran = await judge(forgetful(complete), ['{url}'], '--only', 'CK-C20', '--timeout', '1500', '--format', 'json');
    expect(verdicts(VerifyReport.parse(JSON.parse(ran.stdout)))['CK-C20']).toBe('not-tested');
  });
  it('says where the address belongs when the command has no place for it', { timeout: 30_000 }, async () => {
    const ran = await judge(join(tree({ 'client.mjs': 'process.exit(0);\n' }), 'client.mjs'), [], '--only', 'CK-C01', '--verbose');
    expect(ran.stdout.replace(/\s+/g, ' ')).toContain('Its command has no {url}: write it where the address belongs, or let the client read UNSESSION_URL.');
    expect(ran.code).toBe(3);
  });
});
