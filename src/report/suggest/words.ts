import {
  markdownCode as code,
  markdownProse as prose,
  shellWord,
  type Finding,
  type RuleText,
  type Site,
  type SuggestResult,
  type WorkItem,
} from '../../core/index.js';
import type { ItemView } from '../pretty/items.js';
import { count } from '../text/layout.js';
import { commentMark } from './marks.js';
import { fenced, proseOf } from './prose.js';
import type { Remark } from './review.js';

/** Other places of an item that a comment names: lines of its own file, and one place of each other file. */
const MAX_LINES = 6;
const MAX_FILES = 3;

/**
 * Body of one comment in the diff, as Markdown: what is said about one place. Line ends inside a suggestion are those of the file.
 * @param remarks at least one, all about the same lines
 */
export function commentBody(remarks: readonly Remark[], result: SuggestResult): string {
  return [...remarks.map((remark) => said(remark, result)), remarks.map((remark) => commentMark(remark.key)).join('\n')].join('\n\n');
}

function said(remark: Remark, result: SuggestResult): string {
  const { replacement, finding } = remark;
  const { what, why, next } = proseOf(ruleOf(finding, result.before.rules), finding.data);
  const middle = replacement
    ? [fenced('suggestion', replacement.after), completed(remark), ...replacement.notes.map((note) => sentence(prose(note)))]
    : remark.views.flatMap((view) => [elsewhere(view, remark), cure(view, remark, next, result)]);
  const foot = `<sub>${remark.severity} · ${code(`${result.command} explain ${finding.id}`)}</sub>`;
  return [`${what} ${why}`, ...middle, foot].filter((part) => part !== '').join('\n\n');
}

export const ruleOf = (finding: Finding, rules: readonly RuleText[]): RuleText | undefined => rules.find((rule) => rule.id === finding.id);

/** What a suggestion completes, when that is more than the place it is about. */
function completed(remark: Remark): string {
  const places = new Set(remark.views.flatMap((view) => view.findings.map((finding) => placeOf(finding.site)))).size;
  const others = remark.views.slice(1).map((view) => `It also completes ${code(view.item.id)}: ${sentence(prose(view.item.title))}`);
  return [...(places > 1 ? [`This is the whole change: its ${count(places, 'place')} make sense together only.`] : []), ...others].join(' ');
}

/** What to do about an item that is no suggestion. */
function cure(view: ItemView, remark: Remark, next: string, result: SuggestResult): string {
  const { item } = view;
  const command = code(commandFor(item, result));
  const rewrites = (item.remedy === 'automatic' || item.remedy === 'guided') && result.rewritable.includes(item.id);
  if (item.remedy === 'refused') return words(sentence(prose(item.reason)), next);
  if (!rewrites) return byHand(item, remark, next);
  if (item.milestone === 'entry' && result.before.milestone.sdk === 'ahead') {
    const first = `The SDK step comes first: ${code(`${result.command} migrate --milestone sdk${rootWord(result)}`)}.`;
    // What a person finishes is not promised as a diff: the step may change what is left of it.
    return item.remedy === 'automatic' ? `${first} Then ${command} shows this change as one diff.` : words(first, `After it: ${next}`);
  }
  if (remark.held?.blocked === true) return words(next, `It is not rewritten yet: ${lowerFirst(prose(remark.held.why))}`);
  if (item.remedy === 'automatic')
    return words(
      `${command} shows the whole change as one diff; ${code('--write')} applies it.`,
      remark.held ? `It is no suggestion because ${lowerFirst(prose(remark.held.why))}` : '',
    );
  const [step] = item.todo;
  return words(`${command} does the mechanical part as one diff.`, step === undefined ? next : `By hand: ${sentence(prose(step))}`);
}

/** Share of the words of the shorter of two texts above which both say the same. */
const SAME = 0.6;

/** The step of this place, the advice of the rule, or both when they say different things. */
function byHand(item: WorkItem, remark: Remark, next: string): string {
  const [step] = item.todo;
  const place = `${placeOf(remark.finding.site)}: `;
  if (step?.startsWith(place) !== true) return next;
  const own = step.slice(place.length);
  const [ours, theirs] = [wordsIn(own), wordsIn(next)];
  const shared = [...ours].filter((word) => theirs.has(word)).length;
  if (shared === ours.size) return next;
  const said = sentence(prose(own));
  return shared >= SAME * Math.min(ours.size, theirs.size) ? said : words(said, next);
}

const wordsIn = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[a-z]{4,}/g));

const words = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ');

export const commandFor = (item: WorkItem, result: SuggestResult): string => `${result.command} migrate --item ${shellWord(item.id)}${rootWord(result)}`;

/** The path argument of printed commands, which are run at the top of the repository. */
const rootWord = (result: SuggestResult): string => (result.prefix === '' ? '' : ` ${shellWord(result.prefix.replace(/\/$/, ''))}`);

/** A text as a sentence: steps and reasons of concerns are written for lists. */
const sentence = (text: string): string => `${/^[a-z]+ /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text}${/[.!?:]$/.test(text) ? '' : '.'}`;

/** The first word in lower case, unless it is a name. */
const lowerFirst = (text: string): string => (/^[A-Z][a-z]*[ ,]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text);

/** The other places of the item, so that nobody takes one comment for one place. */
function elsewhere(view: ItemView, remark: Remark): string {
  const { file, line } = remark.finding.site;
  const here = [
    ...new Set(view.findings.filter((finding) => finding.site.file === file && finding.site.line !== line).map((finding) => finding.site.line)),
  ].sort((a, b) => a - b);
  const others = view.findings.filter((finding) => finding.site.file !== file);
  const files = [...new Map(others.map((finding) => [finding.site.file, placeOf(finding.site)])).values()];
  const named = `${files.slice(0, MAX_FILES).map(code).join(', ')}${files.length > MAX_FILES ? ', …' : ''}`;
  const parts = [
    ...(here.length === 0 ? [] : [`line${here.length === 1 ? '' : 's'} ${more(here.map(String))} of this file`]),
    ...(others.length === 0 ? [] : [others.length === 1 ? named : `${count(others.length, 'place')} of ${count(files.length, 'other file')} (${named})`]),
  ];
  return parts.length === 0 ? '' : `It is one change with ${parts.join(', and with ')}.`;
}

const more = (lines: readonly string[]): string =>
  `${lines.slice(0, MAX_LINES).join(', ')}${lines.length > MAX_LINES ? ` and ${String(lines.length - MAX_LINES)} more` : ''}`;

/** `file:line` relative to the root. */
export const placeOf = (site: Site): string => `${site.file}:${String(site.line)}`;
