import type { Detector, FindingDetails, Span } from '../../../src/core/index.js';
import { SDK_V1 } from '../../_mcp/sdk-table.js';
import type { SdkKind } from '../kinds.js';
import { isBelow, isZodKin, lowestVersion } from '../ranges.js';

const SECTIONS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

type Entries = Readonly<Record<string, unknown>>;

const entriesOf = (value: unknown, key: string): Entries => {
  const entries = typeof value === 'object' && value !== null ? (value as Entries)[key] : undefined;
  return typeof entries === 'object' && entries !== null ? (entries as Entries) : {};
};

/** Ranges in `package.json` that the move to SDK v2 touches, and bot rules that will not see it. */
export const detectManifest: Detector<'data', SdkKind> = (file, report, around) => ({
  Document(document) {
    const say = (kind: SdkKind, at: Span | undefined, details: FindingDetails = {}): void => {
      if (at) report.finding(kind, at, { group: around.package.folder, ...details });
    };
    if (!/(?:^|\/)package\.json$/.test(file.path)) {
      if (!file.path.includes('renovate')) return;
      document.each((path, value) => {
        if (value === SDK_V1) say('bot-rule', document.spanOf(path));
      });
      return;
    }
    for (const section of SECTIONS) {
      const range = entriesOf(document.value, section)['zod'];
      const at = document.spanOf([section, 'zod']);
      if (typeof range === 'string' && at) report.fact({ type: 'requirement', site: report.site(at), name: 'zod', range });
    }
    let onV1 = false;
    for (const section of SECTIONS) {
      const range = entriesOf(document.value, section)[SDK_V1];
      if (typeof range !== 'string') continue;
      onV1 = true;
      const at = document.spanOf([section, SDK_V1]);
      if ((lowestVersion(range)?.[0] ?? 0) >= 2) say('nonexistent-range', at, { data: { range } });
      else say(section === 'peerDependencies' ? 'peer-dependency' : 'manifest-dependency', at, { data: { range } });
    }
    if (!onV1) return;
    // What is built on zod 3 keeps it there: read by `assess`.
    const kin = SECTIONS.some((section) => Object.keys(entriesOf(document.value, section)).some(isZodKin));
    for (const section of SECTIONS) {
      const range = entriesOf(document.value, section)['zod'];
      if (typeof range === 'string' && isBelow(range, 4, 2))
        say('zod-floor', document.spanOf([section, 'zod']), { data: { range, ...(kin ? { kin } : {}) }, certainty: 'likely' });
    }
    const node = entriesOf(document.value, 'engines')['node'];
    if (typeof node === 'string' && isBelow(node, 20)) say('node-floor', document.spanOf(['engines', 'node']), { data: { range: node } });
  },
});
