import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VerifyReport } from '../../src/core/index.js';
import { runCommand, tail, unsession } from './command.js';
import { installOnce } from './install.js';
import { copyUnderGit } from './prove-shape.js';
import { commandsOf, runPrinted, type PrintedCommand } from './runbook-commands.js';
import { startServer, type RunningServer } from './server-process.js';
import { EXAMPLE } from './shapes.js';

const DECISION = ['--sunset', '2027-06-30', '--owner', 'Library IT'];
const AUTHOR = ['-c', 'user.name=unsession', '-c', 'user.email=unsession@localhost', '-c', 'commit.gpgsign=false'];

/** The same command with other ids: one of each is run here; `UNSESSION_EVERY_COMMAND=1` runs all. */
const formOf = ({ line }: PrintedCommand): string => line.replace(/CK-\w+/g, 'CK-…').replace(/\bP\d_/g, 'P_');

/** The phases of a runbook, carried out as commits of the example, so that its rollback commands have something to take back. */
describe('every command of a runbook runs as printed', () => {
  let copy: string;
  let runbook: string;
  let base: string;
  let servers: readonly RunningServer[] = [];
  const variables: Record<string, string> = {
    GIT_AUTHOR_NAME: 'unsession',
    GIT_AUTHOR_EMAIL: 'unsession@localhost',
    GIT_COMMITTER_NAME: 'unsession',
    GIT_COMMITTER_EMAIL: 'unsession@localhost',
  };

  const must = async (outcome: ReturnType<typeof runCommand>): Promise<string> => {
    const { code, ...rest } = await outcome;
    if (code !== 0) throw new Error(tail({ code, ...rest }));
    return rest.stdout.trim();
  };
  const commit = async (phase: string): Promise<void> => {
    await must(runCommand('git', ['add', '--all'], copy));
    await must(runCommand('git', [...AUTHOR, 'commit', '--quiet', '--allow-empty', '--message', phase], copy));
    variables[`${phase}_COMMIT`] = await must(runCommand('git', ['rev-parse', 'HEAD'], copy));
  };

  beforeAll(async () => {
    copy = await copyUnderGit(EXAMPLE.folder, EXAMPLE.name);
    base = await must(runCommand('git', ['rev-parse', 'HEAD'], copy));
    writeFileSync(join(copy, '.gitignore'), 'node_modules\nverify.json\n');
    await commit('P1');
    runbook = await must(unsession(['runbook', ...DECISION], copy));
    for (const [phase, milestone] of [['P2', 'sdk'] as const, ['P3', 'entry'] as const]) {
      await must(unsession(['migrate', '--write', '--milestone', milestone, ...DECISION], copy));
      await commit(phase);
    }
    for (const phase of ['P5', 'P6']) {
      writeFileSync(join(copy, 'NOTES.md'), `# ${phase}\n`);
      await commit(phase);
    }
    await installOnce(copy);
    servers = await Promise.all([startServer(copy, EXAMPLE.entry), startServer(copy, EXAMPLE.entry)]);
    variables['MCP_URL'] = servers[0]?.url ?? '';
    variables['MCP_REPLICA'] = servers[1]?.url ?? '';
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
    rmSync(dirname(copy), { recursive: true, force: true });
  });

  it('names the commands that a reader expects', () => {
    const lines = commandsOf(runbook).map(({ line }) => line);
    for (const start of [
      'export MCP_URL=',
      'export MCP_REPLICA=',
      'npx unsession verify "$MCP_URL" --only CK-H01',
      'npx unsession scan',
      'npx unsession migrate --check',
      'npx unsession migrate --retire',
      'git revert --no-edit "$P3_COMMIT"',
    ])
      expect(
        lines.some((line) => line.startsWith(start)),
        start,
      ).toBe(true);
  });

  it('checks, scans and migrations', async () => {
    const printed = commandsOf(runbook).filter(({ line }) => line.startsWith('npx unsession') && !line.includes('runbook'));
    const everything = process.env['UNSESSION_EVERY_COMMAND'] === '1';
    // Checks that wait for a time-out are left to the whole run.
    const brief = printed.filter(({ line }) => !line.includes('--class slow'));
    const chosen = everything ? printed : [...new Map([...brief].reverse().map((command) => [formOf(command), command])).values()];
    expect(chosen.length).toBeGreaterThan(6);
    const failed: string[] = [];
    for (const { line } of chosen) {
      const why = await runPrinted(line, copy, variables, dirname(copy));
      if (why !== '') failed.push(`${line}\n  ${why}`);
    }
    expect(failed.join('\n')).toBe('');
    expect(VerifyReport.parse(JSON.parse(readFileSync(join(copy, 'verify.json'), 'utf8'))).results.length).toBeGreaterThan(20);
    // Every line is a process of its own, and some wait for a time-out.
  }, 1_800_000);

  it('evidence fills the checklist', async () => {
    const { line } = commandsOf(runbook).find((command) => command.line.includes('--evidence')) as PrintedCommand;
    expect(await runPrinted(`${line} --output filled.md`, copy, variables, dirname(copy))).toBe('');
    expect(readFileSync(join(copy, 'filled.md'), 'utf8')).toMatch(/\| pass /);
    rmSync(join(copy, 'filled.md'));
  });

  it('rollbacks, from the last phase to the first', async () => {
    const reverts = commandsOf(runbook).filter(({ line }) => line.startsWith('git revert'));
    expect(reverts.length).toBeGreaterThan(3);
    await must(runCommand('git', ['checkout', '--quiet', '--', '.'], copy));
    for (const { line } of [...reverts].reverse()) {
      expect(await runPrinted(line, copy, variables, dirname(copy)), line).toBe('');
    }
    expect(await must(runCommand('git', ['diff', '--stat', base], copy))).toBe('');
  });
});
