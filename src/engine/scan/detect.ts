import {
  lineStarts,
  siteOf,
  type Concern,
  type Detector,
  type Fact,
  type FileOf,
  type Finding,
  type FindingDetails,
  type LanguageId,
  type NotAnalysed,
  type Report,
  type Role,
  type Span,
  type Surroundings,
} from '../../core/index.js';
import type { LanguageSupport } from '../../languages/index.js';
import type { Knowledge } from '../knowledge.js';
import { byPlace, bySite } from '../order.js';
import { withFingerprints } from './fingerprint.js';
import { suppressionsIn } from './suppressions.js';
import type { FileScan } from './types.js';

/** A detector with its owner; only a concern may report findings. */
interface Listener {
  readonly id: string;
  readonly detector: Detector<LanguageId, string>;
  readonly concern: Concern | undefined;
}

/** Detectors of one language, in an order that does not depend on how the knowledge was listed. */
export function listenersFor(knowledge: Knowledge, language: LanguageId): readonly Listener[] {
  const of = (owner: { readonly id: string; readonly detect: object }, concern?: Concern): readonly Listener[] => {
    const detector = (owner.detect as Readonly<Record<string, Detector<LanguageId, string> | undefined>>)[language];
    return detector ? [{ id: owner.id, detector, concern }] : [];
  };
  const sorted = <T extends { readonly id: string }>(owners: readonly T[]): readonly T[] => [...owners].sort((a, b) => (a.id < b.id ? -1 : 1));
  return [
    ...sorted(knowledge.sources).flatMap((source) => of(source)),
    ...sorted(knowledge.hosts).flatMap((host) => of(host)),
    ...sorted(knowledge.concerns).flatMap((concern) => of(concern, concern)),
  ];
}

/** The file under detection. */
export interface Subject {
  readonly path: string;
  readonly text: string;
  readonly role: Role;
  readonly package: string;
  readonly file: FileOf<LanguageId>;
  readonly support: LanguageSupport;
  readonly around: Surroundings;
  /** Path of the root below the top of the repository, with a slash at its end, or `''`. */
  readonly prefix: string;
}

/**
 * Lets all detectors listen to one walk over a parsed file. A detector that throws is silenced for this file and
 * reported as a gap in the analysis; the others go on.
 */
export function detectFile(subject: Subject, listeners: readonly Listener[]): FileScan {
  const { path, text, support, file, around, prefix } = subject;
  const starts = lineStarts(text);
  const facts: Fact[] = [];
  const findings: Finding[] = [];
  const problems: NotAnalysed[] = [];

  const site = (at: Span, label?: string) => {
    if (at.start > at.end || at.end > text.length) throw new RangeError(`range [${at.start},${at.end}) lies outside the text`);
    return siteOf(path, starts, at, label);
  };
  const visitors: Record<string, unknown>[] = [];
  const endings: (() => void)[] = [];

  for (const listener of listeners) {
    let failed = false;
    const guarded = <A extends readonly unknown[]>(run: (...args: A) => void) => {
      return (...args: A): void => {
        if (failed) return;
        try {
          run(...args);
        } catch (error) {
          failed = true;
          problems.push({
            file: path,
            why: 'internal',
            reason: `the detector "${listener.id}" failed: ${error instanceof Error ? error.message : String(error)}. Its findings in this file are missing; please report it.`,
          });
        }
      };
    };
    const report: Report<string> = {
      site,
      fact: (fact) => facts.push(fact),
      gap: (reason) => problems.push({ file: path, why: 'unsupported', reason }),
      finding: (kind, at, details) => {
        if (!listener.concern) throw new TypeError('only a concern reports findings');
        findings.push(draft(listener.concern, kind, site(at), subject.role, details ?? {}));
      },
    };
    guarded(() => {
      const { end, ...kinds } = listener.detector(file, report, around) as Record<string, ((node: unknown) => void) | undefined>;
      const own = Object.entries(kinds).flatMap(([kind, visit]) => (visit ? [[kind, guarded(visit)]] : []));
      if (own.length > 0) visitors.push(Object.fromEntries(own) as Record<string, unknown>);
      if (end) endings.push(guarded(end as () => void));
    })();
  }
  support.walk(file, visitors);
  for (const end of endings) end();

  return {
    path,
    role: subject.role,
    package: subject.package,
    language: support.id,
    facts,
    findings: withFingerprints(withoutRepeats(findings), text, starts, prefix),
    suppressions: suppressionsIn(path, text, starts),
    dependencies: support.dependencies(file, (other) => around.has(other)),
    problems,
  };
}

/** A finding with the defaults of its kind and concern. */
function draft(concern: Concern, kind: string, site: Finding['site'], role: Role, details: FindingDetails): Finding {
  const known = concern.kinds[kind];
  if (!known) throw new TypeError(`"${concern.id}" has no kind "${kind}"`);
  return {
    id: `${concern.id}/${kind}`,
    site,
    related: details.related ?? [],
    certainty: details.certainty ?? 'certain',
    impact: details.impact ?? known.impact,
    category: details.category ?? known.category ?? concern.category,
    lane: details.lane ?? 'both',
    role,
    milestone: known.milestone ?? concern.milestone,
    evidence: details.evidence ?? [],
    group: details.group ?? site.file,
    data: details.data ?? {},
    fingerprint: '',
  };
}

/** In source order; a place that one rule reports twice counts once. */
function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
  const sorted = [...findings].sort(byPlace);
  return sorted.filter((finding, index) => {
    const previous = sorted[index - 1];
    return !(previous?.id === finding.id && bySite(previous.site, finding.site) === 0);
  });
}
