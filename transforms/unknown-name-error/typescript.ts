import type { Detector } from '../../src/core/index.js';
import { type Kind, unknownNames } from './throws.js';

/** Reports plain errors of the low-level handlers that read a resource, call a tool or get a prompt. */
export const typescript: Detector<'typescript', Kind> = (file, report) => ({
  end() {
    for (const { kind, error } of unknownNames(file)) report.finding(kind, file.span(error), { group: 'errors' });
  },
});
