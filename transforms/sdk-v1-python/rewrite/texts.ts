import { importedNames } from '../../../src/languages/python/index.js';
import type { Pass } from './pass.js';
import type { Target } from './targets.js';

/** An expression that stands for a name of SDK 1.x. */
export type TextTarget = Extract<Target, { readonly kind: 'text' }>;

/** The expression as it is written in this file; what it is made of is imported. */
export const spelledText = (pass: Pass, { text, from = [] }: TextTarget): string =>
  from.reduce((spelled, [module, name]) => spelled.replace('{}', localName(pass, name) ?? pass.need(module, name)), text);

/** `Callable` comes from two modules of the standard library, and means the same. */
const localName = (pass: Pass, name: string): string | undefined =>
  importedNames(pass.file).find(
    (imported) =>
      imported.form === 'from' &&
      imported.name === name &&
      (imported.module === 'typing' || imported.module === 'collections.abc') &&
      imported.statement.parent?.kind === 'module',
  )?.local;
