import type { Concern, FactSource, Host, LegacyChoice, RevisionChange, Rule } from '../core/index.js';
import type { PrefilterLiterals } from '../workspace/index.js';
import { uniqueTexts } from './order.js';

/** Everything that the engine knows about what it looks for. It comes from `transforms/`, as values. */
export interface Knowledge {
  readonly concerns: readonly Concern[];
  readonly hosts: readonly Host[];
  readonly sources: readonly FactSource[];
  readonly rules: readonly Rule[];
  /** Changes of the revision, for the coverage statement. */
  readonly changes?: readonly RevisionChange[];
}

/** The word that starts a suppression: a literal of the prefilter that no concern can name. */
export const SUPPRESSION_WORD = 'unsession-ignore';

/**
 * Knowledge that is not loaded before a file can matter: detectors bring the parsers with them, and most repositories hold nothing
 * for them to see.
 */
export interface DormantKnowledge {
  /** The literals of everything that `wake` will bring. */
  readonly literals: PrefilterLiterals;
  /** The same concerns without detectors: enough to tell what a repository without candidates means. */
  readonly texts: Knowledge;
  readonly wake: () => Promise<Knowledge>;
}

/** All literals of the knowledge. Frameworks are common, so their literals never decide alone. */
export function literalsOf(knowledge: Knowledge): PrefilterLiterals {
  const owners = [...knowledge.concerns, ...knowledge.sources].map((owner) => owner.literals);
  const weak = [...owners.flatMap((literals) => literals.weak), ...knowledge.hosts.flatMap((host) => host.literals), SUPPRESSION_WORD];
  return {
    strong: uniqueTexts(owners.flatMap((literals) => literals.strong)),
    weak: uniqueTexts(weak),
    python: {
      strong: uniqueTexts(owners.flatMap((literals) => literals.python?.strong ?? [])),
      weak: uniqueTexts(owners.flatMap((literals) => literals.python?.weak ?? [])),
    },
  };
}

/** Knowledge that is loaded already, in the form of one that is not. */
export const dormant = (knowledge: Knowledge | DormantKnowledge): DormantKnowledge =>
  'wake' in knowledge ? knowledge : { literals: literalsOf(knowledge), texts: knowledge, wake: () => Promise.resolve(knowledge) };

/** Something that the user asked for and that does not exist: exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** A state that the engine promises never to reach: exit code 3, and nothing is written. */
export class InternalFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InternalFault';
  }
}

/** Where the run is, for a progress line. */
export interface Progress {
  readonly stage: 'discover' | 'read' | 'parse' | 'link' | 'plan' | 'rewrite' | 'prove' | 'write';
  readonly done: number;
  readonly total: number;
}

/** What is decided once for a whole run. */
export interface ScanOptions {
  /** Rules that are looked at: `concern` or `concern/kind`; all when empty. */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** Globs in `.gitignore` syntax. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Name or folder of one package. */
  readonly package?: string;
  /** A file or folder below the root that the user named. */
  readonly path?: string;
  /** Lists findings in tests too; without it they are counted. */
  readonly includeTests?: boolean;
  readonly legacy?: LegacyChoice;
  /** Day on which the legacy lane goes, `YYYY-MM-DD`; the team's decision, never invented. */
  readonly sunset?: string;
  readonly owner?: string;
  /** The legacy lanes that this tool wrote are removed instead of written: their uses become the work items. */
  readonly retire?: boolean;
  /** Refusals that the team accepts: id to reason. */
  readonly acceptRisk?: Readonly<Record<string, string>>;
  /** Version printed in results. */
  readonly version?: string;
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Tells which rules the user wants to see. `skip` wins over `only`.
 * @throws UsageError for a name that is neither a concern nor a rule
 */
export function ruleFilter(knowledge: Knowledge, options: Pick<ScanOptions, 'only' | 'skip'>): (rule: string) => boolean {
  const known = new Set(knowledge.concerns.flatMap((concern) => [concern.id, ...Object.keys(concern.kinds).map((kind) => `${concern.id}/${kind}`)]));
  const only = new Set(options.only ?? []);
  const skip = new Set(options.skip ?? []);
  for (const name of [...only, ...skip]) {
    if (!known.has(name)) throw new UsageError(`there is no concern or rule "${name}"; \`unsession rules\` lists them`);
  }
  const named = (names: ReadonlySet<string>, rule: string): boolean => names.has(rule) || names.has(rule.slice(0, rule.indexOf('/')));
  return (rule) => (only.size === 0 || named(only, rule)) && !named(skip, rule);
}

/** Concerns by id. */
export const concernsOf = (knowledge: Knowledge): ReadonlyMap<string, Concern> => new Map(knowledge.concerns.map((concern) => [concern.id, concern]));
