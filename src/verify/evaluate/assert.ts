import { isDeepStrictEqual } from 'node:util';
import type { Assertion, Expectation, LaneMode } from '../../core/check-step.js';
import { fillIn, isSet, type Variables } from './fill.js';
import { valueAt, valuesAt } from './path.js';

/** A place of an answer that is not as it must (`must`) or ought to (`should`) be. */
export interface Deviation {
  readonly level: 'must' | 'should';
  /** One sentence: expected and seen. */
  readonly text: string;
}

/** Judges one answer against the alternatives; returns the deviations of the alternative that fits best, none when one holds. */
export function judge(answer: unknown, expectation: Expectation, variables: Variables, lane: LaneMode): readonly Deviation[] {
  let best: readonly Deviation[] | undefined;
  for (const alternative of expectation) {
    const applicable = alternative.filter((assertion) => applies(assertion, variables, lane));
    // An alternative of which nothing applies here is none: it must not hold by accident.
    if (alternative.length > 0 && applicable.length === 0) continue;
    const deviations = applicable.flatMap((assertion) => assess(answer, assertion, variables) ?? []);
    if (deviations.length === 0) return [];
    if (best === undefined || weight(deviations) < weight(best)) best = deviations;
  }
  return best ?? [];
}

/** True when at least one assertion of one of the alternatives applies here: an expectation that says nothing is no evidence. */
export const saysSomething = (expectation: Expectation, variables: Variables, lane: LaneMode): boolean =>
  expectation.some((alternative) => alternative.some((assertion) => applies(assertion, variables, lane)));

const weight = (deviations: readonly Deviation[]): number => deviations.reduce((sum, deviation) => sum + (deviation.level === 'must' ? 100 : 1), 0);

const applies = (assertion: Assertion, variables: Variables, lane: LaneMode): boolean =>
  (assertion.lanes === undefined || assertion.lanes.includes(lane)) && (assertion.when === undefined || isSet(assertion.when, variables));

function assess(answer: unknown, raw: Assertion, variables: Variables): Deviation | undefined {
  const assertion = fillIn(raw, variables);
  const { values, many } = valuesAt(answer, assertion.at);
  const expected = unmet(assertion, values, many);
  if (expected === undefined) return undefined;
  const text = `${assertion.at} ${expected}${assertion.because === undefined ? '' : ` (${assertion.because})`}; saw ${show(values, many)}`;
  return { level: assertion.level ?? 'must', text };
}

/** The expectation in words when it does not hold. A single path without a value fails every test except `absent`. */
function unmet(assertion: Assertion, values: readonly unknown[], many: boolean): string | undefined {
  if (assertion.absent) return values.length > 0 ? 'must be absent' : undefined;
  if (assertion.count !== undefined && values.length !== assertion.count) return `must occur ${String(assertion.count)} times`;
  if (assertion.present && values.length === 0) return 'must be present';
  const set = listOf(assertion.sameSet);
  if (set && !sameMembers(many ? values : membersOf(values[0]), set)) return `must hold the same as ${quote(set)}`;
  const list = listOf(assertion.sameList);
  if (list && !isDeepStrictEqual(values, list)) return `must be ${quote(list)} in this order`;
  if (assertion.distinct && new Set(values.map(textOf)).size !== values.length) return 'must not repeat';
  if (assertion.increasing && !increases(values)) return 'must strictly increase';
  const test = tester(assertion);
  if (!test) return undefined;
  if (values.length === 0) return many || !test.positive ? undefined : test.words;
  return values.every(test.holds) ? undefined : test.words;
}

const increases = (values: readonly unknown[]): boolean =>
  values.every((value, index) => typeof value === 'number' && (index === 0 || value > Number(values[index - 1])));

interface Test {
  readonly words: string;
  /** A positive test fails when there is no value; a negative one holds. */
  readonly positive: boolean;
  readonly holds: (value: unknown) => boolean;
}

