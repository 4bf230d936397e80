import { visible } from '../../report/index.js';
import { resolveTarget, undo as takeBack, undoneElsewhere } from '../../workspace/index.js';
import { EXIT, type ExitCode } from '../errors.js';
import type { CommonOptions } from '../options.js';
import { print, type World } from '../world.js';

/** `unsession undo [path]` */
export async function undo(path: string, options: CommonOptions, world: World): Promise<ExitCode> {
  const { root } = resolveTarget(path, world.cwd);
  const report = await takeBack(root);
  if (!report) {
    const elsewhere = (await undoneElsewhere(root)).map(
      (folder) => `A run in another folder of this repository can be undone with "unsession undo ${visible(folder)}".\n`,
    );
    await print(world.stdout, `Nothing to undo: no run of "unsession migrate --write" is recorded here.\n${elsewhere.join('')}`);
    return EXIT.ok;
  }
  const files = `${String(report.files.length)} ${report.files.length === 1 ? 'file is' : 'files are'}`;
  const lines = [
    `${files} as before "unsession ${visible(report.label)}" of ${report.startedAt}${report.interrupted ? ', which had been interrupted' : ''}.`,
    ...(options.quiet ? [] : report.files.map((file) => `  ${visible(file)}`)),
  ];
  await print(world.stdout, `${lines.join('\n')}\n`);
  return EXIT.ok;
}
