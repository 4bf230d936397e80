import { knowledge } from '../../../transforms/index.js';

const IMPACTS = { breaks: 'break', degrades: 'degrade', tidies: 'tidy', none: 'inform' } as const;

/** One row for each concern, from the code. The kinds are counted by impact; `unsession rules` lists them. */
export function renderConcernTable(): string {
  const rows = knowledge.concerns.map((concern) => {
    const kinds = Object.values(concern.kinds);
    const counts = Object.entries(IMPACTS).flatMap(([impact, verb]) => {
      const count = kinds.filter((kind) => kind.impact === impact).length;
      return count === 0 ? [] : [`${count} ${verb}`];
    });
    const languages = Object.keys(concern.detect).join(', ');
    const effort = `${concern.effort.base} + ${concern.effort.each} a place`;
    return `| [\`${concern.id}\`](${concern.id}/README.md) | ${concern.title} | ${counts.join(', ')} | \`${concern.milestone}\` | ${languages} | ${concern.rewrite ? 'rewrites' : 'explains'} | ${effort} |`;
  });
  return ['| concern | finds | kinds | milestone | reads | cure | minutes by hand |', '| --- | --- | --- | --- | --- | --- | --- |', ...rows].join('\n');
}