function tester(assertion: Assertion): Test | undefined {
  const tests: Test[] = [];
  const add = (words: string, holds: Test['holds'], positive = true): unknown => tests.push({ words, holds, positive });
  const { is, not, includes, excludes, matches, unlike, typeOf, atLeast, atMost, below } = assertion;
  const oneOf = listOf(assertion.oneOf);
  const within = listOf(assertion.within);
  if ('is' in assertion) add(`must be ${quote(is)}`, (value) => isDeepStrictEqual(value, is));
  if ('not' in assertion) add(`must not be ${quote(not)}`, (value) => !isDeepStrictEqual(value, not), false);
  if (oneOf) add(`must be one of ${oneOf.map(quote).join(', ')}`, (value) => oneOf.some((entry) => isDeepStrictEqual(entry, value)));
  if (assertion.noneOf)
    add(`must be none of ${assertion.noneOf.map(quote).join(', ')}`, (value) => !assertion.noneOf?.some((entry) => isDeepStrictEqual(entry, value)), false);
  if ('includes' in assertion) add(`must include ${quote(includes)}`, (value) => contains(value, includes));
  if ('excludes' in assertion) add(`must not include ${quote(excludes)}`, (value) => !contains(value, excludes), false);
  if (matches !== undefined) add(`must match /${matches}/`, (value) => new RegExp(matches, 'i').test(textOf(value)));
  if (unlike !== undefined) add(`must not match /${unlike}/`, (value) => !new RegExp(unlike, 'i').test(textOf(value)), false);
  if (assertion.has !== undefined) add(`must have ${assertion.has}`, (value) => valuesAt(value, assertion.has ?? '').values.length > 0);
  const { agree } = assertion;
  if (agree)
    add(`must have the same in ${agree[0]} and ${agree[1]}`, (value) =>
      isDeepStrictEqual(textual(valueAt(value, agree[0])), textual(valueAt(value, agree[1]))),
    );
  if (typeOf !== undefined) add(`must be of type ${typeOf}`, (value) => kindOf(value).includes(typeOf));
  if (within)
    add(
      `must hold nothing but ${within.map(quote).join(', ')}`,
      (value) => membersOf(value)?.every((member) => within.some((entry) => isDeepStrictEqual(entry, member))) ?? false,
    );
  if (atLeast !== undefined) add(`must be at least ${String(atLeast)}`, (value) => typeof value === 'number' && value >= atLeast);
  if (atMost !== undefined) add(`must be at most ${String(atMost)}`, (value) => typeof value === 'number' && value <= atMost);
  if (below !== undefined) add(`must be below ${String(below)}`, (value) => typeof value === 'number' && value < below);
  if (tests.length === 0) return undefined;
  return {
    words: tests.map((test) => test.words).join(' and '),
    positive: tests.some((test) => test.positive),
    holds: (value) => tests.every((test) => test.holds(value)),
  };
}

/** After `fillIn` a list is a list; a string is left only by a check that is wrong. */
const listOf = (value: string | readonly unknown[] | undefined): readonly unknown[] | undefined => (typeof value === 'string' ? [value] : value);

const sameMembers = (members: readonly unknown[] | undefined, wanted: readonly unknown[]): boolean =>
  members?.length === wanted.length && wanted.every((entry) => members.some((member) => isDeepStrictEqual(member, entry)));

const membersOf = (value: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(value)) return value as unknown[];
  return typeof value === 'object' && value !== null ? Object.keys(value) : undefined;
};

/** Numbers and booleans as they are written, so that a header can be compared with a member. */
const textual = (value: unknown): unknown => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const contains = (value: unknown, part: unknown): boolean =>
  Array.isArray(value) ? value.some((entry) => isDeepStrictEqual(entry, part)) : textOf(value).toLowerCase().includes(textOf(part).toLowerCase());

function kindOf(value: unknown): readonly string[] {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number') return Number.isSafeInteger(value) ? ['number', 'integer'] : ['number'];
  return [typeof value];
}

const quote = (value: unknown): string => {
  const text = value === undefined ? 'undefined' : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
};

const show = (values: readonly unknown[], many: boolean): string => {
  if (values.length === 0) return 'nothing';
  return values.length === 1 && !many ? quote(values[0]) : quote(values);
};
