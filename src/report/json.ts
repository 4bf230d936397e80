import { safeJson, type FleetEntry, type FleetReport, type MigrateResult, type ScanResult, type SuggestResult, type VerifyReport } from '../core/index.js';

/** The whole result, complete and valid, ending with a newline. Its schema is published with the package. */
export const json = (result: ScanResult | MigrateResult | SuggestResult | VerifyReport | FleetReport | FleetEntry): string => `${safeJson(result)}\n`;
