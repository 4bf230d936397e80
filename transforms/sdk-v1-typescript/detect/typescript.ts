import { ts } from 'ts-morph';
import type { Detector, FindingDetails } from '../../../src/core/index.js';
import { importBindings, type TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { methodOf, sdkOf } from '../../_mcp/sdk-table.js';
import type { SdkKind } from '../kinds.js';
import { detectContexts } from './contexts.js';
import { detectErrors } from './errors.js';
import { detectImports } from './imports.js';
import { detectRegistrations } from './registrations.js';
import { registrationsOf } from '../registrations.js';
import { narrowerPlaces } from '../narrower.js';
import { detectZod, zodKinNamed } from './zod.js';

/** What the parts of the detector report with; every finding of a package is one work item. */
export type Say = (kind: SdkKind, at: { readonly start: number; readonly end: number }, details?: FindingDetails) => void;

/** Sees SDK v1 by the provenance of names. A file without an SDK import is looked at too: it may be handed its server. */
export const detectTypeScript: Detector<'typescript', SdkKind> = (file: TypeScriptFile, report, around) => ({
  end() {
    // Schemas of v1 by name are its surface, wherever the server object came from.
    const named = namesSchemas(file) ? { namesSchemas: true } : {};
    const say: Say = (kind, at, details = {}) => {
      report.finding(kind, at, { group: around.package.folder, ...details, data: { ...details.data, ...named } });
    };
    detectImports(file, say);
    detectRegistrations(file, say);
    detectContexts(file, say);
    detectErrors(file, say);
    detectZod(file, say);
    detectNarrower(file, say);
    for (const { name, literal } of zodKinNamed(file)) report.fact({ type: 'requirement', site: file.site(literal), name, range: '*' });
  },
});

/** `setRequestHandler(x.ListToolsRequestSchema, …)` in a file that imports no SDK: only v1 registers by schema. */
function namesSchemas(file: TypeScriptFile): boolean {
  if (importBindings(file).some(({ specifier }) => sdkOf(specifier) !== undefined)) return false;
  return registrationsOf(file).some(({ call, form, receiver }) => {
    const [first] = call.arguments;
    return form === 'schema' && receiver !== 'other' && first !== undefined && ts.isPropertyAccessExpression(first) && methodOf(first.name.text) !== undefined;
  });
}

/** Only what still stands on v1: on v2 the type check says it. */
function detectNarrower(file: TypeScriptFile, say: Say): void {
  if (!importBindings(file).some(({ specifier }) => sdkOf(specifier) === 1)) return;
  const alone = { get: () => undefined, has: () => false, paths: [] };
  for (const { node, place, advice } of narrowerPlaces(file, alone)) say('narrower-type', file.span(node), { data: { place, advice } });
}
