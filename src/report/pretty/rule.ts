import { visible, visibleLines, type Impact } from '../../core/index.js';
import { count, cut, hang } from '../text/layout.js';
import { paintFor, type PrettyOptions } from './options.js';

/** What is known about a rule without a repository. */
export interface RuleCard {
  /** `concern/kind`. */
  readonly id: string;
  readonly title: string;
  readonly what: string;
  readonly why: string;
  readonly next: string;
  readonly impact: Impact;
  readonly category: string;
  readonly milestone: string;
  /** The concern has a rewriter; whether it applies is proved for each place. */
  readonly rewritable: boolean;
  /** Absolute links. */
  readonly spec: readonly string[];
}

/** Sections of a concern's README, as Markdown without their headings. */
export interface ConcernText {
  readonly before?: string;
  readonly after?: string;
  readonly byHand?: string;
}

const SEVERITY: Readonly<Record<Impact, string>> = { breaks: 'error', degrades: 'warning', tidies: 'note', none: 'info' };

/** The page of one rule, or of all rules of one concern. Ends with a newline. */
export function prettyRule(cards: readonly RuleCard[], text: ConcernText, options: PrettyOptions): string {
  const paint = paintFor(options);
  const { width } = options;
  const lines: string[] = [];
  for (const card of cards) {
    lines.push(
      `${paint.bold(visible(card.id))}  ${SEVERITY[card.impact]}, ${card.category}, milestone ${card.milestone}, ${card.rewritable ? 'rewritten when the precondition is proved' : 'found, not rewritten'}`,
      ...hang('  what: ', visible(card.what), width),
      ...hang('  why:  ', visible(card.why), width),
      ...hang('  next: ', visible(card.next), width),
      '',
    );
  }
  for (const [title, body] of [
    ['Before', text.before],
    ['After', text.after],
    ['By hand', text.byHand],
  ] as const) {
    if (body !== undefined && body.trim() !== '') lines.push(paint.bold(title), ...visibleLines(body.trim()).split('\n'), '');
  }
  for (const link of cards[0]?.spec ?? []) lines.push(`spec: ${visible(link)}`);
  while (lines.at(-1) === '') lines.pop();
  return `${lines.join('\n')}\n`;
}

/** All rules by concern, one a line. Ends with a newline. */
export function prettyRules(cards: readonly RuleCard[], options: PrettyOptions): string {
  const paint = paintFor(options);
  const kindOf = (card: RuleCard): string => card.id.slice(card.id.indexOf('/') + 1);
  const column = Math.max(4, ...cards.map((card) => kindOf(card).length));
  const room = options.width - column - 13;
  const lines: string[] = [];
  let concern = '';
  for (const card of cards) {
    const owner = card.id.slice(0, card.id.indexOf('/'));
    if (owner !== concern) lines.push(...(concern === '' ? [] : ['']), `${paint.bold(owner)}  ${visible(card.title)}`);
    concern = owner;
    lines.push(`  ${kindOf(card).padEnd(column)}  ${SEVERITY[card.impact].padEnd(7)}  ${cut(visible(card.what), room)}`);
  }
  return `${[...lines, '', paint.dim(`${count(cards.length, 'rule')}. "unsession explain CONCERN/RULE" says what, why and how.`)].join('\n')}\n`;
}
