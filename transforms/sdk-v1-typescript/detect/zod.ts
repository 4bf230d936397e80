import type { ts } from 'ts-morph';
import { importBindings, moduleRequests, type TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { packageOf } from '../../_mcp/sdk-table.js';
import { BY_NAME } from '../judge.js';
import { isZodKin } from '../ranges.js';
import { zodProblems } from '../zod.js';
import type { Say } from './typescript.js';

/** Packages built on zod that a file imports, whether they are declared or not. */
export const zodKinNamed = (file: TypeScriptFile): readonly { readonly name: string; readonly literal: ts.Node }[] =>
  moduleRequests(file).flatMap(({ specifier, literal }) => {
    const name = /^[./]|^node:/.test(specifier) ? undefined : packageOf(specifier);
    return name !== undefined && isZodKin(name) ? [{ name, literal }] : [];
  });

/** Places that keep zod from being raised; `judge` drops them where no package of the item registers a schema with SDK v1. */
export function detectZod(file: TypeScriptFile, say: Say): void {
  const old = importBindings(file).find(({ specifier }) => specifier === 'zod/v3');
  const named = old && file.bindings.root.values.get(old.local);
  if (named) say('zod-range', file.span(named.node), { impact: 'none', data: { reason: BY_NAME } });
  for (const { node, why } of zodProblems(file)) say('zod-range', file.span(node), { impact: 'none', data: { reason: why } });
}
