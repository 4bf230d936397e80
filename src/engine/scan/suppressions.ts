import { siteOf, type Finding, type Suppression } from '../../core/index.js';
import { SUPPRESSION_WORD, type Knowledge } from '../knowledge.js';
import { groupBy } from '../order.js';

/** A comment that asks to silence a rule, before anyone looked whether it silences something. */
export interface SuppressionComment {
  readonly site: Suppression['site'];
  /** `concern` or `concern/kind`. */
  readonly rule: string;
  readonly reason: string | undefined;
  /** 1-based lines that it covers. */
  readonly lines: readonly number[];
}

/** The marker, after a comment opener of any supported syntax, or at the start of a line of a block comment. */
const COMMENT = /(?:\/\/|#|\/\*|<!--|^[ \t]*\*|\{\{!--)[^\r\n]*?\bunsession-ignore[ \t]+([\w-]+(?:\/[\w-]+)?)(?:[ \t]+--[ \t]*([^\r\n]*))?/;

/** Suppressions of a text. One per line: `unsession-ignore <rule> -- reason`, for its own line and the one below. */
export function suppressionsIn(path: string, text: string, starts: readonly number[]): readonly SuppressionComment[] {
  if (!text.includes(SUPPRESSION_WORD)) return [];
  const found: SuppressionComment[] = [];
  starts.forEach((start, index) => {
    const line = text.slice(start, starts[index + 1] ?? text.length);
    const match = COMMENT.exec(line);
    const rule = match?.[1];
    if (!match || rule === undefined) return;
    const reason = match[2]?.replace(/\*\/.*$|-->.*$|--\}\}.*$/, '').trim();
    const at = start + line.indexOf(SUPPRESSION_WORD);
    const alone = /^[ \t]*(?:\/\/|#|\/\*|\*|<!--|\{\{!--)/.test(line);
    found.push({
      site: siteOf(path, starts, { start: at, end: start + line.trimEnd().length }),
      rule,
      reason: reason === '' ? undefined : reason,
      // A comment behind code speaks of that line only; one alone on its line speaks of the next.
      lines: alone ? [index + 1, index + 2] : [index + 1],
    });
  });
  return found;
}

/** Takes out the findings that are silenced, and says what became of every comment. */
export function suppress(
  findings: readonly Finding[],
  comments: readonly SuppressionComment[],
  knowledge: Knowledge,
): { readonly kept: readonly Finding[]; readonly suppressions: readonly Suppression[] } {
  const rules = new Set(knowledge.concerns.flatMap((concern) => [concern.id, ...Object.keys(concern.kinds).map((kind) => `${concern.id}/${kind}`)]));
  const used = new Set<SuppressionComment>();
  const byFile = groupBy(comments, (comment) => comment.site.file);
  const kept = findings.filter((finding) => {
    const matching = (byFile.get(finding.site.file) ?? []).filter(
      (comment) => comment.lines.includes(finding.site.line) && (comment.rule === finding.id || finding.id.startsWith(`${comment.rule}/`)),
    );
    for (const comment of matching) used.add(comment);
    return !matching.some((comment) => comment.reason !== undefined);
  });
  const suppressions = comments.map((comment): Suppression => ({
    site: comment.site,
    rule: comment.rule,
    ...(comment.reason === undefined ? {} : { reason: comment.reason }),
    state: !rules.has(comment.rule) ? 'unknown' : !used.has(comment) ? 'stale' : comment.reason === undefined ? 'unreasoned' : 'used',
  }));
  return { kept, suppressions };
}
