import type { Concern } from '../core/index.js';
import type { DormantKnowledge } from '../engine/index.js';
import { catalogue } from './catalogue.js';
import { liveFrugally } from './frugal.js';

/** A concern that can be named and explained, but sees nothing. */
const asleep = ({ id, title, spec, category, milestone, kinds }: (typeof catalogue.concerns)[number]): Concern => ({
  id,
  title,
  spec,
  category,
  milestone,
  effort: { base: 0, each: 0 },
  kinds: Object.fromEntries(kinds.map((kind) => [kind.kind, kind])) as Concern['kinds'],
  literals: { strong: [], weak: [] },
  detect: {},
});

/** The knowledge of this project as `npm run generate` wrote it down; awake, it is the real one. */
export const dormantKnowledge: DormantKnowledge = {
  literals: catalogue.literals,
  texts: { concerns: catalogue.concerns.map(asleep), hosts: [], sources: [], rules: [], changes: catalogue.changes },
  wake: async () => {
    liveFrugally();
    return (await import('./knowledge.js')).knowledge;
  },
};
