import { originOf } from '../../src/languages/typescript/index.js';
import type { Detector } from '../../src/core/index.js';

/** WRITE: what is looked for, and how it is told from what only looks like it. */
export const detectTypeScript: Detector<'typescript', 'first-kind'> = (file, report) => ({
  CallExpression(node) {
    const origin = originOf(node.expression, file);
    if (origin?.name === 'WRITE: an exported name') report.finding('first-kind', file.span(node.expression), { data: { callee: origin.name } });
  },
});
