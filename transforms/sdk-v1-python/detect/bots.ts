import type { Detector } from '../../../src/core/index.js';
import type { PythonKind } from '../kinds.js';

type Entries = Readonly<Record<string, unknown>>;

const record = (value: unknown): Entries => (value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Entries) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : []);

/** Does a pattern of Dependabot, in which `*` stands for anything, take in `mcp`? */
const takesMcp = (pattern: unknown): boolean =>
  typeof pattern === 'string' && /^[\w.*-]{1,80}$/.test(pattern) && new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll(/\*+/g, '.*')}$`).test('mcp');

/** The majors of `mcp` are left out by a rule of the same entry. */
const ignoresMajor = (update: Entries): boolean =>
  list(update['ignore'])
    .map(record)
    .some(
      (rule) => takesMcp(rule['dependency-name']) && (rule['versions'] !== undefined || list(rule['update-types']).includes('version-update:semver-major')),
    );

/** Groups of Dependabot that take the next major of `mcp` in with everything else. Source: the options of `dependabot.yml`. */
export const detectBots: Detector<'data', PythonKind> = (file, report, around) => ({
  Document(document) {
    if (!/(?:^|\/)\.github\/dependabot\.ya?ml$/.test(file.path)) return;
    list(record(document.value)['updates']).forEach((value, index) => {
      const update = record(value);
      if ((update['package-ecosystem'] !== 'pip' && update['package-ecosystem'] !== 'uv') || ignoresMajor(update)) return;
      for (const [name, settings] of Object.entries(record(update['groups']))) {
        const group = record(settings);
        const kinds = list(group['update-types']);
        const others = list(group['patterns']).some((pattern) => takesMcp(pattern) && pattern !== 'mcp');
        if (!others || list(group['exclude-patterns']).some(takesMcp) || (kinds.length > 0 && !kinds.includes('major'))) continue;
        const at = document.spanOf(['updates', index, 'groups', name]);
        if (at) report.finding('bot-group-major', at, { group: around.package.folder, data: { name } });
      }
    });
  },
});
