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
 * Fills in fingerprints: hash of the file, then hash of rule, text of the place, and its number among equal places in source order.
 * One finding that goes while another comes is a change, even when the counts stay the same. The second part alone tells a finding
 * whose file got another name.
 * @param prefix path of the root below the top of the repository: the same place has the same fingerprint, whatever folder is scanned
 */
export function withFingerprints(findings: readonly Finding[], text: string, starts: readonly number[], prefix: string): readonly Finding[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const content = `${finding.id}\n${textOfPlace(text, starts, finding.site.span, finding.site.line, finding.site.endLine)}`;
    const occurrence = seen.get(content) ?? 0;
    seen.set(content, occurrence + 1);
    return { ...finding, fingerprint: `${hash(prefix + finding.site.file).slice(0, 8)}${hash(`${content}\n${occurrence}`).slice(0, 16)}` };
  });
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
