import type { Detector, FindingDetails, Span } from '../../../src/core/index.js';
import { SDK_V1 } from '../../_mcp/sdk-table.js';
import type { SdkKind } from '../kinds.js';
import { isBelow, isZodKin, lowestVersion } from '../ranges.js';
import { catalogEntry } from '../zod-line.js';

const SECTIONS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

type Entries = Readonly<Record<string, unknown>>;

const entriesOf = (value: unknown, key: string): Entries => {
  const entries = typeof value === 'object' && value !== null ? (value as Entries)[key] : undefined;
  return typeof entries === 'object' && entries !== null ? (entries as Entries) : {};
};

interface Catalogued {
  readonly path: readonly string[];
  readonly catalog: string;
  readonly range: string;
}

/** Ranges of zod in catalogs: `catalog` and `catalogs` of pnpm, Yarn and Bun, the last two also below `workspaces` in a manifest. */
function catalogued(value: unknown): readonly Catalogued[] {
  return [[], ['workspaces']].flatMap((above) => {
    const holder = above.length === 0 ? value : entriesOf(value, 'workspaces');
    const of = (path: readonly string[], catalog: string, entries: Entries): readonly Catalogued[] =>
      typeof entries['zod'] === 'string' ? [{ path: [...above, ...path, 'zod'], catalog, range: entries['zod'] }] : [];
    const named = entriesOf(holder, 'catalogs');
    return [
      ...of(['catalog'], 'default', entriesOf(holder, 'catalog')),
      ...Object.keys(named).flatMap((name) => of(['catalogs', name], name, entriesOf(named, name))),
    ];
  });
}

/** Where Renovate looks for its settings: at the top, in `.github` and its like, and in a repository of presets. A copy elsewhere is a template. */
const RENOVATE = /^(?:\.\w+\/)?[^/]*renovate[^/]*$|^[^/]*renovate[^/]*\/[^/]+$/;

/** Ranges in `package.json` that the move to SDK v2 touches, and bot rules that will not see it. */
export const detectManifest: Detector<'data', SdkKind> = (file, report, around) => ({
  Document(document) {
    const say = (kind: SdkKind, at: Span | undefined, details: FindingDetails = {}): void => {
      if (at) report.finding(kind, at, { group: around.package.folder, ...details });
    };
    for (const { path, range, catalog } of catalogued(document.value)) {
      const at = document.spanOf(path);
      if (at) report.fact({ type: 'requirement', site: report.site(at), name: catalogEntry(catalog, 'zod'), range });
    }
    if (!/(?:^|\/)package\.json$/.test(file.path)) {
      if (!RENOVATE.test(file.path)) return;
      document.each((path, value) => {
        if (value === SDK_V1) say('bot-rule', document.spanOf(path));
      });
      return;
    }
    for (const section of SECTIONS) {
      for (const [name, range] of Object.entries(entriesOf(document.value, section))) {
        if (typeof range !== 'string' || (name !== 'zod' && !isZodKin(name))) continue;
        const at = document.spanOf([section, name]);
        if (at) report.fact({ type: 'requirement', site: report.site(at), name, range });
      }
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
    for (const section of SECTIONS) {
      const range = entriesOf(document.value, section)['zod'];
      if (typeof range === 'string' && isBelow(range, 4, 2) && !reaches42(range))
        say('zod-floor', document.spanOf([section, 'zod']), { data: { range }, certainty: 'likely' });
    }
    const node = entriesOf(document.value, 'engines')['node'];
    if (typeof node === 'string' && isBelow(node, 20)) say('node-floor', document.spanOf(['engines', 'node']), { data: { range: node } });
  },
});

/** `^4`, `4.x`, `>=4.1.0`: the next installation brings 4.2 or later. */
const reaches42 = (range: string): boolean => /^(?:\^|>=)\s*4(?:\.\d+){0,2}$|^4(?:\.[x*])?$/.test(range.trim());
