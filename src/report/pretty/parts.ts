import { isFault, isForeign, riskOf, visible, type NextStep, type NotAnalysed, type Proof, type Refusal, type Severity, type Site } from '../../core/index.js';
import { count, cut, cutPath, hang } from '../text/layout.js';
import type { Paint, PrettyOptions } from './options.js';

/** A severity in its colour, padded. */
export function severityWord(severity: Severity, paint: Paint): string {
  const word = severity.padEnd(7);
  if (severity === 'error') return paint.red(word);
  if (severity === 'warning') return paint.yellow(word);
  return paint.dim(word);
}

/** `file:line` of a place. */
export const place = (site: Site): string => `${visible(site.file)}:${String(site.line)}`;

/** The first place of several, cut to a width, and how many others there are. */
export function places(sites: readonly Site[], width: number): string {
  const first = sites[0];
  if (!first) return 'no place';
  const rest = sites.length - 1;
  const files = new Set(sites.map((site) => site.file)).size;
  const more = rest === 0 ? '' : ` and ${count(rest, 'more place')}${files > 1 ? ` in ${count(files, 'file')}` : ''}`;
  return cutPath(place(first), width - more.length) + more;
}

/** What was left out. Faults are always named; policy is counted, or named when all is shown. */
export function notAnalysedLines(notices: readonly NotAnalysed[], options: PrettyOptions, paint: Paint, limit: number): readonly string[] {
  const faults = notices.filter(isFault);
  const foreign = notices.filter(isForeign);
  const policy = notices.filter((notice) => !isFault(notice) && !isForeign(notice));
  const lines: string[] = [];
  if (faults.length > 0) {
    lines.push(paint.red(`${count(faults.length, 'file')} not analysed, so this is not the whole picture:`));
    const shown = options.verbose ? faults : faults.slice(0, limit);
    for (const notice of shown) lines.push(...noticeLines(notice, options));
    if (faults.length > shown.length) lines.push(`  and ${String(faults.length - shown.length)} more; --verbose lists them`);
  }
  if (foreign.length > 0) {
    lines.push(`${count(foreign.length, 'program file')} in a language that is not read:`);
    const shown = options.verbose ? foreign : foreign.slice(0, limit);
    for (const notice of shown) lines.push(`  ${visible(notice.file)}`);
    if (foreign.length > shown.length) lines.push(`  and ${String(foreign.length - shown.length)} more; --verbose lists them`);
  }
  if (policy.length > 0 && options.verbose) {
    lines.push(`Left out by policy (${String(policy.length)}):`);
    for (const notice of policy) lines.push(...noticeLines(notice, options));
  }
  return lines;
}

function noticeLines(notice: NotAnalysed, options: PrettyOptions): readonly string[] {
  const where = visible(notice.file) + (notice.line === undefined ? '' : `:${String(notice.line)}`);
  const text = `${where} (${notice.why}): ${visible(notice.reason)}`;
  return options.verbose ? hang('  ', text, options.width) : [`  ${cut(text, options.width - 2)}`];
}

/** Refusals of one rule that are accepted, or not, alike. */
function ofOneRule(refusals: readonly Refusal[]): readonly (readonly Refusal[])[] {
  const groups = new Map<string, Refusal[]>();
  for (const refusal of refusals) {
    const key = `${refusal.id} ${String(refusal.accepted === undefined)}`;
    groups.set(key, [...(groups.get(key) ?? []), refusal]);
  }
  return [...groups.values()];
}

/** Refusals with their reason, and what would lift them; in short, one entry for each rule. */
export function refusalLines(refusals: readonly Refusal[], options: PrettyOptions, paint: Paint): readonly string[] {
  const stateOf = (refusal: Refusal): string => (refusal.accepted === undefined ? paint.red('refused') : paint.yellow('risk accepted'));
  if (!options.verbose)
    return ofOneRule(refusals).flatMap((group) => {
      const [refusal] = group;
      if (refusal === undefined) return [];
      const name = visible(group.length > 1 ? `${refusal.id} (${String(group.length)})` : refusal.id);
      const [first] = refusal.reason.sites;
      return [
        `${stateOf(refusal)} ${name}: ${cut(visible(refusal.title), options.width - 20 - name.length)}`,
        `        ${cut(`${first ? `${place(first)}: ` : ''}${visible(refusal.reason.next)}`, options.width - 8)}`,
      ];
    });
  return refusals.flatMap((refusal) => [
    `${stateOf(refusal)} ${visible(riskOf(refusal))}: ${cut(visible(refusal.title), options.width - 20 - riskOf(refusal).length)}`,
    ...hang('        why: ', visible(refusal.reason.why), options.width),
    ...hang('        next: ', visible(refusal.reason.next), options.width),
    ...refusal.reason.sites.map((site) => `        at ${place(site)}${site.label === undefined ? '' : ` ${visible(site.label)}`}`),
    ...(refusal.accepted === undefined ? [] : hang('        accepted: ', visible(refusal.accepted), options.width)),
  ]);
}

/** Commands to run next, each with its reason. */
export function nextLines(steps: readonly NextStep[], options: PrettyOptions, paint: Paint, limit = Infinity): readonly string[] {
  if (steps.length === 0) return [];
  const shown = steps.slice(0, limit).map((step) => ({ command: visible(step.command), why: visible(step.why) }));
  const column = Math.max(0, ...shown.map((step) => step.command.length).filter((length) => length <= 40));
  return [
    paint.bold(options.target === '.' ? 'Next' : `Next, in ${visible(options.target)}`),
    ...shown.flatMap(({ command, why }) => {
      const line = `  ${paint.cyan(command.padEnd(column))}`;
      if (4 + Math.max(column, command.length) + why.length <= options.width) return [`${line}  ${why}`];
      return [line.trimEnd(), ...(options.verbose ? hang('      ', why, options.width) : [`      ${cut(why, options.width - 6)}`])];
    }),
  ];
}

/** Which proofs ran over how many files, and which did not run. */
export function proofLine(proofs: readonly Proof[], idempotent: boolean): string {
  const share = (name: string, holds: (proof: Proof) => boolean): string => `${name} ${String(proofs.filter(holds).length)}/${String(proofs.length)}`;
  const typed = proofs.filter((proof) => proof.types !== undefined);
  const types = typed.length === 0 ? 'types not checked' : `types ${String(typed.filter((proof) => proof.types).length)}/${String(typed.length)}`;
  return `Proofs: ${[share('parse', (proof) => proof.parses), share('names bound', (proof) => proof.names), share('rest untouched', (proof) => proof.untouched)].join(', ')}, ${types}, second run ${idempotent ? 'changes nothing' : 'CHANGES AGAIN'}`;
}
