import type { Concern } from '../../src/core/index.js';

/**
 * What a concern says about itself: everything but code that needs a parser. Lives in `concern.ts` of its folder, so that
 * `--help`, `rules` and `explain` load no compiler; `index.ts` of the folder joins it with detectors and rewriters.
 */
export type ConcernText<Kinds extends string = string> = Omit<Concern<Kinds>, 'detect' | 'judge' | 'assess' | 'rewrite'>;

/** Keeps the kinds of a concern as literal types, so that a misspelt kind is a compile error. */
export const describeConcern = <const Kinds extends string>(text: ConcernText<Kinds>): ConcernText<Kinds> => text;

/** The kinds of a described concern. */
export type KindsOf<T> = T extends ConcernText<infer Kinds> ? Kinds : never;
