import { severityOf, type Finding, type Severity } from '../../core/index.js';

/**
 * What GitHub code scanning takes, from "SARIF support for code scanning" and "SARIF results exceed one or more limits" of its documentation.
 * Above the first number an upload is refused, above the second the rest is dropped without a word; we stay within what is shown and say what is left out.
 * - results in a run: 25,000 accepted, 5,000 kept
 * - rules in a run: 25,000
 * - places of a result: 1,000 accepted, 100 kept
 * - tags of a rule: 20 accepted, 10 kept
 * - name of a rule: 255 characters; its descriptions: 1,024
 * - file: 10 MB, gzipped
 */
export const LIMITS = {
  results: 5_000,
  /** Related places of one result. Below the 100 that are kept: nobody reads more, and 5,000 results with 100 each would be too large a file. */
  related: 20,
  tags: 10,
  name: 255,
  description: 1_024,
  /** Our own: a message that quotes a long text of the repository. In UTF-16 code units, like all lengths here. */
  message: 2_000,
  /** Notifications about files. */
  notices: 1_000,
  /** Characters of all results together, before compression: whatever they hold, the gzipped file stays below 10 MB. */
  size: 9_000_000,
} as const;

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, note: 2, info: 3 };

/** Cuts a text that a limit is set for. Never in the middle of a surrogate pair. */
export const limited = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** Findings in the order in which they are kept when not all fit: the worst first, tests last, then by place as they came. */
export const bySeverity = (findings: readonly Finding[]): readonly Finding[] =>
  [...findings].sort((a, b) => RANK[severityOf(a)] - RANK[severityOf(b)] || Number(a.role === 'test') - Number(b.role === 'test'));
