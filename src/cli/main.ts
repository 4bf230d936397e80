import { EXIT, explainError, type ExitCode } from './errors.js';
import { createProgram } from './program.js';
import { version } from './version.js';
import { print, processWorld, type World } from './world.js';

/** Runs one command line (without `node` and the script) and returns its exit code. Never throws. */
export async function main(args: readonly string[], world: World): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  const program = createProgram(world, (result) => {
    code = result;
  });
  try {
    if (args.length === 0) {
      await print(world.stdout, program.helpInformation());
      return EXIT.usage;
    }
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    const explained = explainError(error, args.join(' '), version);
    if (explained.message !== '') await print(world.stderr, `unsession: ${explained.message}\n`);
    return explained.code;
  }
}

/** The executable: sets the exit code and lets the process end by itself, so that pipes are drained. */
export async function run(): Promise<void> {
  // A reader that has gone is no fault; every other error of a stream is.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  process.exitCode = await main(process.argv.slice(2), processWorld());
}
