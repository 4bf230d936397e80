import { clock, say } from './console.js';
import { bin, run } from './process.js';

const script = (file, ...args) => [process.execPath, '--import', 'tsx', file, ...args];

/** What must hold before any test is worth running. `cure` is the command that mends it, when there is one. */
const CHECKS = [
  { name: 'types', command: [...bin('typescript-native/bin/tsc'), '-p', 'test/tsconfig.json'] },
  { name: 'lint', command: [...bin('eslint/bin/eslint.js'), '.', '--max-warnings', '0'], cure: 'npm run fix' },
  { name: 'format', command: [...bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'], cure: 'npm run fix' },
  { name: 'architecture', command: [...bin('dependency-cruiser/bin/dependency-cruise.mjs'), 'bin', 'src', 'transforms', '--output-type', 'err-long'] },
  { name: 'unused code', command: [...bin('knip/bin/knip.js'), '--no-progress'] },
  { name: 'generated files', command: script('src/dev/generate.ts', '--check'), cure: 'npm run generate' },
  { name: 'package', command: [...bin('publint/src/cli.js'), '--strict', '--pack', 'npm'] },
];

/**
 * Builds, then runs every check, two at a time. A check counts as one test.
 * @param {(() => Promise<void>)[]} [beside] other long tasks that share the two places
 */
export async function runChecks(beside = []) {
  const total = clock();
  const result = { name: 'checks', passed: 0, failed: 0, skipped: 0, seconds: 0 };
  const judge = async ({ name, command: [executable, ...args], cure }) => {
    const seconds = clock();
    const { code, output } = await run(executable, args);
    if (code === 0) result.passed++;
    else result.failed++;
    say(`${code === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(16)} ${seconds()} s`);
    if (code !== 0) say(output.trimEnd() + (cure ? `\n     ${name}: \`${cure}\` mends what can be mended.` : ''));
  };
  await judge({ name: 'build', command: [...bin('typescript-native/bin/tsc'), '-p', 'tsconfig.json'] });
  // The longest first: lint and what stands beside the checks set the time of the whole.
  const queue = [...CHECKS].sort((a, b) => Number(b.name === 'lint') - Number(a.name === 'lint')).map((check) => () => judge(check));
  queue.splice(1, 0, ...beside);
  const worker = async () => {
    for (let task = queue.shift(); task; task = queue.shift()) await task();
  };
  await Promise.all([worker(), worker()]);
  result.seconds = total();
  return result;
}
