import type { Detector } from '../../src/core/index.js';

const ENDS = /\b(?:remov\w+|retir\w+|sunset\w*|shut(?:s|ting)? ?down|turn(?:ed|s)? off|end(?:s|ed)? of life|goes away|until)\b/i;
const LEGACY = /\blegacy\b|\/sse\b|\bSSE\b|\bmcp-session-id\b|\bsessions?\b|`initialize`|\bGET stream\b|\b2025-11-25\b/i;
const MANDATE = /\b(?:spec|specification|protocol|standard)\b/i;
const SESSION = /\bsessions?\b|\binitialize\b|\bmcp-session-id\b/i;
const PERIOD = /\b(?:deprecated|grace|months?|deadline|must be removed|required? to)\b/i;
/** Change logs tell what was; nothing in them is a promise. */
const HISTORY = /(?:^|\/)(?:CHANGELOG|HISTORY|RELEASES?)(?:\.\w+)?$/i;

/** Lines of Markdown that tie a date to the end of a legacy route, or lay a date at the door of the specification. Code fences are left out. */
export const text: Detector<'text', 'documented-date' | 'early-removal' | 'mandate-claim'> = (file, report) => {
  const applies = /\.md$/i.test(file.path) && !HISTORY.test(file.path);
  let fenced = false;
  return {
    Line(line) {
      if (/^\s*(?:```|~~~)/.test(line.text)) fenced = !fenced;
      if (!applies || fenced) return;
      const indent = line.text.length - line.text.trimStart().length;
      const at = { start: line.start + indent, end: line.start + line.text.trimEnd().length };
      if (at.end <= at.start) return;
      if (MANDATE.test(line.text) && SESSION.test(line.text) && PERIOD.test(line.text) && !/\bnot?\b|n't\b/i.test(line.text)) {
        report.finding('mandate-claim', at, {
          group: 'dates',
          certainty: 'likely',
          evidence: ['it names the specification, sessions and a period in one sentence'],
        });
        return;
      }
      const date = /\b(20\d{2}-\d{2}-\d{2})\b/.exec(line.text)?.[1];
      if (date === undefined || date === '2026-07-28' || Number.isNaN(Date.parse(date)) || !ENDS.test(line.text) || !LEGACY.test(line.text.replace(date, '')))
        return;
      report.finding('documented-date', at, {
        group: 'dates',
        certainty: 'likely',
        evidence: ['it names a legacy route, its end and a date'],
        data: { promised: date },
      });
      report.fact({ type: 'promised-date', site: report.site(at), day: date, medium: 'document' });
      // Kept only when a header of the repository promises a later day.
      report.finding('early-removal', at, { group: 'early removal', certainty: 'likely', data: { promised: date, announced: '', days: 0 } });
    },
  };
};
