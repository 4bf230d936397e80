import { prettyRule, prettyRules, safeJson } from '../../report/index.js';
import { cardsOf, catalogue, textOf } from '../catalogue.js';
import { EXIT, UsageProblem, type ExitCode } from '../errors.js';
import type { CommonOptions } from '../options.js';
import { nearest } from '../nearest.js';
import { prettyOptions } from '../repository.js';
import { print, type World } from '../world.js';

/** `unsession explain <rule>`: a rule, or all rules of a concern. */
export async function explain(name: string, options: CommonOptions, world: World): Promise<ExitCode> {
  const concern = catalogue.concerns.find((candidate) => candidate.id === name || name.startsWith(`${candidate.id}/`));
  const cards = concern ? cardsOf(concern).filter((card) => name === concern.id || card.id === name) : [];
  if (!concern || cards.length === 0) {
    const known = catalogue.concerns.flatMap((candidate) => [candidate.id, ...cardsOf(candidate).map((card) => card.id)]);
    const close = nearest(name, known);
    throw new UsageProblem(`there is no rule "${name}"${close === undefined ? '' : `; did you mean "${close}"?`} "unsession rules" lists them`);
  }
  await print(world.stdout, prettyRule(cards, textOf(concern), prettyOptions(world, options, '.', false)));
  return EXIT.ok;
}

export interface RulesCommandOptions extends CommonOptions {
  readonly format?: 'pretty' | 'json';
}

/** `unsession rules` */
export async function rules(options: RulesCommandOptions, world: World): Promise<ExitCode> {
  const cards = catalogue.concerns.flatMap(cardsOf);
  await print(
    world.stdout,
    options.format === 'json' ? `${safeJson({ schemaVersion: '1', rules: cards })}\n` : prettyRules(cards, prettyOptions(world, options, '.', false)),
  );
  return EXIT.ok;
}
