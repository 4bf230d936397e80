import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { zodProblems } from '../zod.js';
import type { Say } from './typescript.js';

/** Places that keep zod from being raised; `judge` drops them where no package of the item registers a schema with SDK v1. */
export function detectZod(file: TypeScriptFile, say: Say): void {
  for (const { node, why } of zodProblems(file)) say('zod-range', file.span(node), { impact: 'none', data: { reason: why } });
}
