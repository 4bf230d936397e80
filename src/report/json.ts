import type { FleetEntry, FleetReport, MigrateResult, ScanResult, SuggestResult, VerifyReport } from '../core/index.js';
import { safeJson } from './text/escape.js';

/** The whole result, complete and valid, ending with a newline. Its schema is published with the package. */
export const json = (result: ScanResult | MigrateResult | SuggestResult | VerifyReport | FleetReport | FleetEntry): string => `${safeJson(result)}\n`;
