import { knowledge } from '../../../transforms/index.js';

/** One row for each concern and its kinds, from the code. */
export function renderConcernTable(): string {
  const rows = knowledge.concerns.map((concern) => {
    const kinds = Object.entries(concern.kinds).map(([kind, { impact }]) => `\`${kind}\` (${impact})`);
    const languages = Object.keys(concern.detect).join(', ');
    const rewrites = concern.rewrite ? 'rewrites' : 'by hand';
    const effort = `${concern.effort.base} + ${concern.effort.each} a place`;
    return `| [\`${concern.id}\`](${concern.id}/README.md) | ${concern.title} | ${kinds.join(', ')} | ${concern.milestone} | ${languages}, ${rewrites} | ${effort} |`;
  });
  return ['| concern | title | kinds | milestone | how | minutes by hand |', '| --- | --- | --- | --- | --- | --- |', ...rows].join('\n');
}
