import { z } from 'zod';
import { Category, Impact, Milestone, type RevisionChange } from '../core/index.js';
import type { ConcernText, RuleCard } from '../report/index.js';
import generated from './catalogue.json' with { type: 'json' };

const Concern = z.object({
  id: z.string(),
  title: z.string(),
  category: Category,
  milestone: Milestone,
  rewrites: z.boolean(),
  /** Absolute links. */
  spec: z.array(z.string()),
  kinds: z.array(
    z.object({
      kind: z.string(),
      what: z.string(),
      why: z.string(),
      next: z.string(),
      impact: Impact,
      category: Category.optional(),
      milestone: Milestone.optional(),
    }),
  ),
  before: z.string().optional(),
  after: z.string().optional(),
  byHand: z.string().optional(),
});

const Change: z.ZodType<RevisionChange> = z.object({
  id: z.string(),
  title: z.string(),
  spec: z.string(),
  concerns: z.enum(['server', 'client', 'http', 'stdio', 'any']),
  rules: z.array(z.string()),
  instead: z.string().optional(),
}) as z.ZodType<RevisionChange>;

const Texts = z.array(z.string());

/**
 * The texts of all concerns, and what a file must mention before one of them matters, written by `npm run generate` from their code
 * and README, so that `rules`, `explain` and the scan of a repository without MCP load no parser.
 */
export const Catalogue = z.object({
  concerns: z.array(Concern),
  literals: z.object({ strong: Texts, weak: Texts, python: z.object({ strong: Texts, weak: Texts }) }),
  changes: z.array(Change),
});
export type Catalogue = z.infer<typeof Catalogue>;

export const catalogue: Catalogue = Catalogue.parse(generated);

/** The rules of a concern as cards. */
export const cardsOf = (concern: Catalogue['concerns'][number]): readonly RuleCard[] =>
  concern.kinds.map((kind) => ({
    id: `${concern.id}/${kind.kind}`,
    title: concern.title,
    what: kind.what,
    why: kind.why,
    next: kind.next,
    impact: kind.impact,
    category: kind.category ?? concern.category,
    milestone: kind.milestone ?? concern.milestone,
    rewritable: concern.rewrites,
    spec: concern.spec,
  }));

/** The README sections of a concern. */
export const textOf = ({ before, after, byHand }: Catalogue['concerns'][number]): ConcernText => ({
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
  ...(byHand === undefined ? {} : { byHand }),
});

/** Everything that is known about a rule without a repository; `undefined` for a rule that the catalogue does not hold. */
export function guideOf(rule: string): { readonly card: RuleCard; readonly text: ConcernText } | undefined {
  const concern = catalogue.concerns.find((candidate) => rule.startsWith(`${candidate.id}/`));
  const card = concern && cardsOf(concern).find((candidate) => candidate.id === rule);
  return concern && card ? { card, text: textOf(concern) } : undefined;
}
