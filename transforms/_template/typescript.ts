import { ts } from 'ts-morph';
import { originOf } from '../../src/languages/typescript/index.js';
import type { Detector } from '../../src/core/index.js';

/** WRITE: what is looked for, and how it is told from what only looks like it. */
export const detectTypeScript: Detector<'typescript', 'first-kind'> = (file, report) => ({
  // One method for each kind of node; the tree is walked once for all detectors.
  NewExpression(node) {
    const { expression } = node;
    if (!ts.isIdentifier(expression)) return;
    // Provenance first: the module and the exported name behind an identifier, whatever it is called here.
    const origin = originOf(expression, file);
    if (origin?.name === 'WRITE: an exported name') report.finding('first-kind', file.span(expression), { data: { callee: expression.text } });
  },
});
