import type { MigrateOptions } from '../engine/index.js';
import { visible } from '../report/index.js';
import { Refused, UsageProblem } from './errors.js';
import type { World } from './world.js';

/**
 * Asks about each work item before it is applied.
 * @throws UsageProblem without a terminal: a question that nobody sees would wait for ever
 */
export async function itemQuestion(world: World): Promise<NonNullable<MigrateOptions['approve']>> {
  if (!world.stdin.isTTY || !world.stderr.isTTY) throw new UsageProblem('--interactive needs a terminal; use --item ID to choose without one');
  const { isCancel, log, select } = await import('@clack/prompts');
  const answers = new Map<string, boolean>();
  let rest: boolean | undefined;
  return async (item, proposal) => {
    const known = answers.get(item.id) ?? rest;
    if (known !== undefined) return known;
    const files = proposal.changes.map((change) => `  ${change.kind} ${visible(change.file)}`).join('\n');
    log.message(`${visible(item.id)}  ${visible(item.title)}\n${visible(item.reason)}\n${files}`);
    const answer = await select({
      message: proposal.outcome === 'scaffold' ? 'Apply? It leaves steps for a person.' : 'Apply?',
      options: [
        { value: 'yes', label: 'yes' },
        { value: 'no', label: 'no' },
        { value: 'all', label: 'yes to all that follow' },
        { value: 'none', label: 'no to all that follow' },
      ],
    });
    if (isCancel(answer)) throw new Refused('cancelled; nothing was written');
    if (answer === 'all' || answer === 'none') rest = answer === 'all';
    answers.set(item.id, answer === 'yes' || answer === 'all');
    return answer === 'yes' || answer === 'all';
  };
}
