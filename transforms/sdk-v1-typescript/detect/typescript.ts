import type { Detector, FindingDetails } from '../../../src/core/index.js';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import type { SdkKind } from '../kinds.js';
import { detectContexts } from './contexts.js';
import { detectErrors } from './errors.js';
import { detectImports } from './imports.js';
import { detectRegistrations } from './registrations.js';
import { detectZod } from './zod.js';

/** What the parts of the detector report with; every finding of a package is one work item. */
export type Say = (kind: SdkKind, at: { readonly start: number; readonly end: number }, details?: FindingDetails) => void;

/** Sees SDK v1 by the provenance of names. A file without an SDK import is looked at too: it may be handed its server. */
export const detectTypeScript: Detector<'typescript', SdkKind> = (file: TypeScriptFile, report, around) => ({
  end() {
    const say: Say = (kind, at, details = {}) => {
      report.finding(kind, at, { group: around.package.folder, ...details });
    };
    detectImports(file, say);
    detectRegistrations(file, say);
    detectContexts(file, say);
    detectErrors(file, say);
    detectZod(file, say);
  },
});
