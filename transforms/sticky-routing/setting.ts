import type { Impact, Report, Span } from '../../src/core/index.js';
import { byKey, hints, type ByKey, type Kind } from './words.js';

/** A line or entry that a reader of settings has understood. Its range belongs to the text that was read. */
export interface Setting extends Span {
  readonly kind: Kind;
  /** Values of the messages of the kind. */
  readonly data: Readonly<Record<string, string>>;
  readonly evidence: string;
  /** Where it differs from that of the kind. */
  readonly impact?: Impact;
  /** The file does not show why it is so, or whom it is for. */
  readonly possible?: boolean;
}

/** Something that routes by the session id of a request. */
export const bySession = (at: Span, holder: string, setting: string, way: ByKey): Setting => ({
  kind: 'session-header-hash',
  start: at.start,
  end: at.end,
  data: { holder, setting, ...byKey(way) },
  evidence: way === 'one' ? 'an empty key is a key too: all requests without the header get the same instance' : 'it names the session id',
  ...(way === 'learned' ? { impact: 'tidies' } : {}),
});

/** Reports a setting, with what the runbook wants to know of its kind. */
export function reportSetting(report: Report<Kind>, setting: Setting, at: Span = setting): void {
  const { kind, data, evidence, possible, impact } = setting;
  if (hints(kind)['affinity'] === true) report.fact({ type: 'affinity', site: report.site(at) });
  report.finding(kind, at, {
    group: kind,
    certainty: possible === true ? 'possible' : 'likely',
    evidence: [evidence],
    data: { ...hints(kind), ...data },
    ...(impact === undefined ? {} : { impact }),
  });
}
