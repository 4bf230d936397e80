import { createHash } from 'node:crypto';
import type { Finding, Span } from '../../core/index.js';

/** Lines longer than this are not taken whole: minified text would be hashed once per finding. In UTF-16 code units. */
const MAX_LINE = 2000;

/** The lines that a place covers, with white space folded, so that re-indentation and line shifts change nothing. */
export function textOfPlace(text: string, starts: readonly number[], span: Span, line: number, endLine: number): string {
  const from = starts[line - 1] ?? 0;
  const to = starts[endLine] ?? text.length;
  const whole = to - from > (endLine - line + 1) * MAX_LINE ? text.slice(span.start, span.end) : text.slice(from, to);
  return whole.replace(/\s+/g, ' ').trim();
}

/**
 * Fills in fingerprints: hash of rule, file, text of the place, and its number among equal places in source order.
 * One finding that goes while another comes is a change, even when the counts stay the same.
 */
export function withFingerprints(findings: readonly Finding[], text: string, starts: readonly number[]): readonly Finding[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const place = `${finding.id}\n${finding.site.file}\n${textOfPlace(text, starts, finding.site.span, finding.site.line, finding.site.endLine)}`;
    const occurrence = seen.get(place) ?? 0;
    seen.set(place, occurrence + 1);
    return { ...finding, fingerprint: createHash('sha256').update(`${place}\n${occurrence}`).digest('hex').slice(0, 16) };
  });
}
