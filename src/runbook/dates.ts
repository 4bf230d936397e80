import type { Finding, ScanResult } from '../core/index.js';
import { RunbookHints } from '../core/index.js';
import { deprecationOf } from './deprecations.js';

/** A fault of `--sunset` or `--owner`, or a warning about it. Faults end the command with exit code 2. */
export interface DateProblem {
  readonly option: '--sunset' | '--owner';
  readonly level: 'fault' | 'warning';
  readonly message: string;
}

export interface DateRequest {
  readonly sunset: string | undefined;
  readonly owner: string | undefined;
  /** Today, ISO date. Given, not read, so that the same input gives the same runbook. */
  readonly now: string;
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAY = 86_400_000;

/** Days that the phases before the removal need at least: a week each to observe and to run both lanes, and the 30 days without a legacy client. */
export const MINIMUM_WINDOW_DAYS = 44;

/** Midnight UTC of a real calendar day, else `undefined`; 2026-02-30 is not one. */
export function dayOf(text: string): number | undefined {
  const match = ISO.exec(text);
  if (!match) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const time = Date.UTC(year, month - 1, day);
  const back = new Date(time);
  return back.getUTCFullYear() === year && back.getUTCMonth() === month - 1 && back.getUTCDate() === day ? time : undefined;
}

/** The day `days` after `date`, ISO. `date` must be a real day. */
export function addDays(date: string, days: number): string {
  const time = dayOf(date);
  if (time === undefined) throw new RangeError(`"${date}" is not a calendar day`);
  return new Date(time + days * DAY).toISOString().slice(0, 10);
}

const fault = (option: DateProblem['option'], message: string): DateProblem => ({ option, level: 'fault', message });

/** Checks `--owner`: a person or team that can be asked, not a placeholder. */
function ownerProblems(owner: string | undefined): readonly DateProblem[] {
  const name = owner?.trim() ?? '';
  if (name === '') return [fault('--owner', 'a removal date needs an owner: add --owner "NAME", the person or team that decides when the legacy routes go')];
  if (/^(tbd|todo|n\/?a|none|unknown|someone|somebody|\?+|-+)$/i.test(name))
    return [fault('--owner', `"${name}" names nobody: give the person or team that decides when the legacy routes go`)];
  if (/[\r\n]/.test(name)) return [fault('--owner', 'the owner must be one line')];
  return [];
}

/** Checks `--sunset`: present, `YYYY-MM-DD`, a real day, in the future, and not before the phases that must come first. */
function sunsetProblems(sunset: string | undefined, now: string): readonly DateProblem[] {
  if (sunset === undefined || sunset.trim() === '') {
    return [fault('--sunset', 'the specification sets no date on which legacy routes end, so the team must: add --sunset YYYY-MM-DD')];
  }
  if (!ISO.test(sunset)) return [fault('--sunset', `"${sunset}" is not a date: write YYYY-MM-DD, for example ${addDays(now, 180)}`)];
  const day = dayOf(sunset);
  if (day === undefined) return [fault('--sunset', `${sunset} is not a day of the calendar`)];
  const today = dayOf(now);
  if (today === undefined) throw new RangeError(`"${now}" is not a calendar day`);
  if (day <= today) return [fault('--sunset', `${sunset} is not in the future (today is ${now}): a removal that has happened needs no plan`)];
  const earliest = today + MINIMUM_WINDOW_DAYS * DAY;
  if (day < earliest) {
    return [
      {
        option: '--sunset',
        level: 'fault',
        message: `${sunset} is before the phases that must come first: they need ${MINIMUM_WINDOW_DAYS} days (7 to observe, 7 with both lanes, 30 without a legacy client), so ${addDays(now, MINIMUM_WINDOW_DAYS)} at the earliest`,
      },
    ];
  }
  return [];
}

/** Validates the two options that a runbook demands. No fault means that `buildRunbook` may be called with them. */
export function checkDates(request: DateRequest): readonly DateProblem[] {
  return [...sunsetProblems(request.sunset, request.now), ...ownerProblems(request.owner)];
}

/** A date that the repository has given to its users. */
export interface PromisedDate {
  readonly date: string;
  readonly finding: Finding;
}

/** Hints of a finding; values of the wrong shape are ignored, because `data` also serves the finding's own messages. */
export function hintsOf(finding: Pick<Finding, 'data'>): RunbookHints {
  const hints: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(RunbookHints.shape)) {
    const parsed = schema.safeParse(finding.data[name]);
    if (parsed.success && parsed.data !== undefined) hints[name] = parsed.data;
  }
  return hints;
}

/** Dates promised in headers and documents of the repository, earliest first. */
export function promisesIn(findings: readonly Finding[]): readonly PromisedDate[] {
  return findings
    .flatMap((finding) => {
      const date = hintsOf(finding).promised;
      return date === undefined ? [] : [{ date, finding }];
    })
    .sort((a, b) => a.date.localeCompare(b.date) || a.finding.site.file.localeCompare(b.finding.site.file) || a.finding.site.line - b.finding.site.line);
}

/** Promises that a removal on `sunset` would break: users were told that the route lives longer. */
export const brokenPromises = (findings: readonly Finding[], sunset: string): readonly PromisedDate[] =>
  promisesIn(findings).filter((promise) => sunset < promise.date);

/** Warnings that need the scan: broken promises, and deprecated features in use whose earliest removal lies before the date. */
export function checkDatesAgainst(scan: Pick<ScanResult, 'findings'>, sunset: string): readonly DateProblem[] {
  const broken = brokenPromises(scan.findings, sunset).map((promise): DateProblem => ({
    option: '--sunset',
    level: 'fault',
    message: `${promise.finding.site.file}:${promise.finding.site.line} promises users that the legacy routes live until ${promise.date}; ${sunset} is earlier. Choose a later date, or change the promise and announce it first`,
  }));
  const used = new Set(scan.findings.flatMap((finding) => hintsOf(finding).deprecated ?? []));
  const eligible = [...used].flatMap((id): readonly DateProblem[] => {
    const entry = deprecationOf(id);
    if (!entry || sunset < entry.earliest) return [];
    return [
      {
        option: '--sunset',
        level: 'warning',
        message: `${entry.title} is deprecated and may leave the specification from ${entry.earliest} on (${entry.wording}); the code still uses it and the legacy lane lives until ${sunset}`,
      },
    ];
  });
  return [...broken, ...eligible];
}
