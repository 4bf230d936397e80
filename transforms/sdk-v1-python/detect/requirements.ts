import type { Detector } from '../../../src/core/index.js';
import { allowsMajor } from '../../../src/languages/python/packaging/index.js';
import { BRINGER_NAMES, BROUGHT, endsBelow } from '../brought.js';
import type { PythonKind } from '../kinds.js';

/** Lowest releases that SDK 2.x can be installed beside. Source: metadata of 2.3.0. */
const FLOORS: Readonly<Record<string, string>> = { pydantic: '2.12', anyio: '4.9', 'sse-starlette': '3.0', 'typing-extensions': '4.13', pywin32: '311' };

/** Packages whose declaration `judge` asks for. */
const TOLD: ReadonlySet<string> = new Set(['mcp', ...Object.values(BROUGHT), ...BRINGER_NAMES]);

/** Requirements of `mcp`: what they let in decides which SDK the code meets, whatever it was written for. */
export const detectRequirements: Detector<'requirements', PythonKind> = (file, report, around) => ({
  Requirement(requirement) {
    if (TOLD.has(requirement.name))
      report.fact({ type: 'requirement', site: file.site(requirement.span), name: requirement.name, range: requirement.specifier });
    const floor = FLOORS[requirement.name];
    if (floor !== undefined && requirement.frozen === undefined && endsBelow(requirement.specifier, floor))
      report.finding('conflicting-pin', requirement.span, {
        group: around.package.folder,
        data: { name: requirement.name, range: requirement.specifier, place: requirement.place, floor: `>=${floor}` },
      });
    if (requirement.name !== 'mcp') return;
    if (requirement.extras.includes('ws'))
      report.finding('pinned-source', requirement.span, {
        group: around.package.folder,
        data: { place: requirement.place, why: 'its extra `ws` went with the WebSocket transport' },
      });
    // A range that keeps SDK v1 out says which line the code of the package is on.
    if (requirement.frozen === undefined && requirement.specifier !== '' && !allowsMajor(requirement.specifier, 1) && allowsMajor(requirement.specifier, 2))
      report.fact({ type: 'sdk-import', site: file.site(requirement.span), module: 'mcp', sdk: 2, form: 'string', names: [] });
    // Manifests may disagree; one that keeps v2 out shows that the code is on the first line.
    if (requirement.frozen === undefined && allowsMajor(requirement.specifier, 1) && !allowsMajor(requirement.specifier, 2))
      report.fact({ type: 'sdk-import', site: file.site(requirement.span), module: 'mcp', sdk: 1, form: 'string', names: [] });
    const [first, second] = [allowsMajor(requirement.specifier, 1), allowsMajor(requirement.specifier, 2)];
    if (requirement.frozen === undefined && requirement.specifier !== '' && first !== second)
      // Whether the code is of the other line, `judge` tells.
      report.finding('version-skew', requirement.span, {
        group: around.package.folder,
        data: { range: requirement.specifier, place: requirement.place, code: first ? '2.x' : '1.x' },
      });
    const at = requirement.specifierSpan.start === requirement.specifierSpan.end ? requirement.span : requirement.specifierSpan;
    const data = { place: requirement.place, range: requirement.specifier === '' ? 'no range' : requirement.specifier };
    const group = around.package.folder;
    if (requirement.frozen !== undefined) report.finding('pinned-source', at, { group, data: { ...data, why: requirement.frozen } });
    else if (allowsMajor(requirement.specifier, 1))
      report.finding('requirement', at, {
        group,
        data: { ...data, effect: allowsMajor(requirement.specifier, 2) ? 'lets SDK 2.x in as well' : 'keeps SDK 2.x out' },
        impact: allowsMajor(requirement.specifier, 2) ? 'breaks' : 'none',
      });
  },
});
