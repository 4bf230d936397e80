import type { Detector } from '../../../src/core/index.js';
import { allowsMajor } from '../../../src/languages/python/packaging/index.js';
import type { PythonKind } from '../kinds.js';

/** Requirements of `mcp`: what they let in decides which SDK the code meets, whatever it was written for. */
export const detectRequirements: Detector<'requirements', PythonKind> = (file, report, around) => ({
  Requirement(requirement) {
    if (requirement.name !== 'mcp') return;
    // A range that keeps SDK v1 out says which line the code of the package is on.
    if (requirement.frozen === undefined && requirement.specifier !== '' && !allowsMajor(requirement.specifier, 1) && allowsMajor(requirement.specifier, 2))
      report.fact({ type: 'sdk-import', site: file.site(requirement.span), module: 'mcp', sdk: 2, form: 'string', names: [] });
    // Manifests may disagree; one that keeps v2 out shows that the code is on the first line.
    if (requirement.frozen === undefined && allowsMajor(requirement.specifier, 1) && !allowsMajor(requirement.specifier, 2))
      report.fact({ type: 'sdk-import', site: file.site(requirement.span), module: 'mcp', sdk: 1, form: 'string', names: [] });
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
